// SPDX-License-Identifier: MIT
// The request header read by hand: every frame passes here, and bytes that may be anything are tried with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/schema.h"

namespace kparse::frame {

struct RequestHead {
  enum class State : std::uint8_t {
    whole,
    cut,  ///< well-formed as far as it goes
    bad,
  };
  State state = State::bad;
  std::int16_t key = -1, version = -1;
  std::int32_t correlation_id = 0;
  const Api* api = nullptr;  ///< nullptr: key not in the tables
  bool known = false;        ///< the tables have this version
  std::int8_t header_version = 1;
  bool client_id_null = true;
  bool fixed_part = false;  ///< key, version and correlation id were there
  bool client_id_whole = false;
  std::string_view client_id;
  std::size_t length = 0;  ///< of the header, when whole
};

/// `data`: the bytes after the size field, `size` of them in the whole frame, perhaps fewer here.
[[nodiscard]] RequestHead read_request_head(Bytes data, std::uint32_t size) noexcept;

/// Length of a tagged-field section at the front of `b`; 0: not well-formed within `limit` bytes, of which `b` may be
/// the first ones only (then `cut` is set when the section goes on behind them).
[[nodiscard]] std::size_t tagged_length(Bytes b, std::size_t limit, bool& cut) noexcept;

/// No control characters: what client ids look like. Not a check of UTF-8.
[[nodiscard]] bool printable(std::string_view) noexcept;

/// No NUL, and at most every fourth byte a control character: what a client id may be where all else is right.
[[nodiscard]] bool textual(std::string_view) noexcept;

}  // namespace kparse::frame
