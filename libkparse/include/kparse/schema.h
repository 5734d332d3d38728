// SPDX-License-Identifier: MIT
// The compiled schema: every message of every version that any Kafka release shipped, as constant tables.
// Source: libkparse/schema/*.k, compiled by kschema at build time. Lookups allocate nothing and are O(1) or O(log n).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kparse/error.h"

namespace kparse {

/// A closed range of versions; empty when lo > hi.
struct Versions {
  std::int16_t lo = 1;
  std::int16_t hi = 0;
  [[nodiscard]] constexpr bool has(int v) const noexcept { return lo <= v && v <= hi; }
  [[nodiscard]] constexpr bool empty() const noexcept { return lo > hi; }
};

enum class Type : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint16,
  uint32,
  float64,
  uuid,
  string,
  bytes,
  records,
  structure
};

/// What a field means, where code outside the schema asks for it (written @mark in the .k files).
enum class Mark : std::uint8_t {
  none,
  error,  ///< an error code (138 values, see errors())
  topic,  ///< a topic's name
  topic_id,
  partition,
  group,
  member,
  generation,  ///< generation or member epoch
  client_id,   ///< in the request header
  correlation_id,
  api_key,
  api_version,
  throttle,  ///< milliseconds
  acks,
  transactional_id,
  producer_id,
  producer_epoch,
  offset,  ///< base offset in a Produce response
  broker_id,
  host,
  port,
  software_name,
  software_version,
  session_id,
  session_epoch,
  max_wait,  ///< how long the broker may hold the answer back, ms
  min_bytes,
  mechanism,
  auth_bytes,
  metadata,    ///< opaque bytes of a consumer protocol: subscription
  assignment,  ///< opaque bytes of a consumer protocol: assignment
  protocol_type,
  protocol_name,
  config_name,
  config_sensitive,
  config_value,
  cluster_id,
};

/// One field of one message, for all versions. Rows are in pre-order: the `below` rows after a row are its children.
struct Field {
  std::string_view name;  ///< Kafka's, camelCase, as its JSON converters print it. Of a root row: the message's.
  Type type;
  bool array;
  bool secret;  ///< redacted by every sink unless asked (SASL tokens, HMACs, SCRAM keys, sensitive configs)
  bool fixed;   ///< keeps the plain encoding in flexible versions (the request header's client id)
  bool map_key;
  bool ignorable;
  Mark mark;
  std::int16_t tag;   ///< -1: never tagged
  Versions versions;  ///< on the wire, tagged or not
  Versions nullable;
  Versions tagged;                 ///< in these versions it is in the tagged section
  NodeId parent;                   ///< no_node for a root
  std::uint16_t below;             ///< rows of the subtree
  std::string_view default_value;  ///< "" = the type's zero; else decimal, "true", "null" or the string
};

enum class Kind : std::uint8_t {
  request,
  response,
  header,
  data,
  metadata,
  coordinator_key,
  coordinator_value,
  early_data
};

struct Message {
  std::string_view name;  ///< Kafka's: "FetchRequest", "RequestHeader", "OffsetCommitKey"
  Kind kind;
  std::string_view area;  ///< Kafka's module: clients, group-coordinator, metadata, ...
  std::int16_t api_key;   ///< also the record type of coordinator and metadata records; -1 = none
  Versions versions;      ///< every version that any release had
  Versions flexible;
  NodeId root;  ///< its fields are the rows root+1 .. root+below
};

/// A layout that some older (preview) release wrote under a version number that was used again (PROTOCOL: "same
/// version, other bytes").
struct AltLayout {
  std::string_view message;
  std::int16_t version;
  bool flexible;
  std::string_view from_release, to_release;
  NodeId root;
};

struct Api {
  std::int16_t key;
  std::string_view name;  ///< "Fetch"
  const Message* request;
  const Message* response;
  Versions current;   ///< what Kafka 4.4 supports; empty: removed
  Versions unstable;  ///< versions that 4.4 has but does not advertise
  std::string_view former_name;
  std::string_view listeners;  ///< "broker,controller"
};

struct ErrorName {
  std::int16_t code;
  std::string_view name;
  bool retriable;
  std::string_view first_release;
  std::string_view former_names;  ///< "NOT_LEADER_FOR_PARTITION(0.8.1.1..2.5.1)", blank between two; mostly ""
};

[[nodiscard]] std::span<const Field> fields() noexcept;
[[nodiscard]] std::span<const Message> messages() noexcept;
[[nodiscard]] std::span<const AltLayout> alt_layouts() noexcept;
[[nodiscard]] std::span<const Api> apis() noexcept;
[[nodiscard]] std::span<const ErrorName> errors() noexcept;

[[nodiscard]] inline const Field& field(NodeId n) noexcept { return fields()[n]; }
/// nullptr: no such message. Exact name.
[[nodiscard]] const Message* find_message(std::string_view name) noexcept;
/// By kind and API key or record type; nullptr: none. Records need their area too: coordinator_key and
/// coordinator_value are of "group-coordinator", "share-coordinator" or "transaction-coordinator", metadata of
/// "metadata" or "storage" (the records of __remote_log_metadata). Preview releases' records (Kind::early_data) are
/// found as coordinator_key, _value.
[[nodiscard]] const Message* find_message(Kind, int api_key, std::string_view area = {}) noexcept;
[[nodiscard]] const Api* find_api(int key) noexcept;
[[nodiscard]] const Api* find_api(std::string_view name) noexcept;
/// "" when the code isn't known: show the number.
[[nodiscard]] std::string_view error_name(int code) noexcept;

/// Header versions. For a version newer than the tables: what the rules give for flexible versions.
/// Source: Kafka's ApiMessageType; ApiVersions responses always have header 0, ControlledShutdown v0 requests too.
[[nodiscard]] int request_header_version(const Api&, int version) noexcept;
[[nodiscard]] int response_header_version(const Api&, int version) noexcept;

/// "topics.partitions.partitionIndex" into `out` (truncated if it doesn't fit); returns the view.
[[nodiscard]] std::string_view path_of(NodeId, std::span<char> out) noexcept;

}  // namespace kparse
