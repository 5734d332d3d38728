// SPDX-License-Identifier: MIT
#include "kparse/record_walk.h"
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"hdr-bytes", 8192, "bytes", "headers that take more are big"},
    {"hdr-share", 50, "%", "as are headers that take more of their record"},
    {"hdr-min-bytes", 2048, "bytes", "... and at least this"},
};

class HdrBig final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.largest_headers < option(2) && f.largest_headers <= option(0)) return;
    if (f.batch.magic != 2 || !sound(f.batch)) return;
    const std::uint8_t* at = f.batch.opened.data();
    const std::uint8_t* const end = at + f.batch.opened.size();
    std::uint64_t count = 0;
    Record first, record;
    for (std::int32_t i = 0, delta = 0; at && i < f.records; ++i) {
      std::int64_t time = 0;
      at = detail::read_record(at, end, record, time, delta);
      if (at && is_big(record) && count++ == 0) first = record;
    }
    if (count == 0) return;
    found_in_records(
        r,
        [&](Text& t, const Partition& where) {
          HeaderReader reader(first);
          RecordHeader h, largest;
          while (reader.next(h))
            if (h.name.size() + h.value.size() >= largest.name.size() + largest.value.size()) largest = h;
          t << "Headers take " << first.headers.size() << " bytes of a record in " << Quoted{where.topic} << " ("
            << Percent{static_cast<double>(first.headers.size()), static_cast<double>(size(first))}
            << " of it; the largest is \"" << Quoted{largest.name} << "\").";
        },
        count);
  }

 private:
  static std::size_t size(const Record& r) noexcept { return r.key.size() + r.value.size() + r.headers.size(); }
  [[nodiscard]] bool is_big(const Record& r) const noexcept {
    const auto headers = static_cast<double>(r.headers.size());
    return headers > option(0) || (headers >= option(2) && headers * 100 > option(1) * static_cast<double>(size(r)));
  }
};

}  // namespace

KPARSE_RULE(kp_hdr_big, HdrBig, .id = "KP-HDR-BIG", .severity = Severity::warning, .scope = RuleScope::record,
            .condition =
                "The headers of a record take more than hdr-bytes, or at least hdr-min-bytes and more "
                "than hdr-share of it.",
            .why =
                "Headers are stored and sent with every record; stack traces in them grow with every "
                "retry.",
            .fix = "Trim stack traces and keep headers short.",
            .example =
                "Headers take 9014 bytes of a record in orders (97.8 % of it; the largest is "
                "\"kafka_dlt-exception-stacktrace\").",
            .sources = "spring-kafka#1996", .healthy = true, .options = options);

}  // namespace kparse::lint
