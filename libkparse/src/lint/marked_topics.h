// SPDX-License-Identifier: MIT
// Rules that say of a topic: its records have headers of a family, and what the first of them tells.
#pragma once

#include <utility>

#include "lint/batch_rule.h"

namespace kparse::lint {

/// Counts the records that have a header that wants_header() knows.
template <class First>
class MarkedTopics : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen&) override { here_ = true; }
  void end_record(const RecordsSeen& r, const Batch&, const Record& record) override {
    if (!std::exchange(here_, false) || records_++ > 0) return;
    if (Topic* const t = topics_.get(spot(r).topic); t && t->records.count == 0) remember(t->first, record);
  }
  void end_batch(const RecordsSeen& r, const BatchFacts&, const Error&) override {
    const std::uint64_t records = std::exchange(records_, 0);
    if (records == 0) return;
    if (Topic* const t = topics_.get(spot(r).topic)) t->records.add(frame().first, records);
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t n, const Topic& it) {
      if (it.records.count == 0) return;
      found_in_topic(n, [&](Text& t, const Quoted& topic) { tell(t, topic, it.first); }, it.records.count);
    });
  }

 protected:
  static constexpr std::size_t most_kept = 200;   ///< of a header's value

  virtual void remember(First&, const Record&) const = 0;   ///< the topic's first record of the kind
  virtual void tell(Text&, const Quoted& topic, const First&) const = 0;

 private:
  struct Topic {
    Tally records;
    First first;
  };
  bool here_ = false;
  std::uint64_t records_ = 0;
  BySpot<Topic> topics_;
};

}  // namespace kparse::lint
