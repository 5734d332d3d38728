// SPDX-License-Identifier: MIT
// Which topics are compacted: as the user says, and as CreateTopics and DescribeConfigs tell.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "kparse/decode.h"
#include "kparse/events.h"

namespace kparse::lint {

class Compaction {
 public:
  static constexpr std::size_t max_topics = 10'000;

  Compaction();
  void add(std::string_view topic) {
    if (topics_.size() < max_topics) topics_.emplace(topic);
  }
  void request(const Request&);
  void response(const Response&);
  [[nodiscard]] bool has(std::string_view topic) const { return topics_.contains(std::string(topic)); }

 private:
  std::unordered_set<std::string> topics_;
  ProgramSet created_, described_;
};

}  // namespace kparse::lint
