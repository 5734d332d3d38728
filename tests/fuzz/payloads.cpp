// SPDX-License-Identifier: MIT
#include "kparse/payload.h"

#include <string>

#include "input.h"
#include "kparse/carriers.h"
#include "kparse/draft_headers.h"
#include "kparse/header_register.h"
#include "kparse/headers.h"
#include "kparse/wrappers.h"
#include "paper.h"
#include "targets.h"

namespace kparse::fuzz {
namespace {

constexpr std::string_view topics[] = {"__consumer_offsets", "__transaction_state", "__share_group_state", "__cluster_metadata",
                                       "__remote_log_metadata"};
constexpr std::string_view mechanisms[] = {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI", ""};

void payload(Input& in, JsonDump& dump, JsonWriter& json) {
  const auto kinds = payload_kinds();
  const std::string_view kind = kinds[in.u8() % kinds.size()];
  const int version = in.u8() % 8, key = in.u8();
  const Copy bytes(in.rest());
  Error error;
  if (dump.payload(json, kind, version, key, bytes, error)) KPARSE_HOLDS(is_json(json.view()));
}

void internal(Input& in, JsonDump& dump, JsonWriter& json) {
  const std::string_view topic = topics[in.u8() % std::size(topics)];
  const Copy key(in.take(in.u8()));
  const Copy value(in.rest());
  if (decode_internal_key(dump, json, topic, key).done) KPARSE_HOLDS(is_json(json.view()));
  json.clear();
  if (decode_internal_value(dump, json, topic, key, value).done) KPARSE_HOLDS(is_json(json.view()));
}

void token(Input& in, JsonWriter& json) {
  const std::uint8_t how = in.u8();
  const std::string_view mechanism = mechanisms[(how >> 1) % std::size(mechanisms)];
  const Copy bytes(in.rest());
  (void)sasl_user(mechanism, bytes);
  if (write_sasl_token(json, mechanism, bytes, (how & 1) != 0, (how & 0x80) != 0)) KPARSE_HOLDS(is_json(json.view()));
}

/// Says all fields that a finding has.
class Fields final : public CarrierFields {
 public:
  std::size_t size = 0;
  void text(std::string_view name, std::string_view t) noexcept override { size += name.size() + t.size(); }
  void integer(std::string_view name, std::int64_t) noexcept override { size += name.size(); }
  void bytes(std::string_view name, Bytes b) noexcept override { size += name.size() + b.size(); }
};

void carriers(Input& in) {
  const Copy key(in.take(in.u8()));
  const Copy encoded(in.take(in.u16()));
  const Copy value(in.rest());
  Error error;
  Record record;
  record.timestamp = 1'700'000'000'000;
  record.key = key;
  record.value = value;
  const auto headers = Headers::read(encoded, error);
  Writer w;
  if (headers) {
    for (const RecordHeader& h : *headers) {
      (void)find_header_convention(h.name);
      (void)valid_traceparent(h.value);
    }
    headers->write(w);
    Error none;
    const auto again = Headers::read(w.view(), none);
    KPARSE_HOLDS(again && !none && *again == *headers);
    record.header_count = static_cast<std::int32_t>(headers->size());
    record.headers = w.view().subspan(w.size() - [&] {  // without the count
      Writer count;
      count.varint(record.header_count);
      return w.size() - count.size();
    }());
  }
  (void)recognise_value(value, record.timestamp, key);
  Fields fields;
  for (const CarrierSeen& c : recognise(record)) describe(c, record, fields);
}

}  // namespace

void payloads(Bytes input) {
  Input in(input);
  static JsonDump dump({});
  static JsonWriter json;
  json.clear();
  switch (in.u8() & 3) {
    case 0:
      return payload(in, dump, json);
    case 1:
      return internal(in, dump, json);
    case 2:
      return token(in, json);
    default:
      return carriers(in);
  }
}

}  // namespace kparse::fuzz
