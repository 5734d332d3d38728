// SPDX-License-Identifier: MIT
// Copies of requests whose answer means nothing without them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kparse/bytes.h"
#include "kparse/connection.h"

namespace kparse {

/// What is left of a request until its answer comes.
struct KeptRequest {
  std::uint64_t serial = 0;
  std::int16_t api_key = -1, version = -1;
  bool live = false;
  bool whole = true;        ///< false: the body is not all there
  std::int32_t number = 0;  ///< free for whoever keeps it
  Stamp first, completed;
  std::vector<std::uint8_t> body;
};

/// Of one connection, at most `max_requests`, together at most `max_bytes`; then the oldest make room. Reuses its
/// memory.
class KeptRequests {
 public:
  static constexpr std::size_t max_requests = 512;
  static constexpr std::size_t max_bytes = 4u << 20;
  static constexpr std::size_t max_body = 1u << 20;

  /// nullptr: too large, or without memory. Valid until the next put().
  KeptRequest* put(const Request&) noexcept;
  /// nullptr: it was not kept.
  [[nodiscard]] KeptRequest* find(std::uint64_t serial) noexcept;
  void forget(std::uint64_t serial) noexcept;
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  void release(KeptRequest&) noexcept;

  std::vector<KeptRequest> kept_;  ///< in no order
  std::size_t bytes_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace kparse
