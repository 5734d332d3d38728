// SPDX-License-Identifier: MIT
// Producers and their transactions: the calls to the coordinator (KIP-98, KIP-890), and what batches themselves say.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kparse/records.h"
#include "kparse/stamp.h"
#include "kparse/topic_ref.h"

namespace kparse {

enum class Via : std::uint8_t;

/// A request. AddPartitionsToTxn from version 4 and WriteTxnMarkers can be about several transactions: one for each.
struct TxnCall {
  enum class Kind : std::uint8_t { init, add_partitions, add_offsets, commit_offsets, end, write_markers };
  Kind kind = Kind::init;
  std::uint64_t serial = 0;
  Stamp first, at;                           ///< the packet that begins the request; the one that made it complete
  std::int16_t version = -1;
  bool whole = true;                          ///< false: the body was not kept or could not be read to its end
  std::string_view transactional_id;          ///< "" none (init: an idempotent producer)
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t timeout_ms = -1;               ///< init
  std::string_view group;                     ///< add_offsets, commit_offsets
  bool committed = false;                     ///< end, write_markers
  bool verify_only = false;                   ///< add_partitions: a broker asks whether it is so
  std::span<const PartitionRef> partitions;   ///< add_partitions, write_markers, commit_offsets
};
[[nodiscard]] std::string_view name_of(TxnCall::Kind) noexcept;

struct PartitionResult {
  TopicRef topic;
  std::int32_t partition = -1;
  std::int16_t error = 0;
};

/// The answer to one TxnCall.
struct TxnAnswer {
  std::int16_t error = 0;                     ///< of the whole; where only partitions have one: the first that isn't 0
  std::int64_t producer_id = -1;              ///< init; end from version 5: for the next transaction
  std::int16_t producer_epoch = -1;
  std::span<const PartitionResult> partitions;
};

/// How a produced batch follows those that were seen of its producer in that partition.
enum class Sequence : std::uint8_t {
  none,        ///< not idempotent
  first,       ///< nothing was seen before
  next,
  repeated,    ///< sent before: a retry
  gap,         ///< something in between was not seen: lost in the capture, or the producer's fault
  new_epoch,   ///< the first of a newer epoch
  old_epoch,   ///< of an epoch that a newer one has fenced
};
[[nodiscard]] std::string_view name_of(Sequence) noexcept;

/// The header of a batch in a records field, in order, after on_records of the field.
struct BatchSeen {
  Via via;
  TopicRef topic;
  std::int32_t partition = -1;
  const Batch& batch;
  std::uint64_t records_before = 0;           ///< in the field
  Sequence sequence = Sequence::none;         ///< via produce
  std::int16_t control_type = -1;             ///< of a control batch: 0 ABORT, 1 COMMIT, ...
};

}  // namespace kparse
