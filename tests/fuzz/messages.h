// SPDX-License-Identifier: MIT
// Which message an input is about.
#pragma once

#include "input.h"
#include "kparse/schema.h"

namespace kparse::fuzz {

struct Chosen {
  const Message* message = nullptr;
  int version = 0;
};
/// By three bytes: API key with the top bit for answers, version counted from the lowest, and, where there is no such
/// API, the lowest byte of FNV-1a of another message's name.
[[nodiscard]] Chosen choose_message(Input&) noexcept;

}  // namespace kparse::fuzz
