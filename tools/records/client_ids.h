// SPDX-License-Identifier: MIT
// Which client id sent a request: an answer doesn't say it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kparse::cli {

/// Of one conversation. Remembers where the client id changed, not each request: nearly all connections have one id.
/// At most `max_changes` are kept; for answers to requests older than these the oldest id known is given.
class ClientIds {
 public:
  static constexpr std::size_t max_changes = 1024;

  void request(std::uint64_t serial, std::string_view client_id, bool null);
  struct Found {
    std::string_view client_id;
    bool null = true;
  };
  /// Valid until the next request().
  [[nodiscard]] Found of(std::uint64_t serial) const;

 private:
  struct Change {
    std::uint64_t from;
    bool null;
    std::string client_id;
  };
  std::vector<Change> changes_;
};

}  // namespace kparse::cli
