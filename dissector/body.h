// SPDX-License-Identifier: GPL-2.0-or-later
// A message body: decoded by the library in one go, and what it holds as a tree of items.
#pragma once

#include <cstdint>
#include <string_view>

#include "compat.h"
#include "kparse/bytes.h"
#include "kparse/json.h"
#include "kparse/tree.h"
#include "pdu.h"

namespace kparse::dissector {

/// What a body means to those who don't want all of it: the Info column, the statistics.
struct BodySummary {
  const char* topic = nullptr;  ///< the first one (packet scope); nullptr: none. An id that nothing names: the id
  std::int32_t partition = -1;  ///< the first one of that topic
  std::uint32_t topics = 0;     ///< entries that name a topic
  std::uint32_t partitions = 0;
  std::int64_t records = -1;  ///< by batch headers; -1: the message has no records field
  const char* group = nullptr;
  std::int16_t error = 0;  ///< the first one that isn't 0
  std::uint32_t errors = 0;
};

/// A decoded body: valid until the next decode_body() with the same `depth`. Nothing in it needs a destructor to run.
struct Body {
  const Message* message = nullptr;
  int version = -1;
  Bytes bytes;
  const Tree* tree = nullptr;
  Error error;  ///< where reading stopped
  const Pdu* pdu = nullptr;
  int depth = 0;
  BodyContext context{};
};

/// Messages inside messages (Envelope, group protocols) are depth 1, 2, ...
inline constexpr int max_depth = 4;

/// Calls nothing of Wireshark's.
[[nodiscard]] Body decode_body(const Message&, int version, Bytes, const Pdu&, int depth) noexcept;

[[nodiscard]] BodySummary summarise(const Body&, packet_info*);

/// Calls `f(with, code, node)` for each error code field that isn't 0, `g(with, topic)` for each topic (packet scope).
using ErrorVisitor = void (*)(void* with, std::int16_t code);
using TopicVisitor = void (*)(void* with, const char* topic);
void visit(const Body&, packet_info*, void* with, ErrorVisitor, TopicVisitor);

/// `tvb` holds the body from `at` on. Adds expert items for what is wrong.
void add_body(const Body&, tvbuff_t*, int at, packet_info*, proto_tree*, proto_item* top);

/// A body is wanted: a tree is being built that shows it or that a filter looks into, or somebody wants expert items
/// (then without a tree, too).
[[nodiscard]] bool wants_body(proto_tree*) noexcept;
/// This message's body is.
[[nodiscard]] bool wants_body(proto_tree*, const Message&) noexcept;

}  // namespace kparse::dissector
