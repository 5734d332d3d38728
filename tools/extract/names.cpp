// SPDX-License-Identifier: MIT
#include "extract/names.h"

namespace kparse::cli {

void Pseudonyms::replace(char* text, std::size_t size) {
  if (size == 0) return;
  const auto [entry, fresh] = numbers_.try_emplace(std::string(text, size), 0);
  if (fresh) entry->second = used_[size]++;
  std::uint64_t number = entry->second;
  for (std::size_t i = size; i-- > 0; number /= 26) text[i] = static_cast<char>('a' + number % 26);
}

capture::Endpoint Pseudonyms::address(capture::Endpoint e) {
  const auto number = addresses_.try_emplace(e.ip, static_cast<std::uint32_t>(addresses_.size() + 1)).first->second;
  e.ip = {};
  if (e.v6) {
    e.ip = {0x20, 0x01, 0x0d, 0xb8};
  } else {
    e.ip[0] = 10;
  }
  for (std::size_t i = 0; i < 3; ++i) e.ip[(e.v6 ? 15u : 3u) - i] = static_cast<std::uint8_t>(number >> 8 * i);
  return e;
}

}  // namespace kparse::cli
