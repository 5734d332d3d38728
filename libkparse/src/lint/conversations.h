// SPDX-License-Identifier: MIT
// The connections that are open, as rules know them.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "kparse/decode.h"
#include "lint/by_serial.h"
#include "lint/connection.h"
#include "lint/registry.h"

namespace kparse::lint {

/// A connection, and which rules spoke of its requests.
struct Held {
  Conn conn;
  BySerial<std::bitset<max_rules>> said_of;   ///< requests that wait for an answer
  bool syn[2] = {false, false};
  bool started[2] = {false, false};   ///< a direction's first segment was seen
};

class Conversations {
 public:
  Conversations();

  /// Makes it when it is new.
  Held& of(const ConversationInfo&);
  [[nodiscard]] const Held* find(std::uint64_t number) const noexcept;
  void drop(std::uint64_t number);

  void segment(Held&, const SegmentSeen&);
  void request(Held&, const Request&);
  /// The request of an answer, taken out of the waiting ones; false: not known.
  bool take(Held&, std::uint64_t serial, Asked& out);

 private:
  void learn_replica(Conn&, const Request&);

  std::unordered_map<std::uint64_t, std::unique_ptr<Held>> table_;
  Held* newest_ = nullptr;   ///< events come in runs
  std::vector<std::uint32_t> free_slots_;
  std::uint32_t slots_ = 0;
  ProgramSet fetch_replica_;
};

}  // namespace kparse::lint
