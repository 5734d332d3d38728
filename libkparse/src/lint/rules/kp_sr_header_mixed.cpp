// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "kparse/record_walk.h"
#include "lint/batch_rule.h"
#include "lint/schema_headers.h"
#include "lint/schema_prefix.h"

namespace kparse::lint {
namespace {

class SrHeaderMixed final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return is_schema_header(name); }
  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen& h) override {
    here_ = here_ || is_schema_id(h.header.value);
  }
  void end_record(const RecordsSeen&, const Batch&, const Record&) override { with_ += std::exchange(here_, false); }
  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const std::uint64_t with = std::exchange(with_, 0);
    if ((with == 0 && !f.value_ids) || f.batch.control || r.via == Via::snapshot) return;
    Topic* const t = topics_.get(spot(r).topic);
    if (!t) return;
    if (with > 0) t->headers.add(frame().first, with);
    // A value beside a header may begin with such bytes by chance.
    if (f.value_ids && with < static_cast<std::uint64_t>(f.records)) {
      const std::uint64_t others = static_cast<std::uint64_t>(f.records) - with;
      t->prefixes.add(frame().first, with == 0 ? f.value_ids->found() : std::min(others, plain(f)));
    }
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t n, const Topic& it) {
      if (it.headers.count == 0 || it.prefixes.count == 0 || topic(topic_at(n).ref()).starts_with("__")) return;
      found_in_topic(
          n,
          [&](Text& t, const Quoted& topic) {
            t << topic << " mixes schema ids in headers (" << it.headers.count << " records) and in the value ("
              << it.prefixes.count << ").";
          },
          it.prefixes.count);
    });
  }

 private:
  struct Topic {
    Tally headers, prefixes;
  };
  /// Values with a prefix in records without the header.
  static std::uint64_t plain(const BatchFacts& f) noexcept {
    const std::uint8_t* at = f.batch.opened.data();
    const std::uint8_t* const end = at + f.batch.opened.size();
    std::uint64_t n = 0;
    for (std::int32_t i = 0; f.batch.magic == 2 && at && i < f.records; ++i) {
      Record record;
      std::int64_t time = 0;
      std::int32_t delta = 0;
      at = detail::read_record(at, end, record, time, delta);
      if (!at || schema_prefix(record.value) == 0) continue;
      HeaderReader reader(record);
      RecordHeader h;
      bool named = false;
      while (!named && reader.next(h)) named = is_schema_header(h.name);
      n += !named;
    }
    return n;
  }

  bool here_ = false;
  std::uint64_t with_ = 0;
  BySpot<Topic> topics_;
};

}  // namespace

KPARSE_RULE(kp_sr_header_mixed, SrHeaderMixed, .id = "KP-SR-HEADER-MIXED", .severity = Severity::notice,
            .scope = RuleScope::topic,
            .condition = "A topic has records as in KP-SR-HEADER, and others whose value has a registry's prefix.",
            .why = "Old deserializers can't read the former.",
            .fix = "Move all producers at once, or update the consumers first.",
            .example = "orders mixes schema ids in headers (1 records) and in the value (1).",
            .sources = "confluent-kafka-python#1978; akhq#2550", .healthy = true);

}  // namespace kparse::lint
