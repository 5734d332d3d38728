// SPDX-License-Identifier: MIT
// From the batches of a records field to the events about them.
#pragma once

#include <cstdint>

#include "kparse/compress.h"
#include "kparse/events.h"
#include "kparse/record_listener.h"
#include "session/cluster_state.h"

namespace kparse {

/// Told by whoever opens the records for the observer; opens them itself where nobody does.
class BatchPass final : public RecordListener {
 public:
  BatchPass(Observer& observer, Producers& producers, Scratch& scratch) noexcept
      : observer_(observer), producers_(producers), scratch_(scratch) {}

  /// What follows is about this field, which must last until end().
  void begin(const RecordsSeen&) noexcept;
  void end() noexcept;

  void begin_batch(const Batch&) noexcept override { control_type_ = -1; }
  void record(const Batch&, const Record&) noexcept override;
  void end_batch(const Batch&, const Error&) noexcept override;
  void partial(std::uint64_t, std::uint64_t) noexcept override {}
  void end_records() noexcept override { heard_ = true; }

  /// Events that no memory was left for.
  [[nodiscard]] std::uint64_t failed() const noexcept { return failed_; }

 private:
  Observer& observer_;
  Producers& producers_;
  Scratch& scratch_;
  const RecordsSeen* seen_ = nullptr;
  bool heard_ = false;
  std::int16_t control_type_ = -1;  ///< of the first record
  std::uint64_t records_ = 0;       ///< of the batches before
  std::uint64_t failed_ = 0;
};

}  // namespace kparse
