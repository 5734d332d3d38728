// SPDX-License-Identifier: MIT
// Writes record batches and message sets: magic 0, 1 and 2, all codecs. Right by default; wrong on purpose where asked,
// for those who test readers.
// Source: Kafka's MemoryRecordsBuilder, DefaultRecord, LegacyRecord; KIP-31, 32, 82, 98, 110.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "kparse/compress.h"
#include "kparse/records.h"
#include "kparse/writer.h"

namespace kparse {

/// What to write instead of the right values. Checksums are right for what is written unless crc_xor is set, so that a
/// reader meets just this mistake.
struct WrongBatch {
  std::uint32_t crc_xor = 0;
  std::optional<std::int32_t> length{};  ///< magic 0, 1: of each (outer) message
  std::optional<std::int8_t> magic{};
  std::optional<std::int16_t> attributes{};
  std::optional<std::int32_t> count{};  ///< magic 2
  Bytes surplus{};                      ///< after the last record, before compression
};

/// A batch, or a message set with one outer message per codec use. Defaults are those of a producer without
/// idempotence.
struct NewBatch {
  std::int8_t magic = 2;
  Codec codec = Codec::none;
  CompressOptions compression{};  ///< of magic 0 and 1, lz4_header is set by the magic
  TimestampType timestamp_type = TimestampType::CreateTime;
  std::int64_t log_append_time = -1;  ///< ms; with LogAppendTime
  std::int64_t base_offset = 0;
  // What follows is for magic 2 only.
  std::int32_t partition_leader_epoch = -1;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t base_sequence = -1;
  bool transactional = false;
  bool control = false;
  std::optional<std::int64_t> delete_horizon{};  ///< ms: becomes the base timestamp (KIP-534)
  // As the records have it, unless given: compaction and brokers leave other values.
  std::optional<std::int64_t> base_timestamp{};  ///< else the first record's; timestamp deltas count from it
  std::optional<std::int64_t> max_timestamp{};
  std::optional<std::int32_t> last_offset_delta{};
  WrongBatch wrong{};
};

struct WrongRecord {
  std::uint32_t crc_xor = 0;                      ///< magic 0, 1: of this message
  std::optional<std::int32_t> length{};           ///< of the record
  std::optional<std::int32_t> offset_delta{};     ///< magic 2
  std::optional<std::int64_t> timestamp_delta{};  ///< magic 2
  std::optional<std::int32_t> key_length{}, value_length{};
  std::optional<std::int32_t> header_count{};  ///< magic 2
};

struct NewRecord {
  std::optional<std::int64_t>
      offset{};                 ///< absolute; else the one after the last record's, the first has the base offset
  std::int64_t timestamp = -1;  ///< ms
  Bytes key{}, value{};         ///< data() == nullptr: null
  std::span<const RecordHeader> headers{};  ///< magic 2; in this order, names may come twice
  std::int8_t attributes = 0;               ///< magic 2: unused by Kafka
  WrongRecord wrong{};
};

/// Key of a control record: version 0 and type (0 ABORT, 1 COMMIT, 2 LeaderChange, ...; KIP-98).
[[nodiscard]] std::array<std::uint8_t, 4> control_key(std::int16_t type) noexcept;
/// Value of ABORT and COMMIT.
[[nodiscard]] std::array<std::uint8_t, 6> end_transaction_value(std::int32_t coordinator_epoch) noexcept;

/// begin, add for each record, finish. Keeps its memory from batch to batch. Not thread-safe.
///
/// Magic 0, 1 without a codec: each record is a message of its own; with one, all are in one message, whose offset is
/// the last record's, and (magic 1) their own offsets count from the base offset. Magic 0 has no timestamps.
class RecordWriter {
 public:
  void begin(const NewBatch&) noexcept;
  void add(const NewRecord&) noexcept;
  /// A transaction marker, for a control batch (transactional, control; magic 2).
  void add_end_transaction(bool commit, std::int32_t coordinator_epoch, std::int64_t timestamp) noexcept;
  /// Once for each begin: appends the batch. The first thing that could not be written is the error, and nothing is appended then:
  /// unknownMagic, unknownCodec (zstd needs magic 2), badValue (headers, transactional, control, delete horizon with
  /// magic 0 or 1; an offset further from the base than 2^31), tooLarge, noMemory. A message set of no record is of no
  /// bytes.
  [[nodiscard]] Error finish(Scratch&, Writer& out) noexcept;

  /// Records so far, and their bytes before compression.
  [[nodiscard]] std::int32_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }

 private:
  void fail(Code) noexcept;
  void add_record(const NewRecord&, std::int64_t offset) noexcept;
  void add_message(const NewRecord&, std::int64_t offset) noexcept;
  [[nodiscard]] Error finish_batch(Scratch&, Writer& out) noexcept;
  [[nodiscard]] Error finish_messages(Scratch&, Writer& out) noexcept;

  NewBatch batch_;
  Writer records_;
  Writer compressed_;
  Error error_;
  std::int32_t count_ = 0;
  std::int64_t next_offset_ = 0, last_offset_ = -1;
  std::int64_t base_timestamp_ = -1, max_timestamp_ = -1;
};

}  // namespace kparse
