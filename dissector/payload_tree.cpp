// SPDX-License-Identifier: GPL-2.0-or-later
#include "payload_tree.h"

#include <algorithm>
#include <array>

#include "experts.h"
#include "fields.h"
#include "items.h"
#include "kparse/decode.h"
#include "preferences.h"

namespace kparse::dissector {
namespace {

/// The 2 bytes before a message that say its version. Newer ones only add at the end, so they are read as the newest
/// that is known, as Kafka does.
int known_version(const Message& m, Bytes value) noexcept {
  return std::min<int>(load_be<std::int16_t>(value.data()), m.versions.hi);
}

struct Inside {
  const Body& around;
  Bytes value;
  tvbuff_t* tvb;
  int at;
  packet_info* pinfo;
  proto_tree* tree;
};

void add_message(const Inside& in, const Message& m, int version, std::uint32_t from, const BodyContext& context) {
  Body body = decode_body(m, version, in.value.subspan(from), *in.around.pdu, in.around.depth + 1);
  body.context = context;
  add_body(body, in.tvb, in.at + static_cast<int>(from), in.pinfo, in.tree, in.tree);
}

/// A message that its version stands before.
bool add_versioned(const Inside& in, const char* name, const PayloadGuide& guide) {
  const Message* const m = find_message(name);
  if (!m || in.value.size() < 2) return false;
  if (visible(in.tree) || asked_for(fields.payload_value)) {
    const char* const text = wmem_strdup_printf(in.pinfo->pool, "version: %d", load_be<std::int16_t>(in.value.data()));
    proto_tree_add_string_format(in.tree, fields.payload_value, in.tvb, in.at, 2, text, "%s", text);
  }
  BodyContext context = in.around.context;
  context.protocol_name = guide.protocol_name();
  add_message(in, *m, known_version(*m, in.value), 2, context);
  return true;
}

void add_number(const Inside& in, int field, std::uint32_t at, int length, int v) {
  if (visible(in.tree) || asked_for(field))
    proto_tree_add_int(in.tree, field, in.tvb, in.at + static_cast<int>(at), length, v);
}

bool add_request(const Inside& in) {
  const RequestHeader h = decode_request_header(in.value);
  if (h.error) return false;
  add_number(in, fields.api_key, 0, 2, h.api_key);
  add_number(in, fields.version, 2, 2, h.version);
  add_number(in, fields.correlation_id, 4, 4, h.correlation_id);
  if (!h.client_id_null && (visible(in.tree) || asked_for(fields.client_id)))
    proto_tree_add_string(in.tree, fields.client_id, in.tvb, in.at + 8, 2 + static_cast<int>(h.client_id.size()),
                          text_for_item(h.client_id, in.pinfo));
  if (!h.api || !h.api->request || !h.known) return false;
  add_message(in, *h.api->request, h.version, h.size, in.around.context);
  return true;
}

bool add_response(const Inside& in, const PayloadGuide& guide) {
  const Api* const api = guide.inner_api_key() < 0 ? nullptr : find_api(guide.inner_api_key());
  if (!api || !api->response || !api->response->versions.has(guide.inner_version())) return false;
  const ResponseHeader h = decode_response_header(in.value, response_header_version(*api, guide.inner_version()));
  if (h.error) return false;
  add_number(in, fields.correlation_id, 0, 4, h.correlation_id);
  add_message(in, *api->response, guide.inner_version(), h.size, in.around.context);
  return true;
}

/// As items of their own fields, where it is a message of the schema.
bool add_schema_message(const Inside& in, const Payload& p, const PayloadGuide& guide) {
  if (in.around.depth + 1 >= max_depth) return false;
  switch (p.kind) {
    case PayloadKind::consumer_subscription:
      return add_versioned(in, "ConsumerProtocolSubscription", guide);
    case PayloadKind::consumer_assignment:
      return add_versioned(in, "ConsumerProtocolAssignment", guide);
    case PayloadKind::principal:
      return add_versioned(in, "DefaultPrincipalData", guide);
    case PayloadKind::inner_request:
      return add_request(in);
    case PayloadKind::inner_response:
      return add_response(in, guide);
    default:
      return false;
  }
}

JsonWriter& writer() noexcept {
  static JsonWriter& json = *new JsonWriter;
  return json;
}

}  // namespace

PayloadWriter payload_writer() noexcept {
  static std::array<JsonDump*, 2> dumps{};
  JsonDump*& dump = dumps[preferences.show_secrets ? 1 : 0];
  if (!dump) dump = new JsonDump({.show_secrets = preferences.show_secrets != 0});
  writer().clear();
  return {*dump, writer()};
}

Payload look(PayloadGuide& guide, const Field& f, Bytes value) noexcept {
  const PayloadWriter w = payload_writer();
  Payload p;
  p.kind = guide.kind_of(f);
  p.decoded = decode_payload(w.dump, w.json, guide, f, value);
  p.json = w.json.view();
  return p;
}

void add_payload(const Body& around, const Payload& p, const PayloadGuide& guide, Bytes value, tvbuff_t* tvb, int at,
                 packet_info* pinfo, proto_tree* tree) {
  const int length = static_cast<int>(value.size());
  if (visible(tree) || asked_for(fields.payload)) {
    const std::string_view kind = name_of(p.kind);
    generated(proto_tree_add_string(tree, fields.payload, tvb, at, 0, text_for_item(kind, pinfo)));
  }
  if (!add_schema_message({around, value, tvb, at, pinfo, tree}, p, guide))
    add_json(tvb, at, length, p.json, pinfo, tree);
}

void add_token_parts(std::string_view mechanism, Bytes token, bool from_client, tvbuff_t* tvb, int at,
                     packet_info* pinfo, proto_tree* tree) {
  const PayloadWriter w = payload_writer();
  const bool show = preferences.show_secrets != 0;
  if (!write_sasl_token(w.json, mechanism, token, from_client, show)) return;
  add_json(tvb, at, show ? static_cast<int>(token.size()) : 0, w.json.view(), pinfo, tree);
}

void add_sasl_token(tvbuff_t* tvb, int at, Bytes token, const char* mechanism, bool from_client, packet_info* pinfo,
                    proto_tree* tree) {
  proto_tree* inside = tree;
  if (visible(tree) || asked_for(fields.sasl_token)) {
    proto_item* const item =
        token.empty() || preferences.show_secrets
            ? proto_tree_add_item(tree, fields.sasl_token, tvb, at, static_cast<int>(token.size()), ENC_NA)
            : proto_tree_add_bytes_format_value(tree, fields.sasl_token, tvb, at, 0, nullptr, "(redacted)");
    if (visible(tree)) inside = proto_item_add_subtree(item, subtrees.payload);
  }
  if (!token.empty()) add_token_parts(mechanism, token, from_client, tvb, at, pinfo, inside);
}

}  // namespace kparse::dissector
