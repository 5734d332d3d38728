// SPDX-License-Identifier: GPL-2.0-or-later
// What `tshark -T fields -e NAME ...` prints: only the fields named. Wireshark builds a visible tree for it as if all
// of it were shown (and before 4.2 marks no field as wanted), which costs several times what those few fields do. So
// the command line is read; where that can't be done (not Linux), all is built.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kparse::dissector {

struct NamedFields {
  bool known = false;
  bool only = false;  ///< the process is a tshark that prints nothing of a tree but fields named to it
  const std::uint8_t* named = nullptr;  ///< by Wireshark's number: one of its arguments names this field
  std::size_t size = 0;
};
extern NamedFields named_fields;

/// All fields must be registered by then.
void read_named_fields() noexcept;

[[nodiscard]] inline bool prints_named_fields_only() noexcept {
  if (!named_fields.known) read_named_fields();
  return named_fields.only;
}
[[nodiscard]] inline bool is_named(int field) noexcept {
  if (!named_fields.known) read_named_fields();
  return static_cast<std::size_t>(field) < named_fields.size && named_fields.named[field] != 0;
}

}  // namespace kparse::dissector
