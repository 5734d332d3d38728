// SPDX-License-Identifier: MIT
// Printing records: one class for each format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "kparse/events.h"
#include "kparse/records.h"

namespace kparse::cli {

/// Where a records field stands.
struct RecordsPlace {
  const ConversationInfo& conversation;
  Stamp first, completed;                ///< of the frame
  std::string_view client_id;
  bool client_id_null;
  Via via;
  std::string_view topic;                ///< "" when only the id is known
  const std::uint8_t* topic_id;          ///< nullptr: none on the wire
  std::int32_t partition;
};

class RecordOut {
 public:
  virtual ~RecordOut() = default;
  virtual void begin_field(const RecordsPlace&) = 0;
  virtual void begin_batch(const Batch&) = 0;
  /// `offset`: nothing where it isn't known.
  virtual void record(const Batch&, const Record&, std::optional<std::int64_t> offset) = 0;
};

}  // namespace kparse::cli
