// SPDX-License-Identifier: MIT
// Worked bytes of every format (data/vectors.json), and a record to put headers into.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kparse/records.h"
#include "kparse/writer.h"

namespace kparse::test {

using Blob = std::vector<std::uint8_t>;

[[nodiscard]] Blob from_hex(std::string_view hex);  ///< blanks are skipped
[[nodiscard]] std::string to_hex(Bytes);
/// By its name in data/vectors.json. Fails the test if there is none.
[[nodiscard]] Blob vector(std::string_view name);
/// Names of vectors that a test asked for, and all there are.
[[nodiscard]] std::vector<std::string> vector_names();

[[nodiscard]] inline Bytes view(std::string_view s) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}
[[nodiscard]] inline std::string string(Bytes b) { return {b.begin(), b.end()}; }
[[nodiscard]] inline std::string hex(const Writer& w) { return to_hex(w.view()); }

/// A record with these headers. The bytes belong to it.
struct MadeRecord {
  using Header = std::pair<std::string, std::optional<std::string>>;

  std::string value;
  Writer encoded;
  Record record;
  explicit MadeRecord(const std::vector<Header>& headers, std::string value_bytes = "", std::int64_t timestamp = -1);
};

}  // namespace kparse::test
