// SPDX-License-Identifier: MIT
// What a value begins with, by the rules of the table in carriers.cpp. What looks like a prefix and is none comes first
// to mind: numbers, lengths, and times, which many serializers put at the front.
#include <cstring>

#include "headers/find_pair.h"
#include "headers/json_scan.h"
#include "headers/plain_text.h"
#include "headers/string_map_shapes.h"
#include "kparse/carriers.h"
#include "kparse/wrappers.h"

namespace kparse {

namespace {

constexpr std::int64_t largest_id = 1'000'000;
constexpr std::int64_t day_ms = 86'400'000;

bool plausible(std::int64_t id) noexcept { return id >= 1 && id <= largest_id; }

/// The record's time, to a month, as an int64 that begins at one of the first bytes; where it isn't known, any time
/// from 2010 to 2040.
bool holds_time(Bytes v, std::int64_t timestamp) noexcept {
  const bool known = timestamp > 0;
  const std::int64_t from = known ? timestamp - 30 * day_ms : 1'262'304'000'000;
  const std::int64_t to = known ? timestamp + 30 * day_ms : 2'208'988'800'000;
  for (std::size_t at = 0; at <= 4 && at + 8 <= v.size(); ++at) {
    const auto t = load_be<std::int64_t>(v.data() + at);
    if (t >= from && t <= to) return true;
  }
  return false;
}

/// An int32 that counts what follows it: a string or blob.
bool is_length(Bytes v) noexcept { return load_be<std::uint32_t>(v.data()) == v.size() - 4; }
/// The same after a flag, as gRPC has it; or the id of a schema whose value just has so many bytes.
bool may_be_length(Bytes v) noexcept { return load_be<std::uint32_t>(v.data() + 1) == v.size() - 5; }

/// A key of __consumer_offsets, __transaction_state or __share_group_state: int16 type, then a string (int16 length)
/// first.
bool is_coordinator_key(Bytes key) noexcept {
  if (key.size() < 5 || load_be<std::uint16_t>(key.data()) > 32) return false;
  const auto length = load_be<std::uint16_t>(key.data() + 2);
  return length > 0 && length <= key.size() - 4 && is_printable(key.subspan(4, length));
}

bool is_json_object(Bytes b) noexcept { return !b.empty() && (b[0] == '{' || b[0] == '[') && is_json(b); }

std::uint64_t hash_of(const std::array<std::uint8_t, 16>& uuid) noexcept {
  return load_be<std::uint64_t>(uuid.data()) * 0x9e3779b97f4a7c15u ^ load_be<std::uint64_t>(uuid.data() + 8);
}

ValueFinding from_zero(Bytes v, std::int64_t timestamp, Bytes key) noexcept {
  LinkedInSegment segment;
  if (read_linkedin_segment(v, segment)) return {Carrier::linkedin_segment, Confidence::certain};
  SchemaPrefix p;
  if (v.size() == 8 || is_coordinator_key(key) || !read_schema_prefix(v, SchemaPrefix::Form::confluent, p)) return {};
  if (plausible(p.id)) {
    if (is_length(v) || holds_time(v, timestamp)) return {};
    return {Carrier::confluent, may_be_length(v) ? Confidence::weak : Confidence::likely,
            static_cast<std::uint64_t>(p.id)};
  }
  if (p.id != 0 || !read_schema_prefix(v, SchemaPrefix::Form::apicurio, p) || !plausible(p.id) || p.payload.empty() ||
      holds_time(v, timestamp)) {
    return {};
  }
  const bool json = is_json_object(p.payload);
  return {Carrier::apicurio, json ? Confidence::likely : Confidence::weak, static_cast<std::uint64_t>(p.id)};
}

ValueFinding from_one(Bytes v) noexcept {
  SchemaPrefix p;
  if (!read_schema_prefix(v, SchemaPrefix::Form::confluent_guid, p) || p.payload.empty()) return {};
  return {Carrier::confluent_guid, is_json_object(p.payload) ? Confidence::likely : Confidence::weak, hash_of(p.uuid)};
}

ValueFinding from_three(Bytes v) noexcept {
  SchemaPrefix p;
  if (!read_schema_prefix(v, SchemaPrefix::Form::glue, p) || p.payload.empty()) return {};
  const bool random_uuid = p.uuid[6] >> 4 == 4 && p.uuid[8] >> 6 == 2;
  const bool zlib = p.compression == 5 && p.payload.size() > 2 && (p.payload[0] & 15) == 8 &&
                    (p.payload[0] << 8 | p.payload[1]) % 31 == 0;
  if (!random_uuid || !(zlib || p.compression == 0)) return {};
  return {Carrier::glue, Confidence::likely, hash_of(p.uuid)};
}

bool is_spring_embedded(Bytes v) noexcept {
  EmbeddedHeaders h;
  if (v.size() <= 8 || !read_embedded_headers(v, EmbeddedHeaders::Form::stream, h) || h.count == 0) return false;
  Bytes rest = h.headers;
  for (EmbeddedHeaders::Item item; h.next(rest, item);) {
    const Bytes value{reinterpret_cast<const std::uint8_t*>(item.value.data()), item.value.size()};
    if (item.name.empty() || !is_printable(item.name) || !is_json(value)) return false;
  }
  return true;
}

bool is_string(std::string_view json) noexcept { return json.size() > 2 && json.front() == '"'; }

/// Type or payload of Connect's JsonConverter, in this order and nothing else.
bool is_connect(Bytes v) noexcept {
  JsonMembers members(v);
  JsonMember m;
  if (!members.next(m) || m.name != "schema" || (m.value.front() != '{' && m.value != "null")) return false;
  if (!members.next(m) || m.name != "payload") return false;
  return !members.next(m) && members.ok();
}

bool is_structured_event(Bytes v) noexcept {
  constexpr std::string_view sign = "\"specversion\"";
  if (!has_pair(v, sign[2], sign[5]) || !memmem(v.data(), v.size(), sign.data(), sign.size())) return false;
  static constexpr std::string_view wanted[] = {"specversion", "id", "source", "type"};
  unsigned seen = 0;
  JsonMembers members(v);
  for (JsonMember m; members.next(m);) {
    for (unsigned i = 0; i < std::size(wanted); ++i) {
      if (m.name == wanted[i] && is_string(m.value)) seen |= 1u << i;
    }
  }
  return members.ok() && seen == 15;
}

ValueFinding from_json(Bytes v) noexcept {
  if (is_structured_event(v)) return {Carrier::cloudevents_structured, Confidence::certain};
  if (text(v).starts_with("{\"schema\"") && is_connect(v)) return {Carrier::connect_json, Confidence::certain};
  if (wraps_string_map(v)) return {Carrier::string_map, Confidence::likely};
  return {};
}

}  // namespace

ValueFinding recognise_value(Bytes v, std::int64_t timestamp, Bytes key) noexcept {
  if (v.size() < 5) return {};
  switch (v[0]) {
    case 0x00:
      return from_zero(v, timestamp, key);
    case 0x01:
      return from_one(v);
    case 0x03:
      return from_three(v);
    case 0xc0: {
      LinkedInHeaders h;
      if (read_linkedin_headers(v, h)) return {Carrier::linkedin, Confidence::certain};
      return {};
    }
    case 0xff:
      if (is_spring_embedded(v)) return {Carrier::spring_embedded, Confidence::certain};
      return {};
    case '{':
      return from_json(v);
    default:
      if (is_avro_map(v) || is_pairs(v)) return {Carrier::string_map, Confidence::likely};
      return {};
  }
}

}  // namespace kparse
