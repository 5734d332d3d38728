// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kparse::findings {

inline constexpr std::size_t text_width = 110;

/// `text` (printable) in lines of at most `width` columns where its blanks allow that; every line after `indent` blanks,
/// the first after `first` instead. Ends in a line feed.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::string_view first = {},
                                  std::size_t width = text_width);

}  // namespace kparse::findings
