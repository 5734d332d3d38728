// SPDX-License-Identifier: MIT
// One message of magic 0 or 1, written.
#pragma once

#include <cstdint>
#include <optional>

#include "kparse/bytes.h"
#include "kparse/writer.h"

namespace kparse {

struct NewMessage {
  std::int64_t offset = 0;
  std::int8_t magic = 0;
  std::int8_t attributes = 0;
  std::int64_t timestamp = -1;
  Bytes key, value;
  std::uint32_t crc_xor = 0;
  std::optional<std::int32_t> length, key_length, value_length;  ///< instead of the right ones
};

/// False: larger than a message can be.
[[nodiscard]] bool write_message(const NewMessage&, Writer& out) noexcept;

}  // namespace kparse
