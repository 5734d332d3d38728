// SPDX-License-Identifier: MIT
// Traffic of each topic.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kparse/compress.h"
#include "report/bounded_table.h"
#include "report/carrier_tally.h"
#include "report/headers.h"
#include "report/histogram.h"
#include "report/names.h"

namespace kparse::report {

/// Partition numbers. Those past `limit` are counted as one.
class PartitionSet {
 public:
  static constexpr std::int32_t limit = 1 << 15;
  void add(std::int32_t partition);
  void merge(const PartitionSet&);
  [[nodiscard]] std::uint64_t count() const noexcept;

 private:
  std::vector<std::uint64_t> bits_;
  bool beyond_ = false;
};

/// One way of a topic: into the broker, or out of it.
struct TopicFlow {
  std::uint64_t records = 0;             ///< without control records
  std::uint64_t control_records = 0;
  std::uint64_t batches = 0;
  std::uint64_t bytes = 0;               ///< of batches, as on the wire
  ClientSet clients;
  void merge(const TopicFlow&);
};

struct TopicRow {
  TopicKey topic;
  std::uint64_t mentions = 0;
  TopicFlow produced, fetched;
  std::array<std::uint64_t, 6> codecs{}; ///< batches by Codec; the last: codecs that Kafka doesn't define
  Histogram record_bytes;                ///< keys, values and headers, uncompressed
  Histogram records_per_batch;
  PartitionSet partitions;
  std::uint64_t null_keys = 0, null_values = 0, with_headers = 0;  ///< records
  std::int64_t first_timestamp = 0, last_timestamp = -1;           ///< ms, of records; none if last < first
  CarrierTally carriers;
  HeaderPlaces places;                   ///< what the headers of the record before were called

  [[nodiscard]] std::uint64_t weight() const noexcept { return mentions; }
  [[nodiscard]] std::uint64_t records() const noexcept { return produced.records + fetched.records; }
  void merge(TopicRow&&);
};

using TopicTable = BoundedTable<TopicRow>;

/// A row by its name, with all ids that this name had.
struct NamedTopic {
  TopicLabel label;
  std::vector<std::string> ids;          ///< as Kafka prints them; more than one: it was made again
  TopicRow row;
};
/// Rows by name and by id put together. By name, those without a name last.
[[nodiscard]] std::vector<NamedTopic> named_topics(const TopicTable&, const Cluster&);

}  // namespace kparse::report
