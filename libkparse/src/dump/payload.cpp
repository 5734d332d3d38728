// SPDX-License-Identifier: MIT
#include "kparse/payload.h"

#include <array>

#include "dump/payloads.h"

namespace kparse {
namespace {

struct Call {
  const PayloadOut& to;
  Bytes bytes;
  int version;
  int api_key;
};
struct Row {
  std::string_view kind;
  PayloadResult (*read)(const Call&) noexcept;
};

constexpr std::array<Row, 17> rows{{
    {"consumer-subscription", [](const Call& c) noexcept { return consumer_payload(c.to, false, c.bytes, {}); }},
    {"consumer-assignment", [](const Call& c) noexcept { return consumer_payload(c.to, true, c.bytes, {}); }},
    {"assignor-user-data-sticky", [](const Call& c) noexcept { return sticky_user_data(c.to, c.bytes); }},
    {"assignor-user-data-cooperative-sticky",
     [](const Call& c) noexcept { return cooperative_user_data(c.to, c.bytes); }},
    {"streams-subscription-info", [](const Call& c) noexcept { return streams_subscription(c.to, c.bytes); }},
    {"streams-assignment-info", [](const Call& c) noexcept { return streams_assignment(c.to, c.bytes); }},
    {"connect-metadata", [](const Call& c) noexcept { return connect_metadata(c.to, c.bytes); }},
    {"connect-assignment", [](const Call& c) noexcept { return connect_assignment(c.to, c.bytes); }},
    {"principal", [](const Call& c) noexcept { return principal_payload(c.to, c.bytes); }},
    {"envelope-request", [](const Call& c) noexcept { return envelope_request(c.to, c.bytes); }},
    {"envelope-response",
     [](const Call& c) noexcept {
       return inner_response(c.to, c.bytes, {c.api_key, c.version});
     }},
    {"coordinator-key", [](const Call& c) noexcept { return coordinator_key(c.to, {}, c.bytes); }},
    {"coordinator-value", [](const Call& c) noexcept { return coordinator_value(c.to, {}, c.api_key, c.bytes); }},
    {"cluster-metadata-value", [](const Call& c) noexcept { return framed_record(c.to, "metadata", c.bytes); }},
    {"remote-log-metadata-value", [](const Call& c) noexcept { return framed_record(c.to, "storage", c.bytes); }},
    {"control-value", [](const Call& c) noexcept { return control_value(c.to, c.api_key, c.bytes); }},
    {"telemetry", [](const Call& c) noexcept { return telemetry_payload(c.to, c.version, c.bytes); }},
}};

InternalDecoded keep(JsonWriter& out, std::size_t before, const PayloadResult& result) noexcept {
  if (!result.any) out.truncate(before);
  return {.done = result.any, .secret = result.secret};
}

}  // namespace

std::span<const std::string_view> payload_kinds() noexcept {
  static constexpr auto names = [] {
    std::array<std::string_view, rows.size()> all{};
    for (std::size_t n = 0; n < rows.size(); ++n) all[n] = rows[n].kind;
    return all;
  }();
  return names;
}

bool JsonDump::payload(JsonWriter& out, std::string_view kind, int version, int api_key, Bytes b,
                       Error& error) noexcept {
  impl_->tags.clear();
  impl_->note_count = 0;
  const PayloadOut to{*impl_, out, false, 1};
  const Call call{to, b, version, api_key};
  const std::size_t before = out.size();
  error = {};
  for (const Row& row : rows) {
    if (row.kind != kind) continue;
    const PayloadResult result = row.read(call);
    error = result.error;
    if (!result.any) out.truncate(before);
    return result.any;
  }
  return false;
}

InternalDecoded decode_internal_key(JsonDump& dump, JsonWriter& out, std::string_view topic, Bytes key) noexcept {
  const std::size_t before = out.size();
  return keep(out, before, internal_key({dump.impl(), out, true, 1}, topic, key));
}

InternalDecoded decode_internal_value(JsonDump& dump, JsonWriter& out, std::string_view topic, Bytes key,
                                      Bytes value) noexcept {
  const std::size_t before = out.size();
  return keep(out, before, internal_value({dump.impl(), out, true, 1}, topic, key, value));
}

}  // namespace kparse
