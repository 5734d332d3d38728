// SPDX-License-Identifier: MIT
// Record batches and message sets: magic 0, 1 and 2, all codecs, opened in one pass.
// Source: Kafka's DefaultRecordBatch, AbstractLegacyRecordBatch, MemoryRecords; KIP-31, 32, 98, 110, 390, 534.
// read_records itself is in record_walk.h; this header is enough for those who only handle what it gives.
#pragma once

#include <cstdint>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/compress.h"
#include "kparse/error.h"

namespace kparse {

enum class TimestampType : std::uint8_t { NoTimestampType, CreateTime, LogAppendTime };
[[nodiscard]] std::string_view name_of(TimestampType) noexcept;

/// How a KIP-82 draft message writes the integers of its headers.
enum class DraftForm : std::uint8_t { none, int32, messagepack, tfile };
[[nodiscard]] std::string_view name_of(DraftForm) noexcept;

/// One batch (magic 2) or one outer message (magic 0, 1). Raw header values, and what follows from them.
struct Batch {
  std::uint64_t position = 0;     ///< in the record set
  std::int64_t base_offset = 0;   ///< the field as on the wire (of a compressed message: its last offset)
  std::int32_t batch_length = 0;  ///< bytes after this field
  std::int8_t magic = 0;
  /// False: only the four above are set; the rest of the header isn't there, or isn't one of a known format.
  bool readable = false;
  /// Magic 2, but a message of a KIP-82 draft (by its CRC-32); read where RecordOptions::draft says how.
  bool draft = false;
  DraftForm draft_form = DraftForm::none;
  std::int32_t partition_leader_epoch = -1;  ///< magic 2
  std::uint32_t crc = 0;
  bool crc_checked = false;
  bool crc_valid = false;
  std::int16_t attributes = 0;
  Codec codec = Codec::none;
  TimestampType timestamp_type = TimestampType::NoTimestampType;
  bool transactional = false;
  bool control = false;
  bool has_delete_horizon = false;  ///< then base_timestamp is the horizon (ms)
  std::int32_t last_offset_delta = 0;
  std::int64_t base_timestamp = -1;  ///< ms; of a magic 1 message: its timestamp
  std::int64_t max_timestamp = -1;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t base_sequence = -1;
  std::int32_t count = 0;           ///< magic 2: as the header says; else the messages inside, known when open
  Bytes payload;                    ///< as on the wire: compressed records, or the message's value
  Bytes opened;                     ///< after decompression, while its records are told: as long as Record's views
  std::uint64_t uncompressed = 0;   ///< bytes after decompression (payload.size() without a codec), known when open
  bool xerial = false;              ///< snappy in xerial framing
  std::int32_t xerial_version = 0;  ///< see Decompressed
  std::int32_t xerial_compatible = 0;
  bool lz4_wrong_header_checksum = false;  ///< magic 0: as Kafka up to 0.9, and down-conversion since, write it
  /// Magic 0, 1 with a codec: messages inside whose own CRC is wrong, so far. crc_valid is about the outer one.
  std::int32_t inner_crc_bad = 0;
};

struct RecordHeader {
  std::string_view name;  ///< raw bytes, meant as UTF-8
  Bytes value;            ///< data() == nullptr: null
};

/// One record. Views live until the sink's call returns.
struct Record {
  std::int64_t offset = 0;      ///< absolute
  std::int64_t timestamp = -1;  ///< ms, by the batch's timestamp type
  std::int32_t sequence = -1;
  std::int32_t index = 0;  ///< place in the batch
  Bytes key, value;        ///< data() == nullptr: null
  std::int32_t header_count = 0;
  Bytes headers;                   ///< encoded; read with HeaderReader
  std::int16_t control_type = -1;  ///< where Batch::control: 0 ABORT, 1 COMMIT, ...; -2: unreadable key
};

/// "ABORT", "COMMIT", "LeaderChange", "SnapshotHeader", "SnapshotFooter", "KRaftVersion", "KRaftVoters"; for all others
/// "UNKNOWN", as Kafka treats types that it doesn't know.
[[nodiscard]] std::string_view control_type_name(std::int16_t type) noexcept;

/// Walks a record's headers, which read_records has checked already: cannot fail.
class HeaderReader {
 public:
  explicit HeaderReader(const Record& r) noexcept
      : at_(r.headers.data()), end_(r.headers.data() + r.headers.size()), left_(r.header_count) {}
  [[nodiscard]] bool next(RecordHeader& out) noexcept;

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::int32_t left_;
};

/// A message of a KIP-82 draft. Views into it and into the decoder.
struct DraftRecord {
  std::uint8_t attributes = 0;
  std::int64_t timestamp = -1;
  Bytes key, value;
  std::int32_t header_count = 0;
  Bytes headers;  ///< encoded as in shipped records, each name being the digits of its integer key
  DraftForm form = DraftForm::none;
};

/// Reads them. What there is to read, and the one class that does: draft_headers.h.
class DraftDecoder {
 public:
  virtual ~DraftDecoder() = default;
  /// `body` begins with the CRC, which is not looked at; `base` is added to an error's offset. Views in `out` live until
  /// the next call.
  [[nodiscard]] virtual Error read(Bytes body, std::uint64_t base, DraftRecord& out) noexcept = 0;
  [[nodiscard]] virtual std::string_view profile_name() const noexcept = 0;
  /// The registered name of a header's key; "" if it has none, or if headers of this profile have no integer keys.
  [[nodiscard]] virtual std::string_view key_name(std::string_view digits) const noexcept = 0;
  [[nodiscard]] virtual bool int_keys() const noexcept = 0;
};

struct RecordOptions {
  std::uint64_t max_batch = 256u << 20;  ///< largest uncompressed batch
  std::uint32_t max_ratio = 2000;        ///< largest uncompressed / compressed; outputs up to 1 MiB may have any
  bool verify_crc = true;
  bool open = true;  ///< false: batch headers only, nothing is decompressed
  DraftDecoder* draft = nullptr;  ///< not shared between threads
};

/// Base of record sinks: derive and hide (no virtual calls). read_records (record_walk.h) is the loop.
struct RecordSink {
  /// Before a batch's records; the CRC is checked already. Return false to skip the batch's records.
  bool begin_batch(const Batch&) noexcept { return true; }
  void record(const Batch&, const Record&) noexcept {}
  /// After each batch; `error` tells why reading it stopped early. What was given before stays valid.
  /// `error.offset` counts from the start of the record set; for what is wrong inside compressed data (limits record,
  /// header, batch) from the start of the uncompressed records. A wrong CRC alone is no error: see Batch::crc_valid.
  void end_batch(const Batch&, const Error&) noexcept {}
  /// Bytes at the end that are no whole batch: normal in a Fetch response. `need`: of a whole one, 0 if unknown.
  void partial(std::uint64_t /*bytes*/, std::uint64_t /*need*/) noexcept {}
};

}  // namespace kparse
