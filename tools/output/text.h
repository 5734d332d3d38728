// SPDX-License-Identifier: MIT
// Text for terminals: colour, width, and nothing from a capture that a terminal would obey.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "output/when.h"

namespace kparse::cli {

/// `text` with control characters (C0, DEL, C1), text direction overrides and invalid UTF-8 shown as \xNN or \u{N},
/// backslashes kept. Every name, key or value from a capture goes through this before it is printed as text.
[[nodiscard]] std::string printable(std::string_view text);
void append_printable(std::string& to, std::string_view text);

/// Terminal columns that printable text takes (colour sequences take none).
[[nodiscard]] std::size_t width_of(std::string_view text) noexcept;

enum class Style : std::uint8_t { plain, bold, dim, red, green, yellow, blue, cyan };

/// Colours text if colours are wanted.
class Painter {
 public:
  /// automatic: when `terminal`, NO_COLOR is unset or empty, and TERM isn't "dumb".
  Painter(When color, bool terminal);
  [[nodiscard]] bool on() const noexcept { return on_; }
  /// `text` as it is, or between the sequences for `style`.
  [[nodiscard]] std::string operator()(Style style, std::string_view text) const;

 private:
  bool on_;
};

}  // namespace kparse::cli
