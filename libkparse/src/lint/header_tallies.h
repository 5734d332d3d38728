// SPDX-License-Identifier: MIT
// What is counted by topic and header name.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lint/batch_rule.h"

namespace kparse::lint {

/// Bounded: the first names of a topic. Allocates for a new name only.
class HeaderTallies {
 public:
  explicit HeaderTallies(Rule& r) : room_(r, "a topic's headers", 64) {}

  struct Name {
    std::string text;
    std::int32_t most = 0;  ///< in one record
    Tally tally;
  };

  Name* get(std::uint32_t topic, std::string_view name) {
    std::vector<Name>* const names = topics_.get(topic);
    if (!names) return nullptr;
    const auto there = std::ranges::find(*names, name, &Name::text);
    if (there != names->end()) return &*there;
    if (!room_.beside(names->size())) return nullptr;
    names->emplace_back().text = name;
    return &names->back();
  }
  /// f(topic, Name&)
  template <class F>
  void each(F f) {
    topics_.each([&](std::uint32_t n, std::vector<Name>& names) {
      for (Name& name : names) f(n, name);
    });
  }

 private:
  Room room_;
  BySpot<std::vector<Name>> topics_;
};

}  // namespace kparse::lint
