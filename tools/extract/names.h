// SPDX-License-Identifier: MIT
// Names in the place of names.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "capture/endpoint.h"

namespace kparse::cli {

inline constexpr std::uint8_t filling = 'x';

/// The same name for the same text, of the same length, and nothing else of it: "aaaaaa", "aaaaab" in order of
/// appearance. Short ones run out and come again.
class Pseudonyms {
 public:
  /// Overwrites the text.
  void replace(char* text, std::size_t size);
  /// 10.0.0.1 or 2001:db8::1 and on; the port stays.
  [[nodiscard]] capture::Endpoint address(capture::Endpoint);

 private:
  std::unordered_map<std::string, std::uint64_t> numbers_;
  std::unordered_map<std::size_t, std::uint64_t> used_;  ///< by length
  std::map<std::array<std::uint8_t, 16>, std::uint32_t> addresses_;
};

}  // namespace kparse::cli
