// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class HdrTraceBad final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return name == "traceparent"; }
  void on_header(const RecordsSeen& r, const Batch&, const HeaderSeen& h) override {
    const std::string_view value = text(h.header.value);
    const bool differs = seen_ && value != first_;
    if (!seen_) first_ = value;
    seen_ = true;
    const std::string_view fault = differs ? "the second one in a record is different" : fault_of(value);
    if (fault.empty() || headers_++ > 0) return;
    found_in_records(r, [&](Text& t, const Partition& at) {
      t << who(conn())
        << (produced(r) ? " writes a malformed traceparent to " : " reads a malformed traceparent from ")
        << Quoted{at.topic} << ": \"" << Quoted{value} << "\" (" << fault << ").";
    });
  }
  void end_record(const RecordsSeen&, const Batch&, const Record&) override { seen_ = false; }
  void end_batch(const RecordsSeen& r, const BatchFacts&, const Error&) override {
    const std::uint64_t headers = std::exchange(headers_, 0);
    if (headers > 1)
      found_in_records(
          r, [](Text&, const Partition&) {}, headers - 1);  // told by the first
  }

 private:
  static bool is_hex(std::string_view s) noexcept {
    return std::ranges::all_of(s, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  }
  static bool is_zero(std::string_view s) noexcept { return s.find_first_not_of('0') == s.npos; }

  static std::string_view fault_of(std::string_view v) noexcept {
    if (v.starts_with('"')) return "in JSON quotes";
    if (v.size() < 55) return "too short";
    if (v[2] != '-' || v[35] != '-' || v[52] != '-') return "its parts aren't 2, 32, 16 and 2 digits";
    const std::string_view version = v.substr(0, 2), trace = v.substr(3, 32), span = v.substr(36, 16);
    if (!is_hex(version) || !is_hex(trace) || !is_hex(span) || !is_hex(v.substr(53, 2)))
      return "not lower-case hex digits";
    if (version == "ff") return "there is no version ff";
    if (v.size() > 55 && (version == "00" || v[55] != '-')) return "too long";
    if (is_zero(trace)) return "the trace id is zero";
    return is_zero(span) ? "the parent id is zero" : "";
  }

  bool seen_ = false;
  std::uint64_t headers_ = 0;  ///< of the batch, that are malformed
  std::string_view first_;
};

}  // namespace

KPARSE_RULE(kp_hdr_trace_bad, HdrTraceBad, .id = "KP-HDR-TRACE-BAD", .severity = Severity::warning,
            .scope = RuleScope::record,
            .condition =
                "A traceparent isn't version, 32, 16 and 2 lower-case hex digits with dashes between (55 "
                "characters in version 00), has an id of zeros, is in JSON quotes, or stands in a record "
                "twice with different values. One finding a client and topic.",
            .why = "Tracers drop it: the trace breaks here.", .fix = "Write it as plain ASCII.",
            .example =
                "10.0.0.2:50000 (\"billing\") writes a malformed traceparent to orders: "
                "\"00-00000000000000000000000000000000-2222222222222222-01\" (the trace id is zero).",
            .sources = "dapr#7372; apm#748; W3C Trace Context");

}  // namespace kparse::lint
