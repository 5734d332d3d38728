// SPDX-License-Identifier: MIT
// Protocol type "connect". Source: ConnectProtocol (version 0) and IncrementalCooperativeConnectProtocol (1, 2),
// KIP-415, KIP-507.
#include "dump/plain_reader.h"

namespace kparse {
namespace {

/// Connectors with their tasks are read twice: Kafka lists connectors and tasks apart.
enum class Pick : std::uint8_t { connectors, tasks };
constexpr std::int32_t connector_itself = -1;

void pick(JsonWriter& out, Reader& in, Pick what) noexcept {
  out.begin_array();
  for (std::uint32_t n = plain_count(in, 6); n > 0 && in.ok(); --n) {
    const std::string_view connector = plain_text(in);
    for (std::uint32_t tasks = plain_count(in, 4); tasks > 0; --tasks) {
      const auto task = in.be<std::int32_t>();
      if (!in.ok()) break;
      if ((task == connector_itself) != (what == Pick::connectors)) continue;
      if (task == connector_itself) {
        write_text(out, connector);
        continue;
      }
      char id[12];
      std::size_t used = sizeof id;
      std::uint32_t left = task < 0 ? 0u - static_cast<std::uint32_t>(task) : static_cast<std::uint32_t>(task);
      do id[--used] = static_cast<char>('0' + left % 10);
      while ((left /= 10) > 0);
      if (task < 0) id[--used] = '-';
      id[--used] = '-';
      out.joined_string(connector, {id + used, sizeof id - used});
    }
  }
  out.end_array();
}

void connectors(JsonWriter& out, Reader& in, std::string_view connectors_name, std::string_view tasks_name) noexcept {
  Reader again = in;
  out.key(connectors_name);
  pick(out, again, Pick::connectors);
  out.key(tasks_name);
  pick(out, in, Pick::tasks);
}

void write_assignment(JsonWriter& out, Reader& in) noexcept {
  const auto version = in.be<std::int16_t>();
  out.begin_object();
  number_member<std::int16_t>(out, in, "error");
  text_member(out, in, "leader");
  text_member(out, in, "leaderUrl");
  number_member<std::int64_t>(out, in, "configOffset");
  if (in.ok()) connectors(out, in, "connectors", "tasks");
  if (version > 0 && in.ok()) {
    member(out, "version", version);
    // Both may be missing: then nothing is revoked and there is no delay.
    Reader none(Bytes{});
    connectors(out, in.left() > 0 ? in : none, "revokedConnectors", "revokedTasks");
    if (in.left() > 0) {
      number_member<std::int32_t>(out, in, "delay");
    } else if (in.ok()) {
      member(out, "delay", 0);
    }
  }
  out.end_object();
}

}  // namespace

PayloadResult connect_assignment(const PayloadOut& to, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  if (b.size() < 4) return {.error = {.code = Code::truncated, .limit = Limit::payload, .need = 4, .have = b.size()}};
  write_assignment(to.json, in);
  return result_of(in, true);
}

PayloadResult connect_metadata(const PayloadOut& to, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  const auto version = in.be<std::int16_t>();
  const std::string_view url = plain_text(in);
  const auto offset = in.be<std::int64_t>();
  if (!in.ok()) return {.error = in.error()};
  JsonWriter& out = to.json;
  out.begin_object();
  member(out, "url", url);
  member(out, "configOffset", offset);
  if (version > 0) {
    const Bytes allocation = plain_bytes(in);
    Reader inner(allocation, Limit::payload);
    if (in.ok()) out.key("allocation");
    if (in.ok() && allocation.empty()) out.null();
    if (!allocation.empty()) write_assignment(out, inner);
    if (!inner.ok() && !allocation.empty()) in.fail(inner.error().code, inner.error().need, inner.error().have);
  }
  out.end_object();
  return result_of(in, true);
}

}  // namespace kparse
