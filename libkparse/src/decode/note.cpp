// SPDX-License-Identifier: MIT
#include <array>

#include "kparse/walk.h"

namespace kparse {

std::string_view name_of(Note::Rule r) noexcept {
  static constexpr std::array<std::string_view, 7> names{"surplusBytes", "tagSize",      "tagOrder", "nullNotAllowed",
                                                         "altLayout",    "otherVersion", "badUtf8"};
  static_assert(names.size() == static_cast<std::size_t>(Note::Rule::badUtf8) + 1);
  return names[static_cast<std::size_t>(r)];
}

}  // namespace kparse
