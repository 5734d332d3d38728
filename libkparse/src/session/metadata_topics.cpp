// SPDX-License-Identifier: MIT
#include "session/metadata_topics.h"

#include "kparse/record_walk.h"
#include "kparse/varint.h"

namespace kparse {
namespace {

struct Pairs : Sink {
  Cluster& cluster;
  Observer& observer;
  std::string_view name;
  const std::uint8_t* id = nullptr;

  Pairs(Cluster& c, Observer& o) noexcept : cluster(c), observer(o) {}

  void begin_struct(NodeId, const std::uint8_t*) noexcept { forget(); }
  void end_struct(NodeId, const std::uint8_t*) noexcept { forget(); }
  void string(NodeId, std::string_view v, Bytes) noexcept {
    name = v;
    pair();
  }
  void uuid(NodeId, Bytes v) noexcept {
    id = v.data();
    pair();
  }

 private:
  void forget() noexcept {
    name = {};
    id = nullptr;
  }
  void pair() noexcept {
    if (name.empty() || !id) return;
    cluster.learn_topic(id, name);
    observer.on_topic_id({.name = name, .id = id});
  }
};

struct Values : RecordSink {
  ProgramSet& programs;
  std::string_view area;
  Cluster& cluster;
  Observer& observer;

  Values(ProgramSet& p, std::string_view a, Cluster& c, Observer& o) noexcept : programs(p), area(a), cluster(c), observer(o) {}

  bool begin_batch(const Batch& b) noexcept { return !b.control; }
  void record(const Batch&, const Record& r) noexcept {
    const std::uint8_t* at = r.value.data();
    const std::uint8_t* end = at + r.value.size();
    std::uint32_t frame = 0, type = 0, version = 0;
    if (!at || !(at = read_uvarint(at, end, frame)) || !(at = read_uvarint(at, end, type)) ||
        !(at = read_uvarint(at, end, version)))
      return;
    // Frame version 0 is that of the 2.8 preview, whose records have other layouts.
    if (frame != 1 || type > 0x7fff || version > 0x7fff) return;
    const Message* message = find_message(Kind::metadata, static_cast<int>(type), area);
    if (!message || !message->versions.has(static_cast<int>(version))) return;
    Pairs pairs(cluster, observer);
    (void)walk(programs.get(*message, static_cast<int>(version)), Bytes(at, static_cast<std::size_t>(end - at)), pairs);
  }
};

Interest pairing_fields() {
  Interest wanted = Interest::nothing();
  wanted.add(Mark::topic);
  wanted.add(Mark::topic_id);
  // Tiered storage calls them {"name", "id"}.
  for (std::size_t n = 0; n < fields().size(); ++n) {
    const Field& f = fields()[n];
    if (f.parent != no_node && field(f.parent).name == "topicIdPartition" && (f.name == "name" || f.name == "id"))
      wanted.add(static_cast<NodeId>(n));
  }
  return wanted;
}

}  // namespace

MetadataTopics::MetadataTopics() : programs_(pairing_fields()) {}

std::string_view MetadataTopics::area_of(std::string_view topic) noexcept {
  if (topic == "__cluster_metadata") return "metadata";
  if (topic == "__remote_log_metadata") return "storage";
  return {};
}

void MetadataTopics::learn(Bytes records, std::string_view area, Cluster& cluster, Observer& observer) noexcept {
  Values values(programs_, area, cluster, observer);
  read_records(records, RecordOptions{.verify_crc = false}, scratch_, values);
}

}  // namespace kparse
