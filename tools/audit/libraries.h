// SPDX-License-Identifier: MIT
// Client libraries, and from which release on brokers of Kafka 4 serve them.
#pragma once

#include <string>
#include <string_view>

namespace kparse::audit {

struct Library {
  std::string_view name;
  std::string_view minimum;   ///< "": no release of it will do
  std::string_view more;      ///< what else it takes, "" nothing
  std::string_view source;
};

struct Known {
  const Library* library = nullptr;   ///< nullptr: not in the table
  std::string version;                ///< "" not told
  bool guessed = false;               ///< from the client id
};

/// By what a client says of itself (KIP-511), else by a client id that is a library's default.
[[nodiscard]] Known library_of(std::string_view software, std::string_view software_version, std::string_view client_id);

/// What to do with a client that is refused. "" where its library isn't known.
[[nodiscard]] std::string fix_for(const Known&);

/// Negative, 0, positive: "1.9.0" is before "1.10.1".
[[nodiscard]] int compare_versions(std::string_view a, std::string_view b) noexcept;

}  // namespace kparse::audit
