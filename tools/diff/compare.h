// SPDX-License-Identifier: MIT
// What differs between two reports, beyond what chance would make of the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <rapidjson/document.h>

#include "diff/profile.h"

namespace kparse::diff {

enum class Significance : std::uint8_t {
  low,  ///< may come from the work that was done
  medium,
  high,  ///< a client or a broker behaves differently
};
[[nodiscard]] std::string_view name_of(Significance) noexcept;

/// Text, or a number.
struct Value {
  std::vector<std::string> items;
  bool number = false;  ///< items[0] is one
  bool list = false;
  [[nodiscard]] static Value of(double);
  [[nodiscard]] static Value of(std::vector<std::string> items) { return {std::move(items), false, true}; }
  [[nodiscard]] static Value text(std::string t) { return {{std::move(t)}, false, false}; }
  [[nodiscard]] static Value nothing() { return {}; }
};

struct Difference {
  std::string
      what;  ///< "api", "version", "field", "connect", "error", "latency", "size", "header", "codec", "client", "loss"
  std::string path;
  Value before, after;
  Significance significance = Significance::low;
};

/// `report --format json`, and how clients ask, which only captures tell.
struct Side {
  rapidjson::Document report;
  std::optional<Profile> profile;
};

/// Sorted: the most significant first, then as they come in a report.
[[nodiscard]] std::vector<Difference> compare(const Side& before, const Side& after);

}  // namespace kparse::diff
