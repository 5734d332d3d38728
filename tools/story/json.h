// SPDX-License-Identifier: MIT
// JSON members that several commands write.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kparse/json.h"
#include "kparse/schema.h"
#include "kparse/stamp.h"
#include "story/topic_index.h"

namespace kparse::story {

inline void text(JsonWriter& json, std::string_view name, std::string_view value) {
  json.key(name);
  json.string(value);
}
/// null for "".
inline void text_or_null(JsonWriter& json, std::string_view name, std::string_view value) {
  json.key(name);
  value.empty() ? json.null() : static_cast<void>(json.string(value));
}
inline void number(JsonWriter& json, std::string_view name, std::int64_t value) {
  json.key(name);
  json.integer(value);
}
/// null for negative ones.
inline void number_or_null(JsonWriter& json, std::string_view name, std::int64_t value) {
  json.key(name);
  value < 0 ? json.null() : json.integer(value);
}
/// Milliseconds; null when negative.
inline void milliseconds(JsonWriter& json, std::string_view name, std::int64_t ns) {
  json.key(name);
  ns < 0 ? json.null() : json.float64(static_cast<double>(ns) / 1e6);
}
/// Name of an error code, null for 0.
void error(JsonWriter& json, std::string_view name, std::int16_t code);
[[nodiscard]] std::string error_text(std::int16_t code);

/// "time", "capture", "packet".
void place(JsonWriter& json, const Stamp& first, const Stamp& at, const std::vector<std::string>& captures);
/// One member: the time.
void time(JsonWriter& json, std::string_view name, std::int64_t time_ns);
/// "topic" (null unknown), "topicId" (null none).
void topic(JsonWriter& json, const TopicLabel&);
/// [{"topic","topicId","partitions":[...]}] of sorted keys.
void partitions(JsonWriter& json, std::string_view name, std::vector<PartitionKey>, const TopicIndex&);
/// For text: "orders 0-3, 7 · payments 1".
[[nodiscard]] std::string partitions_text(std::vector<PartitionKey>, const TopicIndex&, std::size_t most = 8);

/// A table that was full.
struct Limit {
  std::string table;
  std::uint64_t limit = 0, left_out = 0;
};
void limits(JsonWriter& json, const std::vector<Limit>&);

}  // namespace kparse::story
