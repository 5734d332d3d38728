// SPDX-License-Identifier: MIT
// Texts of the wire made fit to be shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kparse {

inline constexpr std::size_t uuid_text_size = 22;
/// As Kafka prints it: base64url without padding. `id`: 16 bytes.
void uuid_text(const std::uint8_t* id, char (&out)[uuid_text_size]) noexcept;

/// Valid UTF-8 (as Java has it: no surrogates), and no NUL in it.
[[nodiscard]] bool plain_utf8(std::string_view) noexcept;
/// All of it valid, and none of it a control character (C0, DEL, C1).
[[nodiscard]] bool printable_utf8(std::string_view) noexcept;

/// The most that clean_utf8 writes for so many bytes.
[[nodiscard]] constexpr std::size_t clean_utf8_size(std::size_t bytes) noexcept { return 3 * bytes; }
/// A copy with U+FFFD for what is invalid, in the same places and numbers as Java's decoder, and U+2400 (a picture of
/// NUL) for NUL. Returns its size.
std::size_t clean_utf8(std::string_view, char* out) noexcept;

}  // namespace kparse
