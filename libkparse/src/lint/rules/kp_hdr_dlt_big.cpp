// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "lint/batch_rule.h"
#include "lint/dead_letters.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"dlt-bytes", 16384, "bytes", "more of stack traces is too much"},
    {"dlt-repeats", 10, "times", "a header that occurs more often is too much"},
};

class HdrDltBig final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return is_dead_letter_header(name) || is_stack_trace(name); }
  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen& h) override {
    ++headers_;
    if (!is_stack_trace(h.header.name)) return;
    bytes_ += h.header.value.size();
    ++traces_;
  }
  void end_record(const RecordsSeen& r, const Batch&, const Record& record) override {
    if (headers_ == 0) return;
    const std::uint64_t bytes = std::exchange(bytes_, 0);
    const std::int64_t headers = std::exchange(headers_, 0), traces = std::exchange(traces_, 0);
    const bool big = static_cast<double>(bytes) > option(0);
    if (!big && static_cast<double>(headers) <= option(1)) return;
    std::string_view name;
    const std::int64_t times = most(record, name);
    if (!big && static_cast<double>(times) <= option(1)) return;
    found_in_records(r, [&](Text& t, const Partition& at) {
      t << Quoted{at.topic} << ": a record carries ";
      if (big) {
        t << bytes << " bytes of stack traces (" << traces << " copies).";
      } else {
        t << "header \"" << Quoted{name} << "\" " << times << " times.";
      }
    });
  }

 private:
  /// How often the header of the family that occurs most does. Of the first few names.
  static std::int64_t most(const Record& record, std::string_view& name) noexcept {
    struct Seen {
      std::string_view name;
      std::int64_t times = 0;
    };
    std::array<Seen, 32> seen;
    std::size_t used = 0;
    HeaderReader reader(record);
    RecordHeader h;
    while (reader.next(h)) {
      if (!is_dead_letter_header(h.name)) continue;
      std::size_t i = 0;
      while (i < used && seen[i].name != h.name) ++i;
      if (i == seen.size()) continue;
      if (i == used) seen[used++].name = h.name;
      ++seen[i].times;
    }
    const auto best = std::ranges::max_element(seen, {}, &Seen::times);
    name = best->name;
    return best->times;
  }

  std::uint64_t bytes_ = 0;
  std::int64_t headers_ = 0, traces_ = 0;
};

}  // namespace

KPARSE_RULE(kp_hdr_dlt_big, HdrDltBig, .id = "KP-HDR-DLT-BIG", .severity = Severity::warning,
            .scope = RuleScope::record,
            .condition =
                "The stack traces in a record's dead letter headers take more than dlt-bytes, or a "
                "header of that family stands in a record more than dlt-repeats times.",
            .why = "Each retry adds one more, until the record is too large.",
            .fix = "Keep the last exception only, and strip stack traces.",
            .example = "orders-dlt: a record carries 20500 bytes of stack traces (5 copies).",
            .sources = "spring-kafka#1996", .options = options);

}  // namespace kparse::lint
