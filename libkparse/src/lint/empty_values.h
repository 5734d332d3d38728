// SPDX-License-Identifier: MIT
// Values of length 0 where a null may have been meant: one rule for topics that are compacted, one for the others.
#pragma once

#include "lint/batch_rule.h"

namespace kparse::lint {

class EmptyValues : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.empty_values == 0 || !produced(r) || !sound(f.batch) || f.batch.control) return;
    if (Tally* const t = pairs_.get(spot(r).pair)) t->add(frame().first, static_cast<std::uint64_t>(f.empty_values));
  }

 protected:
  /// f(topic, who, tally) for those of the one kind.
  template <class F>
  void each(bool compacted, F f) {
    pairs_.each([&](std::uint32_t n, Tally& t) {
      if (t.count == 0) return;
      if (desk_.compacted(topic(topic_at(pair_at(n).topic).ref())) == compacted) f(n, t);
    });
  }

 private:
  BySpot<Tally> pairs_;
};

}  // namespace kparse::lint
