// SPDX-License-Identifier: MIT
#include "kparse/error.h"

#include <array>

namespace kparse {

std::string_view name_of(Code c) noexcept {
  static constexpr std::array<std::string_view, 17> names{
      "none", "truncated", "badLength",    "badCount",     "badVarint", "badValue", "unknownApi", "unknownVersion", "lost",
      "cut",  "surplus",   "corrupt",      "unknownCodec", "unknownMagic", "tooLarge", "tooDense", "noMemory"};
  static_assert(names.size() == static_cast<std::size_t>(Code::noMemory) + 1);
  return names[static_cast<std::size_t>(c)];
}

std::string_view name_of(Limit l) noexcept {
  static constexpr std::array<std::string_view, 9> names{"none",   "frame",  "capture", "tag",  "batch",
                                                         "record", "header", "payload", "block"};
  static_assert(names.size() == static_cast<std::size_t>(Limit::block) + 1);
  return names[static_cast<std::size_t>(l)];
}

}  // namespace kparse
