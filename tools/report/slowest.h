// SPDX-License-Identifier: MIT
// The exchanges that took longest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kparse/schema.h"
#include "kparse/stamp.h"
#include "report/names.h"

namespace kparse::report {

struct SlowExchange {
  std::int16_t api_key = -1;
  std::int16_t version = -1;
  const Api* api = nullptr;
  std::int64_t latency_ns = 0;
  std::int64_t first_byte_ns = 0;
  Stamp request, request_last, response, last;   ///< first and last packets of both
  std::uint64_t conversation = 0;
  std::int32_t max_wait_ms = -1;                 ///< how long the broker might wait for data, -1: no such API
  ClientName client;
};

/// Keeps the `limit` slowest: by latency, then by who came first.
class Slowest {
 public:
  static constexpr std::size_t limit = 20;
  /// Cheap question before a SlowExchange is made. Equal latencies may have to be looked at.
  [[nodiscard]] bool may_enter(std::int64_t latency_ns) const noexcept {
    return rows_.size() < limit || latency_ns >= rows_.back().latency_ns;
  }
  void add(SlowExchange);
  void merge(Slowest&& other);
  /// Slowest first.
  [[nodiscard]] const std::vector<SlowExchange>& rows() const noexcept { return rows_; }

 private:
  std::vector<SlowExchange> rows_;
};

}  // namespace kparse::report
