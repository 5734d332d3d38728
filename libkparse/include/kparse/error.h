// SPDX-License-Identifier: MIT
// What went wrong, where, and which length set the limit. The library is noexcept and never prints: it returns these.
#pragma once

#include <cstdint>
#include <string_view>

namespace kparse {

using NodeId = std::uint16_t;            ///< A row of the schema tables (schema.h); names a field of a message.
inline constexpr NodeId no_node = 0xffff;

enum class Code : std::uint8_t {
  none,
  truncated,         ///< needs `need` bytes, `have` are there
  badLength,         ///< a negative or absurd length (`need`: its value) where none is allowed
  badCount,          ///< an array or tag count that the bytes left (`have`) can't hold
  badVarint,         ///< longer than Kafka allows
  badValue,          ///< a value that the protocol doesn't define and that ends decoding
  unknownApi,        ///< API key (`have`) newer than the tables
  unknownVersion,    ///< API version (`have`) newer than the tables
  lost,              ///< the capture lacks bytes of this frame
  cut,               ///< the capture's snapshot length, or its end, cut this frame
  surplus,           ///< bytes left (`have`) after the last field
  corrupt,           ///< a checksum, or a codec's own format, is wrong
  unknownCodec,      ///< compression codec (`have`) that Kafka doesn't define
  unknownMagic,      ///< record format (`have`) that Kafka doesn't define
  tooLarge,          ///< past the caller's limit for uncompressed data (`need`: limit)
  tooDense,          ///< past the caller's limit for the compression ratio (`need`: limit)
  noMemory,
};

/// Kafka-like camelCase name, as printed in JSON.
[[nodiscard]] std::string_view name_of(Code) noexcept;

/// Which length an error ran into.
enum class Limit : std::uint8_t { none, frame, capture, tag, batch, record, header, payload, block };
[[nodiscard]] std::string_view name_of(Limit) noexcept;

/// Trivially copyable. `offset` counts from the start of what was given to decode (a message body, a record set, a file).
struct Error {
  Code code = Code::none;
  Limit limit = Limit::none;
  NodeId node = no_node;  ///< the field that could not be read
  std::uint64_t offset = 0;
  std::uint64_t need = 0;
  std::uint64_t have = 0;

  explicit operator bool() const noexcept { return code != Code::none; }
};

}  // namespace kparse
