// SPDX-License-Identifier: MIT
// Topics as numbers, and what they are called once everything was read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kparse/cluster.h"
#include "kparse/fetch_session.h"

namespace kparse::story {

using TopicNumber = std::uint32_t;
inline constexpr TopicNumber no_topic = 0xffffffff;

struct PartitionKey {
  TopicNumber topic = no_topic;
  std::int32_t partition = -1;
  auto operator<=>(const PartitionKey&) const = default;
  template <class H>
  friend H AbslHashValue(H h, const PartitionKey& k) {
    return H::combine(std::move(h), k.topic, k.partition);
  }
};

/// What a topic is called. `id` as Kafka prints it, "" none; `name` "" when nothing has named the id.
struct TopicLabel {
  std::string name, id;
  [[nodiscard]] const std::string& shown() const noexcept { return name.empty() ? id : name; }
};

/// As Kafka prints ids: base64url without padding.
[[nodiscard]] std::string uuid_text(const std::uint8_t* id);

/// At most `limit` topics; others are no_topic and counted.
class TopicIndex {
 public:
  static constexpr std::size_t limit = 100'000;

  TopicIndex() { recent_.fill(no_topic); }
  /// Cost: a comparison for a topic that was asked for lately.
  [[nodiscard]] TopicNumber of(const TopicRef&);
  /// The same, of a topic whose bytes stand in the frame that begin_frame() told of: next to nothing for one that was
  /// asked for last.
  [[nodiscard]] TopicNumber of_frame(const TopicRef& t) {
    const void* const at = t.id ? static_cast<const void*>(t.id) : t.name.data();
    const std::size_t size = t.id ? t.name.max_size() : t.name.size();
    if (at == last_at_ && size == last_size_) return last_;
    last_ = of(t);
    last_at_ = at;
    last_size_ = size;
    return last_;
  }
  /// Bytes of another frame may stand where those of the last one stood.
  void begin_frame() noexcept {
    last_at_ = nullptr;
    last_size_ = 1;  // no topic stands there
  }
  /// After the last event: gives names, and makes one of topics that were called by name here and by id there.
  void resolve(const Cluster&);
  /// After resolve(): the number that stands for the topic.
  [[nodiscard]] TopicNumber same(TopicNumber) const;
  [[nodiscard]] PartitionKey same(PartitionKey p) const { return {same(p.topic), p.partition}; }
  /// After resolve(). Of no_topic: "?".
  [[nodiscard]] const TopicLabel& label(TopicNumber) const;
  /// Orders by what is shown, then partition.
  [[nodiscard]] bool before(const PartitionKey&, const PartitionKey&) const;
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  struct Topic {
    TopicKept kept;
    TopicLabel label;
    TopicNumber same = no_topic;
  };
  std::map<TopicKept, TopicNumber> numbers_;
  std::vector<Topic> topics_;
  std::array<TopicNumber, 64> recent_;   ///< by place_of()
  TopicNumber newest_ = no_topic;        ///< asked for last
  const void* last_at_ = nullptr;        ///< of the frame at hand
  std::size_t last_size_ = 1;
  TopicNumber last_ = no_topic;
  std::uint64_t left_out_ = 0;
};

}  // namespace kparse::story
