// SPDX-License-Identifier: MIT
// What an answer needs to know of its request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kparse {

struct RequestFacts {
  std::uint64_t serial = 0;
  bool live = false;
  bool has_wait = false;
  std::int32_t max_wait_ms = 0;
  std::string group;
};

/// Facts of the requests still open on a connection, by serial. A ring: put() grows it while it holds fewer than
/// `max_requests`, then the oldest makes room. Group names longer than `max_group` aren't kept. Reuses its memory.
class RequestMemory {
 public:
  static constexpr std::size_t max_requests = 4096;
  static constexpr std::size_t max_group = 1024;

  /// A place for facts about `serial`, nullptr without memory. Valid until the next put().
  RequestFacts* put(std::uint64_t serial) noexcept;
  /// nullptr: nothing is known.
  [[nodiscard]] RequestFacts* find(std::uint64_t serial) noexcept;
  void forget(std::uint64_t serial) noexcept;
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  bool grow() noexcept;

  std::vector<RequestFacts> ring_;
  std::uint64_t left_out_ = 0;
};

}  // namespace kparse
