// SPDX-License-Identifier: MIT
// Messages of a script to bytes: what it leaves out is filled in by the schema, the rest is the library's encoder.
#pragma once

#include <cstdint>
#include <string>

#include "craft/item.h"
#include "kparse/encode.h"
#include "kparse/schema.h"

namespace kparse::craft {

/// Not thread-safe. Everything throws ScriptError.
class MessageBuilder {
 public:
  /// `now_ms`: the timestamp of records that have none.
  explicit MessageBuilder(std::int64_t now_ms) : now_ms_(now_ms), encoder_(source_) {}
  MessageBuilder(const MessageBuilder&) = delete;

  /// Appends the message. `body` is a map, or null for one that has nothing but defaults. What it says stays as it is,
  /// and what it leaves out gets the schema's default.
  void message(const Message&, int version, const Item& body, Writer& out);

  /// Text as it is; of a map {text|hex|base64, times}, {records}, or {message, version, body}: what it stands for;
  /// other scalars as they were written. Not null.
  [[nodiscard]] std::string bytes(const Item&);
  /// A records field or a record set of its own: a list of batches, {batches, truncate}, or bytes as above.
  [[nodiscard]] std::string records(const Item&);

 private:
  void complete(Item& map, NodeId node, int version, std::string_view of);
  void prepare(Item& value, const Field&, NodeId, int version);
  void element(Item& value, const Field&, NodeId, int version);
  [[nodiscard]] std::string nested(const Item&);
  void batch(const Item&, Writer& out);

  std::int64_t now_ms_;
  ItemSource source_;
  Encoder encoder_;
  int depth_ = 0;
};

}  // namespace kparse::craft
