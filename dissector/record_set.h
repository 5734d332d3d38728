// SPDX-License-Identifier: GPL-2.0-or-later
// A record set as plain rows, read by the library before Wireshark is told anything. In storage that is kept for the
// next one; a row's views live until the next call.
#pragma once

#include <cstdint>
#include <span>

#include "kparse/records.h"

namespace kparse::dissector {

/// Where a batch, or an outer message, stands in the set.
struct BatchPlace {
  std::uint64_t at;
  std::uint64_t size;
};

struct BatchPlaces {
  std::span<const BatchPlace> batches;
  std::uint64_t partial_at = 0, partial = 0,
                need = 0;  ///< rest that is no whole batch; `need` bytes of a whole one or 0
  bool complete = true;    ///< false: no memory for all
};
/// Opens nothing, checks no CRC.
[[nodiscard]] BatchPlaces find_batches(Bytes set) noexcept;

struct RecordRow {
  Record record;
  std::uint32_t at = 0;  ///< of its first byte in the opened batch
  std::uint32_t size = 0;
};

struct OpenedBatch {
  Batch batch;  ///< `opened`: what records' places count from
  Error error;
  std::span<const RecordRow> records;
  std::uint64_t left_out = 0;  ///< records past the limit, or that there was no memory for
};
/// `entry`: the bytes of one place. `open`: its records, too, at most `max_records` of them (0: all).
[[nodiscard]] OpenedBatch read_batch(Bytes entry, const RecordOptions&, unsigned max_records) noexcept;

}  // namespace kparse::dissector
