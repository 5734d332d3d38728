// SPDX-License-Identifier: MIT
// A sink that keeps everything, and what the tests of record sets share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kparse/record_walk.h"

namespace kparse::test {

using Blob = std::vector<std::uint8_t>;

struct KeptRecord {
  Record record;  ///< its views are dead: use the copies
  std::optional<Blob> key, value;
  std::vector<std::pair<std::string, std::optional<Blob>>> headers;
};

struct KeptBatch {
  Batch batch;
  Error error;
  std::vector<KeptRecord> records;
};

struct Keeper : RecordSink {
  std::vector<KeptBatch> batches;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> left;

  bool begin_batch(const Batch& b) noexcept;
  void record(const Batch& b, const Record& r) noexcept;
  void end_batch(const Batch& b, const Error& e) noexcept;
  void partial(std::uint64_t bytes, std::uint64_t need) noexcept;

  [[nodiscard]] bool complaint() const noexcept;
  [[nodiscard]] bool crc_bad() const noexcept;
};

[[nodiscard]] Keeper read_all(Bytes set, const RecordOptions& = {});
[[nodiscard]] Blob from_hex(std::string_view hex);  ///< blanks are skipped
[[nodiscard]] std::string base64(Bytes);

/// Lines of a file beside the tests, or (gzip) in the folder of facts; empty when it isn't there.
[[nodiscard]] std::vector<std::string> lines_of(const std::filesystem::path&);
[[nodiscard]] std::filesystem::path data_file(std::string_view name);    ///< tests/records/data/NAME
[[nodiscard]] std::filesystem::path shared_file(std::string_view name);  ///< KPARSE_SHARED/NAME

/// A batch of magic 2 with lengths and CRC made right.
struct BatchMaker {
  std::int64_t base_offset = 0;
  std::int32_t leader_epoch = 0;
  std::int16_t attributes = 0;
  std::int32_t last_offset_delta = 0;
  std::int64_t base_timestamp = 0, max_timestamp = 0, producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t base_sequence = -1;
  std::int32_t count = 1;
  [[nodiscard]] Blob make(Bytes payload) const;
};
/// A message of magic 0 or 1 with size and CRC made right. Null where the pointer of a view is null.
[[nodiscard]] Blob make_message(int magic, std::int64_t offset, int attributes, std::int64_t timestamp, Bytes key,
                                Bytes value);

void put(Blob& to, std::uint64_t value, int bytes);  ///< big-endian
void put_varint(Blob& to, std::int64_t value);       ///< zigzag

/// One record: no key, the value's bytes, no headers.
[[nodiscard]] Blob make_record(std::int64_t timestamp_delta, std::int32_t offset_delta, std::string_view value);
[[nodiscard]] inline Bytes view(std::string_view s) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}
inline void append(Blob& to, Bytes what) { to.insert(to.end(), what.begin(), what.end()); }

}  // namespace kparse::test
