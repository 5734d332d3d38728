// SPDX-License-Identifier: MIT
#include "records/frame_summary.h"

#include <algorithm>
#include <limits>

#include "kparse/json.h"
#include "kparse/record_walk.h"

namespace kparse::cli {
namespace {

struct Count : RecordSink {
  std::uint64_t records = 0;

  bool begin_batch(const Batch& b) noexcept {
    if (b.magic != 2) return true;
    // A header that lies: a record takes 7 bytes at least where nothing is compressed, and nothing tells otherwise.
    const std::uint64_t most = b.codec == Codec::none ? b.payload.size() / 7 : std::numeric_limits<std::int32_t>::max();
    if (b.readable && !b.control && b.count > 0) records += std::min(static_cast<std::uint64_t>(b.count), most);
    return false;
  }
  void record(const Batch&, const Record&) noexcept { ++records; }
};

}  // namespace

void FrameSummary::clear() noexcept {
  topic_count_ = 0;
  more_topics_ = false;
  partitions_ = 0;
  records_ = 0;
  errors_.clear();
  acks_.reset();
}

void FrameSummary::partition(const PartitionSeen& p) {
  if (p.partition >= 0) ++partitions_;
  if (more_topics_) return;
  if (!p.topic.name.empty() || !p.topic.id) {
    name_ = p.topic.name;
  } else {
    JsonWriter w;
    w.uuid(p.topic.id);
    name_ = w.view().substr(1, w.size() - 2);
  }
  // The partitions of a topic come one after the other.
  for (std::size_t i = topic_count_; i-- > 0;)
    if (topics_[i] == name_) return;
  if (topic_count_ == max_topics) {
    more_topics_ = true;
    return;
  }
  if (topics_.size() == topic_count_) topics_.emplace_back();
  topics_[topic_count_++] = name_;
}

void FrameSummary::error(const ErrorSeen& e) {
  if (std::find(errors_.begin(), errors_.end(), e.code) == errors_.end() && errors_.size() < 64)
    errors_.push_back(e.code);
}

void FrameSummary::records(Bytes set, Scratch& scratch) {
  Count count;
  read_records(set, {.verify_crc = false}, scratch, count);
  records_ += count.records;
}

}  // namespace kparse::cli
