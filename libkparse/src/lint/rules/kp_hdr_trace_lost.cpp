// SPDX-License-Identifier: MIT
#include <unordered_set>
#include <utility>

#include "kparse/record_walk.h"
#include "lint/batch_rule.h"
#include "lint/trace_headers.h"

namespace kparse::lint {
namespace {

class HdrTraceLost final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return trace_header(name) >= 0; }
  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen&) override { here_ = true; }
  void end_record(const RecordsSeen& r, const Batch&, const Record& record) override {
    if (!here_) return;
    here_ = false;
    ++with_;
    if (!fetched(r) || conn().inter_broker || !telling(record)) return;
    if (room_.beside(consumed_.size())) consumed_.insert(hash(record));
  }
  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const std::uint64_t with = std::exchange(with_, 0);
    if (!produced(r) || f.records == 0 || f.batch.control || !sound(f.batch)) return;
    Client* const c = pairs_.get(spot(r).pair);
    if (!c) return;
    const auto records = static_cast<std::uint64_t>(f.records);
    c->with += with;
    c->records += records;
    if (with < records) c->without.add(frame().first, records - with);
    if (with < records && !consumed_.empty() && f.batch.magic == 2) c->copies += copies(f);
  }
  void on_finish(const Stamp&) override {
    pairs_.each([&](std::uint32_t n, const Client& c) {
      const bool some = c.records >= 10 && c.with > 0 && c.without.count > 0;
      if (!some && c.copies == 0) return;
      found_of_pair(
          n, c.without.first,
          [&](Text& t, const Who& client, const Quoted& topic) {
            if (some) {
              t << client << " writes trace headers in only "
                << Percent{static_cast<double>(c.with), static_cast<double>(c.records)} << " of its records to "
                << topic << ".";
            } else {
              t << client << " writes " << Records{static_cast<std::int64_t>(c.copies)} << " to " << topic
                << (c.copies == 1 ? " without the trace headers that it had when it was consumed."
                                  : " without the trace headers that they had when they were consumed.");
            }
          },
          some ? c.without.count : c.copies);
    });
  }

 private:
  /// No other record is likely to have the same bytes.
  static bool telling(const Record& r) noexcept { return r.value.size() >= 4 && r.key.size() + r.value.size() >= 6; }
  struct Client {
    std::uint64_t records = 0, with = 0, copies = 0;
    Tally without;
  };

  /// Of the client's host, key, and the beginning of the value.
  [[nodiscard]] std::size_t hash(const Record& r) const noexcept {
    constexpr std::hash<std::string_view> of;
    std::size_t h = of(conn().client_host()) * 31 + r.value.size();
    h = h * 1'000'003 + of(text(r.key));
    return h * 1'000'003 + of(text(r.value).substr(0, 256));
  }
  std::uint64_t copies(const BatchFacts& f) const {
    const std::uint8_t* at = f.batch.opened.data();
    const std::uint8_t* const end = at + f.batch.opened.size();
    std::uint64_t n = 0;
    for (std::int32_t i = 0; at && i < f.records; ++i) {
      Record record;
      std::int64_t time = 0;
      std::int32_t delta = 0;
      at = detail::read_record(at, end, record, time, delta);
      if (at && telling(record) && !has_trace(record) && consumed_.contains(hash(record))) ++n;
    }
    return n;
  }
  static bool has_trace(const Record& record) noexcept {
    HeaderReader reader(record);
    RecordHeader h;
    while (reader.next(h))
      if (trace_header(h.name) >= 0) return true;
    return false;
  }

  bool here_ = false;
  std::uint64_t with_ = 0;
  Room room_{*this, "records that were consumed"};
  std::unordered_set<std::size_t> consumed_;
  BySpot<Client> pairs_;
};

}  // namespace

KPARSE_RULE(kp_hdr_trace_lost, HdrTraceLost, .id = "KP-HDR-TRACE-LOST", .severity = Severity::notice,
            .scope = RuleScope::topic,
            .condition =
                "Of at least 10 records that a client writes to a topic some have a trace header and "
                "some have none; or it writes a record without one whose key and value it consumed with "
                "one.",
            .why = "Traces break at this client on some of its paths.",
            .fix = "Instrument the other path; copy headers when forwarding.",
            .example = "10.0.0.2:50000 (\"billing\") writes trace headers in only 40 % of its records to orders.",
            .sources = "opentelemetry-java-instrumentation#4854", .healthy = true);

}  // namespace kparse::lint
