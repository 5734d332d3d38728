// SPDX-License-Identifier: GPL-2.0-or-later
#include "frame_tree.h"

#include "body.h"
#include "experts.h"
#include "fields.h"
#include "items.h"
#include "kept_bytes.h"
#include "kparse/decode.h"
#include "kparse/schema.h"
#include "legacy.h"
#include "lint_items.h"
#include "payload_tree.h"
#include "protocol.h"
#include "record_tree.h"
#include "taps.h"

namespace kparse::dissector {

namespace {

int builtin_protocol = -1;

struct OldNames {
  int len = legacy_field("kafka.len"), api_key = legacy_field("kafka.api_key"),
      request_key = legacy_field("kafka.request_key"), response_key = legacy_field("kafka.response_key"),
      api_version = legacy_field("kafka.api_version"), request_version = legacy_field("kafka.request.version"),
      response_version = legacy_field("kafka.response.version"), correlation_id = legacy_field("kafka.correlation_id"),
      client_id = legacy_field("kafka.client_id"), request_frame = legacy_field("kafka.request_frame"),
      response_frame = legacy_field("kafka.response_frame");
};
const OldNames& old_names() {
  static const OldNames names;
  return names;
}

nstime_t time_of(std::int64_t ns) noexcept {
  nstime_t t;
  t.secs = static_cast<time_t>(ns / 1'000'000'000);
  t.nsecs = static_cast<int>(ns % 1'000'000'000);
  return t;
}

/// "Fetch", or "API 1234".
const char* api_name(const Pdu& p, packet_info* pinfo) {
  if (const Api* api = p.api()) return wmem_strndup(pinfo->pool, api->name.data(), api->name.size());
  return p.api_key < 0 ? "Unknown API" : wmem_strdup_printf(pinfo->pool, "API %d", p.api_key);
}

/// "Produce v9 Request".
const char* title_of(const Pdu& p, packet_info* pinfo) {
  switch (p.kind) {
    case Pdu::Kind::request:
      if (!p.header_whole && p.api_key < 0) return "Request";
      return wmem_strdup_printf(pinfo->pool, "%s v%d Request", api_name(p, pinfo), p.version);
    case Pdu::Kind::response:
      if (p.matched) return wmem_strdup_printf(pinfo->pool, "%s v%d Response", api_name(p, pinfo), p.request_version);
      if (const Api* guess = p.guess >= 0 ? find_api(p.guess) : nullptr)
        return wmem_strdup_printf(pinfo->pool, "Response without request (%.*s?)", static_cast<int>(guess->name.size()),
                                  guess->name.data());
      return "Response without request";
    case Pdu::Kind::sasl:
      return *p.words->mechanism ? wmem_strdup_printf(pinfo->pool, "SASL token (%s)", p.words->mechanism) : "SASL token";
    case Pdu::Kind::gap:
      return wmem_strdup_printf(pinfo->pool, "%" G_GUINT64_FORMAT " bytes %s", p.missing,
                                p.cut ? "cut by the snapshot length" : "not in this capture");
    case Pdu::Kind::skipped:
      return wmem_strdup_printf(pinfo->pool, "%" G_GUINT64_FORMAT " bytes skipped to find the next frame", p.missing);
  }
  return "";
}

Bytes bytes_at(tvbuff_t* tvb, std::uint32_t at) {
  const int left = static_cast<int>(tvb_captured_length(tvb)) - static_cast<int>(at);
  if (left <= 0) return {};
  return {tvb_get_ptr(tvb, static_cast<int>(at), left), static_cast<std::size_t>(left)};
}

/// What the Info column says of a body: " · orders-0 · 12 records · NOT_LEADER_OR_FOLLOWER".
void append_summary(wmem_strbuf_t* text, const BodySummary& s) {
  if (s.topic) {
    wmem_strbuf_append_printf(text, " · %s", s.topic);
    if (s.partition >= 0) wmem_strbuf_append_printf(text, "-%d", s.partition);
    const std::uint32_t more = s.partitions > s.topics ? s.partitions : s.topics;
    if (more > 1) wmem_strbuf_append_printf(text, " +%u", more - 1);
  } else if (s.group && *s.group) {
    wmem_strbuf_append_printf(text, " · %s", s.group);
  }
  if (s.records >= 0)
    wmem_strbuf_append_printf(text, " · %" G_GINT64_FORMAT " record%s", s.records, s.records == 1 ? "" : "s");
  if (s.errors == 0) return;
  const std::string_view name = error_name(s.error);
  if (name.empty())
    wmem_strbuf_append_printf(text, " · error %d", s.error);
  else
    wmem_strbuf_append_printf(text, " · %.*s", static_cast<int>(name.size()), name.data());
  if (s.errors > 1) wmem_strbuf_append_printf(text, " +%u", s.errors - 1);
}

void add_pieces(const Pdu& p, tvbuff_t* tvb, proto_tree* tree) {
  if (!p.is_kept || p.kept->piece_count == 0) return;
  const Kept& kept = *p.kept;
  proto_item* item = nullptr;
  proto_tree* const pieces = proto_tree_add_subtree_format(tree, tvb, 0, 0, subtrees.pieces, &item, "From %u packet%s",
                                                           kept.piece_count, kept.piece_count == 1 ? "" : "s");
  generated(item);
  for (std::uint32_t i = 0; i < kept.piece_count; ++i)
    generated(proto_tree_add_uint_format(pieces, fields.piece, tvb, 0, 0, kept.pieces[i].packet, "Packet %u: %u bytes",
                                         kept.pieces[i].packet, kept.pieces[i].bytes));
}

void add_links(const Pdu& p, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree) {
  const OldNames& old = old_names();
  const Exchange* const e = p.exchange;
  if (p.kind == Pdu::Kind::request && e) {
    if (e->response_frame > 0) {
      generated(proto_tree_add_uint(tree, fields.response_in, tvb, 0, 0, e->response_frame));
      hidden(proto_tree_add_uint(tree, old.response_frame, tvb, 0, 0, e->response_frame));
    } else if (!e->answer_expected) {
      generated(proto_tree_add_string(tree, fields.no_response, tvb, 0, 0, "none expected (acks=0)"));
    } else if (PINFO_FD_VISITED(pinfo)) {
      proto_item* const item =
          generated(proto_tree_add_string(tree, fields.no_response, tvb, 0, 0, "none in this capture"));
      expert_add_info(pinfo, item, &experts.no_response);
    }
  }
  if (p.kind != Pdu::Kind::response) return;
  if (e && e->request_frame > 0) {
    generated(proto_tree_add_uint(tree, fields.request_in, tvb, 0, 0, e->request_frame));
    hidden(proto_tree_add_uint(tree, old.request_frame, tvb, 0, 0, e->request_frame));
    const nstime_t latency = time_of(p.latency_ns);
    generated(proto_tree_add_time(tree, fields.response_time, tvb, 0, 0, &latency));
    if (!p.expected) generated(proto_tree_add_string(tree, fields.no_response, tvb, 0, 0, "answered although acks=0"));
  }
}

/// "" when it is null.
const char* client_id_of(const Pdu& p, tvbuff_t* tvb, packet_info* pinfo) {
  if (p.client_id_null) return "";
  return reinterpret_cast<const char*>(tvb_get_string_enc(pinfo->pool, tvb, 14, tvb_get_ntohs(tvb, 12), ENC_UTF_8));
}

void add_header(const Pdu& p, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree) {
  const OldNames& old = old_names();
  const int here = static_cast<int>(p.bytes);
  if (p.kind == Pdu::Kind::request && p.header_whole) {
    proto_tree_add_int(tree, fields.api_key, tvb, 4, 2, p.api_key);
    hidden(proto_tree_add_int(tree, old.api_key, tvb, 4, 2, p.api_key));
    hidden(proto_tree_add_int(tree, old.request_key, tvb, 4, 2, p.api_key));
    proto_tree_add_int(tree, fields.version, tvb, 6, 2, p.version);
    hidden(proto_tree_add_int(tree, old.api_version, tvb, 6, 2, p.version));
    hidden(proto_tree_add_int(tree, old.request_version, tvb, 6, 2, p.version));
    proto_tree_add_int(tree, fields.correlation_id, tvb, 8, 4, p.correlation_id);
    hidden(proto_tree_add_int(tree, old.correlation_id, tvb, 8, 4, p.correlation_id));
    if (p.header_version >= 1 && here >= 14) {
      const char* const text = client_id_of(p, tvb, pinfo);
      const int length = p.client_id_null ? 2 : 2 + tvb_get_ntohs(tvb, 12);
      if (p.client_id_null)
        proto_tree_add_string_format_value(tree, fields.client_id, tvb, 12, length, text, "null");
      else
        proto_tree_add_string(tree, fields.client_id, tvb, 12, length, text);
      hidden(proto_tree_add_string(tree, old.client_id, tvb, 12, length, p.client_id_null ? nullptr : text));
    }
  }
  if (p.kind == Pdu::Kind::response) {
    if (p.matched) {
      generated(proto_tree_add_int(tree, fields.api_key, tvb, 0, 0, p.api_key));
      hidden(proto_tree_add_int(tree, old.api_key, tvb, 0, 0, p.api_key));
      hidden(proto_tree_add_int(tree, old.response_key, tvb, 0, 0, p.api_key));
      generated(proto_tree_add_int(tree, fields.version, tvb, 0, 0, p.request_version));
      hidden(proto_tree_add_int(tree, old.response_version, tvb, 0, 0, p.request_version));
    }
    if (p.header_whole && here >= 8) {
      proto_tree_add_int(tree, fields.correlation_id, tvb, 4, 4, p.correlation_id);
      hidden(proto_tree_add_int(tree, old.correlation_id, tvb, 4, 4, p.correlation_id));
    }
  }
  if (p.api() && (p.kind == Pdu::Kind::request || p.matched)) generated(proto_tree_add_string(tree, fields.api, tvb, 0, 0, api_name(p, pinfo)));
}

/// The header as the schema has it, with its tagged fields.
void add_header_fields(const Pdu& p, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree) {
  if (!p.header_whole || p.body_at <= 4 || p.bytes < p.body_at) return;
  static const Message* const headers[2] = {find_message("RequestHeader"), find_message("ResponseHeader")};
  const Message* const header = headers[p.kind == Pdu::Kind::request ? 0 : 1];
  if (!wants_body(tree, *header)) return;
  const Bytes bytes = bytes_at(tvb, 4).first(p.body_at - 4);
  proto_item* item = nullptr;
  proto_tree* const sub = proto_tree_add_subtree_format(tree, tvb, 4, static_cast<int>(bytes.size()), subtrees.header,
                                                        &item, "Header v%d", p.header_version);
  add_body(decode_body(*header, p.header_version, bytes, p, 0), tvb, 4, pinfo, sub, item);
}

void add_what_is_wrong(const Pdu& p, packet_info* pinfo, proto_item* top) {
  if (!p.whole())
    expert_add_info_format(pinfo, top, &experts.lost, "%s: %u of %u bytes are there",
                           p.error == Code::cut ? "Cut" : "Bytes are missing", p.bytes - 4, p.size);
  if (p.kind == Pdu::Kind::response && !p.matched) {
    expert_add_info(pinfo, top, &experts.no_request);
    return;
  }
  if (!p.header_whole || p.kind == Pdu::Kind::sasl) return;
  if (!p.api())
    expert_add_info_format(pinfo, top, &experts.unknown_api, "API key %d is newer than this plugin", p.api_key);
  else if (!p.known)
    expert_add_info_format(pinfo, top, &experts.unknown_version, "%s version %d is newer than this plugin",
                           api_name(p, pinfo), p.version);
}

void add_undecoded(tvbuff_t* tvb, std::uint32_t at, proto_tree* tree) {
  const int left = static_cast<int>(tvb_captured_length(tvb)) - static_cast<int>(at);
  if (left > 0) proto_tree_add_item(tree, fields.undecoded, tvb, static_cast<int>(at), left, ENC_NA);
}

void add_missing(const Pdu& p, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree) {
  const bool gap = p.kind == Pdu::Kind::gap;
  proto_item* const top = proto_tree_add_protocol_format(tree, proto_kparse, tvb, 0, 0, "Kafka (kparse), %s, from the %s",
                                                         title_of(p, pinfo), p.from == Side::client ? "client" : "server");
  proto_tree* const sub = proto_item_add_subtree(top, subtrees.frame);
  generated(proto_tree_add_uint64(sub, gap ? fields.lost : fields.skipped, tvb, 0, 0, p.missing));
  expert_add_info_format(pinfo, top, gap ? &experts.lost : &experts.skipped, "%s", title_of(p, pinfo));
}

/// Of the fields that don't come from the schema.
bool frame_fields_asked() {
  const Fields& f = fields;
  const OldNames& o = old_names();
  if (experts_wanted() || asked_for(experts.no_response.hf)) return true;
  for (int field : {f.length, f.api_key, f.api, f.version, f.correlation_id, f.client_id, f.offset, f.request, f.response,
                    f.request_in, f.response_in, f.response_time, f.no_response, f.piece, o.len, o.api_key, o.request_key,
                    o.response_key, o.api_version, o.request_version, o.response_version, o.correlation_id, o.client_id,
                    o.request_frame, o.response_frame})
    if (asked_for(field)) return true;
  return false;
}

void add_frame(const Pdu& p, const Message* message, std::uint32_t body_at, tvbuff_t* tvb, packet_info* pinfo,
               proto_tree* tree) {
  const bool all = visible(tree);
  const int bytes = static_cast<int>(p.bytes);
  proto_item* const top =
      all ? proto_tree_add_protocol_format(tree, proto_kparse, tvb, 0, bytes, "Kafka (kparse), %s, %u bytes",
                                           title_of(p, pinfo), p.size)
          : proto_tree_add_item(tree, proto_kparse, tvb, 0, bytes, ENC_NA);
  proto_tree* const sub = proto_item_add_subtree(top, subtrees.frame);
  if (builtin_protocol >= 0) hidden(proto_tree_add_item(tree, builtin_protocol, tvb, 0, bytes, ENC_NA));
  if (all || frame_fields_asked()) {
    add_pieces(p, tvb, sub);
    proto_tree_add_int(sub, fields.length, tvb, 0, 4, static_cast<std::int32_t>(p.size));
    hidden(proto_tree_add_int(sub, old_names().len, tvb, 0, 4, static_cast<std::int32_t>(p.size)));
    generated(proto_tree_add_uint64(sub, fields.offset, tvb, 0, 0, p.offset));
    if (p.kind != Pdu::Kind::sasl)
      generated(
          proto_tree_add_boolean(sub, p.kind == Pdu::Kind::request ? fields.request : fields.response, tvb, 0, 0, 1));
    add_links(p, tvb, pinfo, sub);
    if (p.kind != Pdu::Kind::sasl) add_header(p, tvb, pinfo, sub);
  }
  add_what_is_wrong(p, pinfo, top);
  add_lint(p, tvb, pinfo, sub);
  if (p.kind == Pdu::Kind::sasl) {
    add_sasl_token(tvb, 4, bytes_at(tvb, 4), p.words->mechanism, p.from == Side::client, pinfo, sub);
    return;
  }
  add_header_fields(p, tvb, pinfo, sub);
  if (!message)
    add_undecoded(tvb, body_at, sub);
  else if (wants_body(tree, *message))
    add_body(decode_body(*message, p.version, bytes_at(tvb, body_at), p, 0), tvb, static_cast<int>(body_at), pinfo, sub,
             top);
}

/// `first`: of what this packet shows.
void append_info(packet_info* pinfo, bool first, const char* text) {
  if (!first) col_append_str(pinfo->cinfo, COL_INFO, " | ");
  col_append_str(pinfo->cinfo, COL_INFO, text);
}

/// From what was kept of it and `packet`: in packet scope.
const std::uint8_t* whole_frame(const Kept& kept, std::uint32_t bytes, tvbuff_t* packet, packet_info* pinfo) {
  auto* const whole = static_cast<std::uint8_t*>(wmem_alloc(pinfo->pool, bytes));
  put_kept(kept, whole);
  if (kept.here > 0) tvb_memcpy(packet, whole + (bytes - kept.here), 0, kept.here);
  return whole;
}

void show_frame(const Pdu& p, tvbuff_t* packet, packet_info* pinfo, proto_tree* tree, bool info, bool first) {
  if (info) append_info(pinfo, first, title_of(p, pinfo));
  // Wireshark's list of expert items asks for no tree.
  const bool fill = tree || experts_wanted();
  if (p.kind == Pdu::Kind::gap || p.kind == Pdu::Kind::skipped) {
    if (fill) add_missing(p, packet, pinfo, tree);
    tap_frame(p, nullptr, pinfo, nullptr);
    return;
  }
  tvbuff_t* tvb;
  if (p.is_kept) {
    if (!fill && !info && !anybody_listens()) return;
    tvb = tvb_new_child_real_data(packet, whole_frame(*p.kept, p.bytes, packet, pinfo), p.bytes, static_cast<int>(p.bytes));
    if (tree) add_new_data_source(pinfo, tvb, wmem_strdup_printf(pinfo->pool, "Kafka frame, %u bytes", p.bytes));
  } else {
    tvb = tvb_new_subset_length(packet, static_cast<int>(p.at), static_cast<int>(p.bytes));
  }
  const Message* const message = p.message();
  const std::uint32_t body_at = p.body_at < p.bytes ? p.body_at : p.bytes;

  if (info && message) {
    wmem_strbuf_t* const text = wmem_strbuf_new(pinfo->pool, "");
    append_summary(text, summarise(decode_body(*message, p.version, bytes_at(tvb, body_at), p, 0), pinfo));
    col_append_str(pinfo->cinfo, COL_INFO, wmem_strbuf_get_str(text));
  }
  if (fill) add_frame(p, message, body_at, tvb, pinfo, tree);
  const bool tells_client = p.kind == Pdu::Kind::request && !p.client_id_null && have_tap_listener(frame_tap);
  tap_frame(p, tvb, pinfo, tells_client ? client_id_of(p, tvb, pinfo) : nullptr);
}

/// What the bytes of this packet are that belong to no frame; nullptr: nothing to say.
const char* rest_of(const Shown& s, const char* foreign, bool not_kafka, packet_info* pinfo) {
  if (s.tells) return wmem_strdup_printf(pinfo->pool, "[not Kafka: %s]", foreign);
  switch (s.rest) {
    case Shown::Rest::none:
      return nullptr;
    case Shown::Rest::early:
      return wmem_strdup_printf(pinfo->pool, "[%u bytes before their turn]", s.rest_bytes);
    case Shown::Rest::old:
      return s.first ? nullptr : wmem_strdup_printf(pinfo->pool, "[%u bytes that were there already]", s.rest_bytes);
    case Shown::Rest::waiting:
      if (s.first) return nullptr;
      if (not_kafka) return wmem_strdup_printf(pinfo->pool, "[not Kafka: %s]", foreign);
      if (PINFO_FD_VISITED(pinfo) && *s.completed_in > 0)
        return wmem_strdup_printf(pinfo->pool, "[%u bytes of a frame that ends in packet %u]", s.rest_bytes,
                                  *s.completed_in);
      return wmem_strdup_printf(pinfo->pool, "[%u bytes of a frame]", s.rest_bytes);
  }
  return nullptr;
}

void show_rest(const Shown& s, const char* foreign, bool not_kafka, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree, bool info) {
  if (!info && !tree) return;
  if (s.rest == Shown::Rest::waiting && *s.completed_in == pinfo->num) return;  // shown among what came late
  const char* const what = rest_of(s, foreign, not_kafka, pinfo);
  if (info && what) append_info(pinfo, !s.first, what);
  if (!tree) return;
  const int length = static_cast<int>(tvb_captured_length(tvb));
  if (s.rest == Shown::Rest::waiting && !not_kafka) {
    const int waiting = static_cast<int>(s.rest_bytes) < length ? static_cast<int>(s.rest_bytes) : length;
    proto_item* const item =
        proto_tree_add_protocol_format(tree, proto_kparse, tvb, length - waiting, waiting,
                                       "Kafka (kparse), %d bytes of a frame that goes on in a later packet", waiting);
    proto_tree* const sub = proto_item_add_subtree(item, subtrees.frame);
    proto_tree_add_item(sub, fields.segment_data, tvb, length - waiting, waiting, ENC_NA);
    if (*s.completed_in > 0) generated(proto_tree_add_uint(sub, fields.reassembled_in, tvb, 0, 0, *s.completed_in));
  } else if (what) {
    proto_tree_add_protocol_format(tree, proto_kparse, tvb, 0, length, "Kafka (kparse), %s", what);
  }
}

}  // namespace

void set_builtin_protocol(int proto) { builtin_protocol = proto; }

void show_frames(const Shown& shown, const Shown* late, const char* foreign, bool not_kafka, tvbuff_t* tvb, packet_info* pinfo, proto_tree* tree) {
  const bool info = pinfo->cinfo && col_get_writable(pinfo->cinfo, COL_INFO);
  col_set_str(pinfo->cinfo, COL_PROTOCOL, "Kafka");
  col_clear(pinfo->cinfo, COL_INFO);
  for (const Pdu* p = shown.first; p; p = p->next) show_frame(*p, tvb, pinfo, tree, info, p == shown.first);
  for (const Pdu* p = late ? late->first : nullptr; p; p = p->next)
    show_frame(*p, tvb, pinfo, tree, info, !shown.first && p == late->first);
  show_rest(shown, foreign, not_kafka, tvb, pinfo, tree, info);
  col_set_fence(pinfo->cinfo, COL_INFO);
}

}  // namespace kparse::dissector
