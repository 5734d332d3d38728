// SPDX-License-Identifier: MIT
#include <utility>

#include "lint/batch_rule.h"
#include "lint/dead_letters.h"

namespace kparse::lint {
namespace {

class HdrDlt final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return is_dead_letter_header(name); }
  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen&) override { here_ = true; }
  void end_record(const RecordsSeen& r, const Batch&, const Record& record) override {
    if (!std::exchange(here_, false) || records_++ > 0) return;
    if (Topic* const t = topics_.get(spot(r).topic); t && t->records.count == 0) remember(*t, record);
  }
  void end_batch(const RecordsSeen& r, const BatchFacts&, const Error&) override {
    const std::uint64_t records = std::exchange(records_, 0);
    if (records == 0) return;
    if (Topic* const t = topics_.get(spot(r).topic)) t->records.add(frame().first, records);
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t n, const Topic& it) {
      if (it.records.count == 0) return;
      found_in_topic(
          n,
          [&](Text& t, const Quoted& topic) {
            t << topic << " holds dead letters: from " << (it.original.empty() ? "an unnamed topic" : "")
              << Quoted{it.original};
            if (!it.exception.empty()) t << ", " << Quoted{it.exception};
            t << ".";
          },
          it.records.count);
    });
  }

 private:
  struct Topic {
    Tally records;
    std::string original, exception;  ///< of the first record
  };
  static void remember(Topic& t, const Record& record) {
    constexpr std::size_t most = 200;
    HeaderReader reader(record);
    RecordHeader h;
    while (reader.next(h)) {
      const std::string_view value = text(h.value).substr(0, most);
      if (h.name.ends_with("original-topic") || h.name == "dead-letter-topic") t.original = value;
      if (h.name.ends_with("exception-fqcn") || h.name == "dead-letter-exception-class-name") {
        // A listener's exception wraps that of the application.
        if (t.exception.empty() || h.name.find("cause") != h.name.npos) t.exception = value;
      }
    }
  }

  bool here_ = false;
  std::uint64_t records_ = 0;
  BySpot<Topic> topics_;
};

}  // namespace

KPARSE_RULE(kp_hdr_dlt, HdrDlt, .id = "KP-HDR-DLT", .severity = Severity::info, .scope = RuleScope::topic,
            .condition =
                "Records have kafka_dlt-*, kafka_original-*, dead-letter-*, x-original-* or "
                "retry_topic-* headers. Counted by topic.",
            .why = "It shows where records that failed come from.", .fix = "Look at the headers about the exception.",
            .example = "orders-dlt holds dead letters: from orders, java.lang.IllegalStateException.",
            .sources = "spring-kafka#1995; smallrye#1913", .healthy = true);

}  // namespace kparse::lint
