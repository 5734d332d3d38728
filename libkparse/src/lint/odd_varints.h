// SPDX-License-Identifier: MIT
// Variable-length numbers that aren't written as every known writer does, in the first records of a batch: who writes
// them so does it always.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kparse/records.h"

namespace kparse::lint {

struct OddVarints {
  static constexpr std::int32_t records = 2;   ///< so many are looked at
  struct Found {
    Bytes encoding{};                          ///< empty: there is none
    const char* where = "";                    ///< "a record's offset delta"
    std::int32_t record = 0;                   ///< so many are before it
  };
  Found overlong;                              ///< its last byte is 0, and isn't its only one
  Found too_big;                               ///< it says bits that its type doesn't have; readers drop them
};

/// `opened`: the records of a batch of magic 2.
[[nodiscard]] OddVarints odd_varints(Bytes opened, std::int32_t count) noexcept;

}  // namespace kparse::lint
