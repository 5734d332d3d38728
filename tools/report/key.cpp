// SPDX-License-Identifier: MIT
#include "report/key.h"

namespace kparse::report {

std::string uuid_text(std::string_view id) {
  static constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : id) {
    bits = bits << 8 | static_cast<std::uint8_t>(c);
    for (have += 8; have >= 6; have -= 6) out.push_back(alphabet[bits >> (have - 6) & 63]);
  }
  if (have > 0) out.push_back(alphabet[bits << (6 - have) & 63]);
  return out;
}

}  // namespace kparse::report
