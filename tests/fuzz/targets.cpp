// SPDX-License-Identifier: MIT
#include "targets.h"

namespace kparse::fuzz {

std::span<const Target> targets() noexcept {
  static constexpr Target all[] = {{"frames", frames},         {"dialogue", dialogue}, {"lint", lint},         {"messages", messages},
                                   {"payloads", payloads},     {"records", records},   {"codecs", codecs},     {"capture_file", capture_file},
                                   {"packets", packets},       {"segments", segments}, {"encode", encode},     {"craft", craft},
                                   {"settings", settings}};
  return all;
}

const Target* find_target(std::string_view name) noexcept {
  for (const Target& t : targets())
    if (t.name == name) return &t;
  return nullptr;
}

}  // namespace kparse::fuzz
