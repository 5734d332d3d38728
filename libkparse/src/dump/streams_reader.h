// SPDX-License-Identifier: MIT
// What Streams' two payloads have in common.
#pragma once

#include "dump/plain_reader.h"

namespace kparse {

inline constexpr std::int32_t streams_newest = 11;
inline constexpr std::int32_t streams_named_topologies = 10;  ///< from this version on tasks name their topology

/// A topology's name, as UTF-8 (in subscriptions) or as UTF-16, big-endian (in assignments).
struct StreamsText {
  Bytes bytes;
  bool wide = false;
  bool null = true;
};
[[nodiscard]] inline StreamsText text_units(std::string_view v) noexcept {
  return {.bytes = {reinterpret_cast<const std::uint8_t*>(v.data()), v.size()}, .null = !v.data()};
}

struct StreamsTask {
  std::int32_t subtopology = 0;
  std::int32_t partition = 0;
  StreamsText topology;
};

void write_task(JsonWriter&, const StreamsTask&) noexcept;

[[nodiscard]] inline PayloadResult unknown_streams_version(std::int32_t version) noexcept {
  return {
      .error = {.code = Code::unknownVersion, .limit = Limit::payload, .have = static_cast<std::uint32_t>(version)}};
}

}  // namespace kparse
