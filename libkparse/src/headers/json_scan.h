// SPDX-License-Identifier: MIT
// Steps over JSON text (RFC 8259) without building anything. Text isn't checked for UTF-8.
#pragma once

#include <cstdint>
#include <string_view>

#include "kparse/bytes.h"

namespace kparse {

inline constexpr int max_json_depth = 32;

/// The byte after the value that begins at `at` (blanks before it are skipped), or nullptr: none, or too deep.
[[nodiscard]] const std::uint8_t* skip_json(const std::uint8_t* at, const std::uint8_t* end, int depth = 0) noexcept;
[[nodiscard]] const std::uint8_t* skip_json_blanks(const std::uint8_t* at, const std::uint8_t* end) noexcept;
/// One value and blanks, nothing else.
[[nodiscard]] bool is_json(Bytes) noexcept;

struct JsonMember {
  std::string_view name;   ///< between the quotes, escapes and all
  std::string_view value;  ///< its text
};

/// The members of an object, in order. Each is checked as it comes: ok() tells at the end whether all was JSON.
class JsonMembers {
 public:
  explicit JsonMembers(Bytes text) noexcept;
  [[nodiscard]] bool next(JsonMember& out) noexcept;
  /// What is left after a member; a scanner that goes on there.
  [[nodiscard]] Bytes rest() const noexcept { return {at_, static_cast<std::size_t>(at_ ? end_ - at_ : 0)}; }
  [[nodiscard]] static JsonMembers resumed(Bytes rest) noexcept;
  /// After next() gave false: it was one object and nothing else.
  [[nodiscard]] bool ok() const noexcept { return ok_; }

 private:
  JsonMembers() noexcept = default;

  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  bool first_ = true;
  bool ok_ = false;
};

}  // namespace kparse
