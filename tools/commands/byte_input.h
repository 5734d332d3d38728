// SPDX-License-Identifier: MIT
// What decode and encode read: a file or standard input ("-"), whole or line by line.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kparse::cli {

struct CloseFile {
  void operator()(std::FILE* f) const noexcept {
    if (f != stdin) std::fclose(f);
  }
};
using InputFile = std::unique_ptr<std::FILE, CloseFile>;

/// nullptr: errno tells why not.
[[nodiscard]] InputFile open_input(const std::string& path);
/// False: errno tells why not.
[[nodiscard]] bool read_all(std::FILE*, std::vector<std::uint8_t>& to);

/// Bytes of hex digits, blanks between them ignored; nothing if it is something else.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view);

}  // namespace kparse::cli
