// SPDX-License-Identifier: MIT
// Many inputs in one file: each behind its length of two bytes.
#pragma once

#include <functional>
#include <string>

#include "kparse/bytes.h"

namespace kparse::fuzz {

/// How many there are; -1: the file can't be read, or isn't such a file.
[[nodiscard]] long each_input(const std::string& file, const std::function<void(Bytes)>& use);

}  // namespace kparse::fuzz
