// SPDX-License-Identifier: MIT
// What is counted by topic and header name.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lint/batch_rule.h"

namespace kparse::lint {

/// Bounded: the first max_names names of a topic. Allocates for a new name only.
class HeaderTallies {
 public:
  static constexpr std::size_t max_names = 64;
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
    if (names->size() >= max_names) return nullptr;
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
  BySpot<std::vector<Name>> topics_;
};

}  // namespace kparse::lint
