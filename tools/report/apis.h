// SPDX-License-Identifier: MIT
// Calls, versions, errors and latency of each API.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "kparse/schema.h"
#include "report/histogram.h"

namespace kparse::report {

struct ApiRow {
  std::int16_t key = -1;
  const Api* api = nullptr;              ///< nullptr: not in the tables
  std::uint64_t requests = 0, responses = 0, no_answer_due = 0;
  std::uint64_t failed = 0;              ///< responses with at least one error code
  std::uint64_t request_bytes = 0, response_bytes = 0;  ///< with their size fields
  absl::flat_hash_map<std::int16_t, std::uint64_t> versions, errors;
  Histogram latency;                     ///< ns, of all answers
  Histogram own_latency;                 ///< ns, without the answers that came empty after waiting for data
  Histogram first_byte;                  ///< ns, likewise
  std::uint64_t long_polls = 0;          ///< answers that came empty after waiting

  void merge(ApiRow&& other);
  [[nodiscard]] std::uint64_t unanswered() const noexcept {
    return requests > responses + no_answer_due ? requests - responses - no_answer_due : 0;
  }
};

/// At most one row for each of the 65,536 keys there can be.
class Apis {
 public:
  ApiRow& row(std::int16_t key, const Api*);
  void merge(Apis&& other);
  /// By key.
  [[nodiscard]] std::vector<const ApiRow*> sorted() const;

 private:
  std::array<ApiRow*, 128> known_{};     ///< short cut
  absl::flat_hash_map<std::int16_t, std::unique_ptr<ApiRow>> rows_;
};

}  // namespace kparse::report
