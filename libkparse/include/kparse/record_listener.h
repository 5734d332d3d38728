// SPDX-License-Identifier: MIT
// A second reader of records that somebody else opens: decompression and the walk happen once.
#pragma once

#include <cstdint>

#include "kparse/records.h"

namespace kparse {

/// The events of a RecordSink, as virtual calls: a pass over records that is made anyway hands them on. Views live until
/// the call returns.
class RecordListener {
 public:
  virtual ~RecordListener() = default;
  virtual void begin_batch(const Batch&) noexcept = 0;
  virtual void record(const Batch&, const Record&) noexcept = 0;
  virtual void end_batch(const Batch&, const Error&) noexcept = 0;
  virtual void partial(std::uint64_t bytes, std::uint64_t need) noexcept = 0;
  /// After the last batch of a records field, also where there was none.
  virtual void end_records() noexcept = 0;
};

}  // namespace kparse
