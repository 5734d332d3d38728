// SPDX-License-Identifier: MIT
#include "report/topics.h"

#include <algorithm>
#include <bit>
#include <map>

namespace kparse::report {

void PartitionSet::add(std::int32_t partition) {
  if (partition < 0) return;
  if (partition >= limit) {
    beyond_ = true;
    return;
  }
  const std::size_t word = static_cast<std::size_t>(partition) / 64;
  if (word >= bits_.size()) bits_.resize(word + 1);
  bits_[word] |= std::uint64_t{1} << (partition % 64);
}

void PartitionSet::merge(const PartitionSet& other) {
  if (bits_.size() < other.bits_.size()) bits_.resize(other.bits_.size());
  for (std::size_t i = 0; i < other.bits_.size(); ++i) bits_[i] |= other.bits_[i];
  beyond_ = beyond_ || other.beyond_;
}

std::uint64_t PartitionSet::count() const noexcept {
  std::uint64_t n = beyond_ ? 1 : 0;
  for (const std::uint64_t word : bits_) n += static_cast<std::uint64_t>(std::popcount(word));
  return n;
}

void TopicFlow::merge(const TopicFlow& o) {
  records += o.records;
  control_records += o.control_records;
  batches += o.batches;
  bytes += o.bytes;
  clients.merge(o.clients);
}

void TopicRow::merge(TopicRow&& o) {
  if (mentions == 0) {
    *this = std::move(o);
    places = {};  // they point into the other thread's table
    return;
  }
  mentions += o.mentions;
  produced.merge(o.produced);
  fetched.merge(o.fetched);
  for (std::size_t i = 0; i < codecs.size(); ++i) codecs[i] += o.codecs[i];
  record_bytes.merge(o.record_bytes);
  records_per_batch.merge(o.records_per_batch);
  partitions.merge(o.partitions);
  carriers.merge(o.carriers);
  null_keys += o.null_keys;
  null_values += o.null_values;
  with_headers += o.with_headers;
  if (o.last_timestamp < o.first_timestamp) return;
  const bool none = last_timestamp < first_timestamp;
  first_timestamp = none ? o.first_timestamp : std::min(first_timestamp, o.first_timestamp);
  last_timestamp = none ? o.last_timestamp : std::max(last_timestamp, o.last_timestamp);
}

std::vector<NamedTopic> named_topics(const TopicTable& table, const Cluster& cluster) {
  std::map<std::pair<bool, std::string>, NamedTopic> by_name;
  for (const TopicTable::Slot* slot : table.sorted()) {
    TopicLabel label = label_of(slot->row.topic, cluster);
    NamedTopic& topic = by_name[{label.name.empty(), label.shown()}];
    if (!label.id.empty()) topic.ids.push_back(label.id);
    if (topic.label.id.empty()) topic.label.id = label.id;
    topic.label.name = label.name;
    topic.row.merge(TopicRow(slot->row));
  }
  std::vector<NamedTopic> out;
  out.reserve(by_name.size());
  for (auto& [name, topic] : by_name) out.push_back(std::move(topic));
  return out;
}

}  // namespace kparse::report
