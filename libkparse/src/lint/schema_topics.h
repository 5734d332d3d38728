// SPDX-License-Identifier: MIT
// How many keys and values of each topic begin as those that a schema registry's serializers write.
#pragma once

#include <string_view>

#include "lint/batch_rule.h"
#include "lint/schema_prefix.h"

namespace kparse::lint {

class SchemaTopics : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.records == 0 || f.batch.control || r.via == Via::snapshot) return;
    Topic* const t = topics_.get(spot(r).topic);
    if (!t) return;
    t->keys.add(f.key_ids, f.records - f.null_keys, frame().first);
    t->values.add(f.value_ids, f.records - f.null_values, frame().first);
  }

 protected:
  struct Part {
    std::uint64_t all = 0;  ///< that aren't null
    SchemaIds ids;
    Stamp first;  ///< with a prefix
    void add(const SchemaIds* more, std::int32_t n, const Stamp& at) noexcept {
      all += static_cast<std::uint64_t>(n);
      if (!more) return;
      if (ids.found() == 0) first = at;
      ids.add(*more);
    }
    [[nodiscard]] double share() const noexcept {
      return all > 0 ? static_cast<double>(ids.found()) / static_cast<double>(all) : 0;
    }
  };
  /// f(topic, "keys" or "values", part) for those where a prefix was seen.
  template <class F>
  void each(F f) {
    topics_.each([&](std::uint32_t n, const Topic& t) {
      if (t.keys.ids.found() == 0 && t.values.ids.found() == 0) return;
      if (topic(topic_at(n).ref()).starts_with("__")) return;  // Kafka's own: a name may have come after the records
      if (t.keys.ids.found() > 0) f(n, std::string_view("keys"), t.keys);
      if (t.values.ids.found() > 0) f(n, std::string_view("values"), t.values);
    });
  }

 private:
  struct Topic {
    Part keys, values;
  };
  BySpot<Topic> topics_;
};

}  // namespace kparse::lint
