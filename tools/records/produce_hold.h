// SPDX-License-Identifier: MIT
// Produced records wait for the broker's answer, which has their offsets.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <string>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "kparse/events.h"

namespace kparse::cli {

/// A topic that outlives the frame that named it.
struct TopicKey {
  std::string name;                       ///< "" when the wire has only an id
  std::array<std::uint8_t, 16> id{};
  bool has_id = false;

  void assign(const TopicRef&);
  /// What the wire said, not what is known of it by now: a request and its answer use the same form.
  [[nodiscard]] bool operator==(const TopicKey&) const = default;
  [[nodiscard]] auto operator<=>(const TopicKey&) const = default;
};

/// A produce request whose records are not printed yet.
struct HeldProduce {
  const ConversationInfo* conversation = nullptr;
  std::uint64_t serial = 0;
  Stamp first, completed;
  std::string client_id;
  bool client_id_null = true;

  struct Part {
    TopicKey topic;
    std::int32_t partition;
    std::size_t at, size;                 ///< in `bytes`
  };
  std::vector<Part> parts;
  std::vector<std::uint8_t> bytes;
  std::uint64_t weight = 0;               ///< bytes of memory, nearly

  [[nodiscard]] Bytes records(const Part& p) const noexcept { return Bytes(bytes).subspan(p.at, p.size); }
};

/// Held requests in the order in which they came. Their memory is used again.
class ProduceHold {
 public:
  static constexpr std::uint64_t default_limit = 64u << 20;
  using Entries = std::list<HeldProduce>;

  explicit ProduceHold(std::uint64_t limit = default_limit) : limit_(limit) {}

  /// A new entry, the youngest.
  HeldProduce& add(const ConversationInfo&, const Request&);
  /// Copies a records field into the entry that add() gave last.
  void add_part(const TopicRef&, std::int32_t partition, Bytes records);
  /// nullptr when it isn't held. Valid until release().
  [[nodiscard]] HeldProduce* find(const ConversationInfo&, std::uint64_t serial);
  void release(HeldProduce&);
  /// The oldest entry when more is held than the limit allows, else nullptr.
  [[nodiscard]] HeldProduce* surplus();
  /// The oldest one of a conversation, nullptr when none is left.
  [[nodiscard]] HeldProduce* oldest_of(const ConversationInfo&);
  /// That has no entry any more, and gets none.
  void forget(const ConversationInfo& c) { by_conversation_.erase(c.number); }

 private:
  using Waiting = std::deque<Entries::iterator>;  ///< in the order of their serials
  [[nodiscard]] static Waiting::iterator place_of(Waiting&, std::uint64_t serial);

  std::uint64_t limit_;
  std::uint64_t held_ = 0;                ///< bytes, with what goes with them
  Entries entries_;
  Entries spare_;
  absl::node_hash_map<std::uint64_t, Waiting> by_conversation_;
};

}  // namespace kparse::cli
