// SPDX-License-Identifier: MIT
// User data of Kafka Streams' assignor. Source: SubscriptionInfo and AssignmentInfo of kafka-streams, versions 1 to 11.
#include "dump/streams_reader.h"

namespace kparse {
namespace {

constexpr std::int64_t running = -2;  ///< Task.LATEST_OFFSET: the offset sum of a task that was active

template <class F>
void list(JsonWriter& out, std::string_view name, F write) noexcept {
  out.key(name);
  out.begin_array();
  write();
  out.end_array();
}

/// Calls `each(task, offset sum)`. `at` is a copy: tasks are listed three times over.
template <class F>
void offset_sums(Reader& at, int version, F each) noexcept {
  for (std::uint32_t n = plain_count(at, 8); n > 0 && at.ok(); --n) {
    StreamsTask task;
    task.subtopology = at.be<std::int32_t>();
    if (version >= streams_named_topologies) {
      task.partition = at.be<std::int32_t>();
      const auto sum = at.be<std::int64_t>();
      task.topology = text_units(plain_text(at));
      if (at.ok()) each(task, sum);
      continue;
    }
    for (std::uint32_t partitions = plain_count(at, 12); partitions > 0; --partitions) {
      task.partition = at.be<std::int32_t>();
      const auto sum = at.be<std::int64_t>();
      if (at.ok()) each(task, sum);
    }
  }
}

void plain_tasks(JsonWriter& out, Reader& in) noexcept {
  for (std::uint32_t n = plain_count(in, 8); n > 0; --n) {
    StreamsTask task;
    task.subtopology = in.be<std::int32_t>();
    task.partition = in.be<std::int32_t>();
    if (in.ok()) write_task(out, task);
  }
}

void write_process(JsonWriter& out, Bytes id) noexcept {
  char text[36];
  std::size_t used = 0;
  for (std::size_t n = 0; n < 16; ++n) {
    if (n == 4 || n == 6 || n == 8 || n == 10) text[used++] = '-';
    text[used++] = "0123456789abcdef"[id[n] >> 4];
    text[used++] = "0123456789abcdef"[id[n] & 15];
  }
  member(out, "processId", std::string_view(text, used));
}

}  // namespace

PayloadResult streams_subscription(const PayloadOut& to, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  JsonWriter& out = to.json;
  const auto version = in.be<std::int32_t>();
  const std::int32_t latest = version >= 3 ? in.be<std::int32_t>() : -1;
  const Bytes process = in.take(16);
  if (!in.ok()) return {.error = in.error()};
  if (version < 1 || version > streams_newest) return unknown_streams_version(version);
  out.begin_object();
  member(out, "version", version);
  member(out, "latestSupportedVersion", latest);
  write_process(out, process);
  const auto end_point = [&] {
    const Bytes v = version >= 2 ? plain_bytes(in) : Bytes{};
    if (in.ok()) member(out, "userEndPoint", v.empty() ? std::string_view{} : text(v));
  };
  if (version < 7) {
    list(out, "prevTasks", [&] { plain_tasks(out, in); });
    list(out, "standbyTasks", [&] { plain_tasks(out, in); });
    end_point();
  } else {
    end_point();
    Reader again = in;
    list(out, "prevTasks", [&] {
      offset_sums(again, version, [&](const StreamsTask& t, std::int64_t sum) {
        if (sum == running) write_task(out, t);
      });
    });
    again = in;
    list(out, "standbyTasks", [&] {
      offset_sums(again, version, [&](const StreamsTask& t, std::int64_t sum) {
        if (sum != running) write_task(out, t);
      });
    });
    list(out, "taskOffsetSums", [&] {
      offset_sums(in, version, [&](const StreamsTask& t, std::int64_t sum) {
        out.begin_object();
        out.key("task");
        write_task(out, t);
        member(out, "sum", sum);
        out.end_object();
      });
    });
  }
  if (version >= 8) (void)in.be<std::int8_t>();  // only there to make the bytes differ from rebalance to rebalance
  if (version >= 9) {
    number_member<std::int32_t>(out, in, "errorCode");
  } else if (in.ok()) {
    member(out, "errorCode", 0);
  }
  out.key("clientTags");
  out.begin_object();
  if (version >= 11) {
    for (std::uint32_t n = plain_count(in, 8); n > 0 && in.ok(); --n) {
      const Bytes key = plain_bytes(in), value = plain_bytes(in);
      if (!in.ok()) break;
      out.escaped_key(text(key));
      (void)out.string(text(value));
    }
  }
  out.end_object();
  out.end_object();
  return result_of(in, true);
}

}  // namespace kparse
