// SPDX-License-Identifier: MIT
#pragma once

#include "kparse/draft_headers.h"

namespace kparse {

/// A draft message from its CRC on: at least the CRC, magic, attributes and timestamp must be there. `out.offset` is
/// left alone; offsets of errors count from the CRC.
[[nodiscard]] Error read_draft_body(Bytes body, DraftProfile, DraftMessage& out) noexcept;

/// An integer in one of the three forms; nullptr when none stands there.
[[nodiscard]] inline const std::uint8_t* read_draft_int(DraftForm form, const std::uint8_t* at, const std::uint8_t* end,
                                                        std::int32_t& out) noexcept {
  if (form == DraftForm::messagepack) return read_messagepack_int(at, end, out);
  if (form == DraftForm::tfile) return read_tfile_int(at, end, out);
  if (end - at < 4) return nullptr;
  out = load_be<std::int32_t>(at);
  return at + 4;
}

/// Bytes of the shortest way to write it.
[[nodiscard]] inline int shortest(DraftForm form, std::int32_t v) noexcept {
  if (form == DraftForm::int32) return 4;
  if (v >= -32 && v < 128) return 1;
  if (form == DraftForm::messagepack) return v >= -0x80 && v < 0x100 ? 2 : v >= -0x8000 && v < 0x10000 ? 3 : 5;
  const std::int32_t top = v < 0 ? ~v : v;
  return top < 20 << 8 ? 2 : top < 16 << 16 ? 3 : top < 8 << 24 ? 4 : 5;
}

inline void write_draft_int(DraftForm form, std::int32_t v, Writer& out) noexcept {
  if (form == DraftForm::messagepack) return write_messagepack_int(v, out);
  if (form == DraftForm::tfile) return write_tfile_int(v, out);
  out.be(v);
}

}  // namespace kparse
