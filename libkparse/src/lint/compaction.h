// SPDX-License-Identifier: MIT
// Which topics are compacted: as the user says, and as CreateTopics and DescribeConfigs tell.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "kparse/decode.h"
#include "kparse/events.h"
#include "lint/room.h"

namespace kparse::lint {

class Compaction {
 public:
  explicit Compaction(Desk&);
  void add(std::string_view topic) {
    if (!has(topic) && room_.beside(topics_.size())) topics_.emplace(topic);
  }
  void request(const Request&);
  void response(const Response&);
  [[nodiscard]] bool has(std::string_view topic) const { return topics_.contains(std::string(topic)); }

 private:
  std::unordered_set<std::string> topics_;
  Room room_;
  ProgramSet created_, described_;
};

}  // namespace kparse::lint
