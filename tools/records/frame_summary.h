// SPDX-License-Identifier: MIT
// What a frame is about, in a few words: its topics, how many records, which errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kparse/events.h"
#include "kparse/records.h"

namespace kparse::cli {

/// Collects between begin_* and end_* of one frame. Reused: allocates nothing after warm-up.
class FrameSummary {
 public:
  static constexpr std::size_t max_topics = 10;

  void clear() noexcept;
  void partition(const PartitionSeen&);
  void error(const ErrorSeen&);
  void acks(std::int16_t a) noexcept { acks_ = a; }
  /// Counts what the batches' headers say; only old compressed message sets, whose headers don't, are opened.
  void records(Bytes, Scratch&);

  /// Names, or ids (as Kafka prints them) where no name is known; the first `max_topics`.
  [[nodiscard]] std::size_t topic_count() const noexcept { return topic_count_; }
  [[nodiscard]] const std::string& topic(std::size_t i) const noexcept { return topics_[i]; }
  [[nodiscard]] bool more_topics() const noexcept { return more_topics_; }
  [[nodiscard]] std::uint64_t partitions() const noexcept { return partitions_; }
  [[nodiscard]] std::uint64_t records() const noexcept { return records_; }
  /// Each code once, in the order in which they came.
  [[nodiscard]] const std::vector<std::int16_t>& errors() const noexcept { return errors_; }
  [[nodiscard]] std::optional<std::int16_t> acks() const noexcept { return acks_; }

 private:
  std::vector<std::string> topics_;
  std::string name_;
  std::size_t topic_count_ = 0;
  bool more_topics_ = false;
  std::uint64_t partitions_ = 0;
  std::uint64_t records_ = 0;
  std::vector<std::int16_t> errors_;
  std::optional<std::int16_t> acks_;
};

}  // namespace kparse::cli
