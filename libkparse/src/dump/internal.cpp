// SPDX-License-Identifier: MIT
// Records of internal topics. Source: Kafka's CoordinatorRecordSerde (int16 type or version, then the message),
// MetadataRecordSerde (KIP-631: three uvarints, then the message), ControlRecordUtils.
#include <array>

#include "dump/plain_reader.h"
#include "kparse/payload.h"

namespace kparse {
namespace {

struct Topic {
  std::string_view name, area;
  bool framed;
};
constexpr std::array<Topic, 5> topics{{{"__consumer_offsets", "group-coordinator", false},
                                       {"__transaction_state", "transaction-coordinator", false},
                                       {"__share_group_state", "share-coordinator", false},
                                       {"__cluster_metadata", "metadata", true},
                                       {"__remote_log_metadata", "storage", true}}};

const Topic* find_topic(std::string_view name) noexcept {
  if (!name.starts_with("__")) return nullptr;
  for (const Topic& t : topics)
    if (t.name == name) return &t;
  return nullptr;
}

/// What can't be read of such a message may be a secret.
bool may_hold_secrets(const PayloadOut& to, const Message& m) noexcept {
  if (to.shared.options.show_secrets) return false;
  for (int n = m.root; n <= m.root + field(m.root).below; ++n) {
    const Field& f = field(static_cast<NodeId>(n));
    if (f.secret || f.mark == Mark::config_value) return true;
  }
  return false;
}

/// {"message","apiKey","messageVersion","json"}
PayloadResult named(const PayloadOut& to, const Message& m, int version, Bytes b) noexcept {
  JsonWriter& out = to.json;
  out.begin_object();
  member(out, "message", m.name);
  member(out, "apiKey", m.api_key);
  member(out, "messageVersion", version);
  out.key("json");
  PayloadResult result = message_payload(to, m, version, b);
  if (result.error) {
    result.secret = result.secret || may_hold_secrets(to, m);
    if (!result.any) out.raw("{}");
    out.key("error");
    write_error(out, result.error);
  }
  out.end_object();
  return result;
}

/// Keeps the first of `areas` whose message fits exactly, else the first that has one at all.
PayloadResult by_area(const PayloadOut& to, Kind kind, std::string_view area, int type, int version, Bytes b) noexcept {
  const std::size_t before = to.json.size();
  const Message* first = nullptr;
  for (const Topic& t : topics) {
    if (t.framed || (!area.empty() && area != t.area)) continue;
    const Message* m = find_message(kind, type, t.area);
    if (!m || !m->versions.has(version)) continue;
    if (!first) first = m;
    const PayloadResult result = named(to, *m, version, b);
    if (result.exact()) return result;
    to.json.truncate(before);
  }
  if (first) return named(to, *first, version, b);
  return {
      .error = {.code = Code::unknownVersion, .limit = Limit::payload, .have = static_cast<std::uint16_t>(version)}};
}

}  // namespace

bool is_internal_topic(std::string_view topic) noexcept { return find_topic(topic) != nullptr; }

PayloadResult coordinator_key(const PayloadOut& to, std::string_view area, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  const auto type = in.be<std::int16_t>();
  if (!in.ok()) return {.error = in.error()};
  return by_area(to, Kind::coordinator_key, area, type, 0, b.subspan(2));
}

PayloadResult coordinator_value(const PayloadOut& to, std::string_view area, int type, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  const auto version = in.be<std::int16_t>();
  if (!in.ok()) return {.error = in.error()};
  return by_area(to, Kind::coordinator_value, area, type, version, b.subspan(2));
}

PayloadResult framed_record(const PayloadOut& to, std::string_view area, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  const std::uint32_t frame = in.uvarint(), type = in.uvarint(), version = in.uvarint();
  if (!in.ok()) return {.error = in.error()};
  if (frame > 1 || type > 0x7fff || version > 0x7fff)
    return {.error = {.code = Code::unknownVersion, .limit = Limit::payload, .have = frame}};
  const Message* m = find_message(Kind::metadata, static_cast<int>(type), area);
  if (!m) return {.error = {.code = Code::unknownApi, .limit = Limit::payload, .have = type}};
  if (!m->versions.has(static_cast<int>(version)))
    return {.secret = may_hold_secrets(to, *m),
            .error = {.code = Code::unknownVersion, .limit = Limit::payload, .have = version}};
  return named(to, *m, static_cast<int>(version), Bytes(in.at(), static_cast<std::size_t>(in.left())));
}

PayloadResult control_value(const PayloadOut& to, int control_type, Bytes b) noexcept {
  // By control record type. Types 0 and 1 have a version before the message; in the others it is the message's own
  // first field.
  static constexpr std::array<std::string_view, 7> names{
      "EndTxnMarker",         "EndTxnMarker",       "LeaderChangeMessage", "SnapshotHeaderRecord",
      "SnapshotFooterRecord", "KRaftVersionRecord", "VotersRecord"};
  if (control_type < 0 || static_cast<std::size_t>(control_type) >= names.size()) return {};
  const Message* m = find_message(names[static_cast<std::size_t>(control_type)]);
  Reader in(b, Limit::payload);
  const auto version = in.be<std::int16_t>();
  if (!m || !in.ok() || version < 0) return {.error = in.error()};
  // Unknown versions are read as the newest known, as Kafka does. LeaderChangeMessage says 0 and is laid out so,
  // although its schema has a version 1.
  const int known = version > m->versions.hi ? m->versions.hi : version;
  JsonWriter& out = to.json;
  out.begin_object();
  member(out, "message", m->name);
  member(out, "messageVersion", version);
  out.key("json");
  const PayloadResult result = message_payload(to, *m, known, control_type < 2 ? b.subspan(2) : b);
  if (!result.any) out.raw("{}");
  out.end_object();
  return result;
}

PayloadResult internal_key(const PayloadOut& to, std::string_view topic, Bytes key) noexcept {
  const Topic* t = find_topic(topic);
  if (!t || t->framed || key.empty()) return {};
  return coordinator_key(to, t->area, key);
}

PayloadResult internal_value(const PayloadOut& to, std::string_view topic, Bytes key, Bytes value) noexcept {
  const Topic* t = find_topic(topic);
  if (!t || value.empty()) return {};
  if (t->framed) return framed_record(to, t->area, value);
  if (key.size() < 2) return {};
  const int type = load_be<std::int16_t>(key.data());
  // Types 0 and 1 of __consumer_offsets have one key layout and one kind of value: what differs is the value's own
  // version.
  const int value_type = t->area == "group-coordinator" && type == 0 ? 1 : type;
  const std::size_t before = to.json.size();
  PayloadResult result = coordinator_value(to, t->area, type, value);
  if (value_type == type || result.exact()) return result;
  to.json.truncate(before);
  return coordinator_value(to, t->area, value_type, value);
}

}  // namespace kparse
