// SPDX-License-Identifier: MIT
// AssignmentInfo: written with java.io.DataOutputStream, not by Kafka's schemas.
#include <limits>

#include "dump/streams_reader.h"

namespace kparse {
namespace {

/// Text written by DataOutputStream.writeUTF: uint16 length, modified UTF-8. The two differ only for NUL and for what
/// is outside of the BMP, which neither topics nor hosts contain.
std::string_view java_text(Reader& in) noexcept { return text(in.take(in.be<std::uint16_t>())); }

StreamsTask read_task(Reader& in, int version) noexcept {
  StreamsTask task;
  task.subtopology = in.be<std::int32_t>();
  task.partition = in.be<std::int32_t>();
  if (version >= streams_named_topologies) {
    const std::uint32_t units = plain_count(in, 2);
    task.topology = {.bytes = in.take(std::uint64_t{units} * 2), .wide = true, .null = units == 0};
  }
  return task;
}

void write_partition(JsonWriter& out, std::string_view topic, std::int32_t partition) noexcept {
  out.begin_object();
  member(out, "topic", topic);
  member(out, "partition", partition);
  out.end_object();
}

void write_standby(JsonWriter& out, Reader& in, int version) noexcept {
  out.begin_array();
  for (std::uint32_t n = plain_count(in, 12); n > 0 && in.ok(); --n) {
    const StreamsTask task = read_task(in, version);
    if (!in.ok()) break;
    out.begin_object();
    out.key("task");
    write_task(out, task);
    out.key("partitions");
    out.begin_array();
    for (std::uint32_t m = plain_count(in, 6); m > 0 && in.ok(); --m) {
      const std::string_view topic = java_text(in);
      const auto partition = in.be<std::int32_t>();
      if (in.ok()) write_partition(out, topic, partition);
    }
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

/// The topic of a number. Kafka writes the dictionary without order, mostly ascending: the entry at that place is
/// looked at first. A miss costs a pass; how many passes are made is bounded, so hostile bytes can't make it quadratic.
class Dictionary {
 public:
  explicit Dictionary(Reader& in) noexcept : count_(plain_count(in, 6)), start_(in) {
    for (std::uint32_t n = 0; n < count_ && in.ok(); ++n) {
      (void)in.be<std::int32_t>();
      (void)java_text(in);
    }
    next_ = start_;
  }

  std::string_view find(std::int32_t number) noexcept {
    for (std::uint32_t n = 0; n < count_ && steps_ < max_steps; ++n, ++steps_) {
      if (at_ == count_) {
        next_ = start_;
        at_ = 0;
      }
      ++at_;
      const auto here = next_.be<std::int32_t>();
      const std::string_view topic = java_text(next_);
      if (here == number) return topic;
    }
    return {};
  }

 private:
  static constexpr std::uint64_t max_steps = 1u << 22;
  std::uint32_t count_;
  Reader start_;
  Reader next_{Bytes{}};
  std::uint32_t at_ = 0;
  std::uint64_t steps_ = 0;
};

void write_hosts(JsonWriter& out, Reader& in, Dictionary* topics) noexcept {
  out.begin_array();
  for (std::uint32_t n = plain_count(in, 10); n > 0 && in.ok(); --n) {
    const std::string_view host = java_text(in);
    const auto port = in.be<std::int32_t>();
    if (!in.ok()) break;
    out.begin_object();
    member(out, "host", host);
    member(out, "port", port);
    out.key("partitions");
    out.begin_array();
    for (std::uint32_t m = plain_count(in, topics ? 8 : 6); m > 0 && in.ok(); --m) {
      const std::string_view topic = topics ? topics->find(in.be<std::int32_t>()) : java_text(in);
      const auto partition = in.be<std::int32_t>();
      if (in.ok()) write_partition(out, topic, partition);
    }
    out.end_array();
    out.end_object();
  }
  out.end_array();
}

void write_places(JsonWriter& out, Reader& in, int version) noexcept {
  out.key("partitionsByHost");
  if (version >= 5) {
    Dictionary topics(in);
    write_hosts(out, in, &topics);
    out.key("standbyPartitionsByHost");
    if (version >= 6) return write_hosts(out, in, &topics);
  } else {
    if (version >= 2) {
      write_hosts(out, in, nullptr);
    } else {
      out.raw("[]");
    }
    out.key("standbyPartitionsByHost");
  }
  out.raw("[]");
}

}  // namespace

void write_task(JsonWriter& out, const StreamsTask& t) noexcept {
  out.begin_object();
  member(out, "subtopology", t.subtopology);
  member(out, "partition", t.partition);
  out.key("topologyName");
  if (t.topology.null) {
    out.null();
  } else if (t.topology.wide) {
    out.utf16_string(t.topology.bytes);
  } else {
    (void)out.string(text(t.topology.bytes));
  }
  out.end_object();
}

PayloadResult streams_assignment(const PayloadOut& to, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  JsonWriter& out = to.json;
  const auto version = in.be<std::int32_t>();
  const std::int32_t common = version >= 3 ? in.be<std::int32_t>() : -1;
  if (!in.ok()) return {.error = in.error()};
  if (version < 1 || version > streams_newest) return unknown_streams_version(version);
  out.begin_object();
  member(out, "version", version);
  member(out, "commonlySupportedVersion", common);
  out.key("activeTasks");
  out.begin_array();
  for (std::uint32_t n = plain_count(in, 8); n > 0 && in.ok(); --n) {
    const StreamsTask task = read_task(in, version);
    if (in.ok()) write_task(out, task);
  }
  out.end_array();
  out.key("standbyTasks");
  write_standby(out, in, version);
  write_places(out, in, version);
  if (version >= 4) {
    number_member<std::int32_t>(out, in, "errCode");
  } else if (in.ok()) {
    member(out, "errCode", 0);
  }
  if (version >= 7) {
    number_member<std::int64_t>(out, in, "nextRebalanceMs");
  } else if (in.ok()) {
    member(out, "nextRebalanceMs", std::numeric_limits<std::int64_t>::max());
  }
  out.end_object();
  return result_of(in, true);
}

}  // namespace kparse
