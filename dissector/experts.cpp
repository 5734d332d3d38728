// SPDX-License-Identifier: GPL-2.0-or-later
#include "experts.h"

#include <cinttypes>

#include "fields.h"
#include "legacy.h"
#include "schema_fields.h"

namespace kparse::dissector {

Experts experts;

namespace {

/// Old names of what is wrong (kafka.bad_varint and the like), shown beside the expert item.
struct OldNames {
  int string_length = -1, bytes_length = -1, array_length = -1, record_length = -1, varint = -1, set_length = -1,
      too_large = -1, size_mismatch = -1;
} old_names;

int old_name(const Error& e) noexcept {
  const bool in_records = e.limit == Limit::record || e.limit == Limit::header;
  switch (e.code) {
    case Code::badVarint:
      return old_names.varint;
    case Code::badCount:
      return old_names.array_length;
    case Code::badLength:
      if (in_records) return old_names.record_length;
      if (e.node == no_node) return old_names.bytes_length;
      return field(e.node).type == Type::string ? old_names.string_length : old_names.bytes_length;
    case Code::tooLarge:
    case Code::tooDense:
      return old_names.too_large;
    case Code::truncated:
      return e.limit == Limit::batch ? old_names.set_length : old_names.size_mismatch;
    case Code::surplus:
      return old_names.size_mismatch;
    default:
      return -1;
  }
}

/// Of the message that a field is part of; requests for what is no field.
Kind kind_of(NodeId node) noexcept {
  if (node == no_node) return Kind::request;
  while (field(node).parent != no_node) node = field(node).parent;
  const Message* message = find_message(field(node).name);
  return message ? message->kind : Kind::request;
}

bool in_payload(NodeId node) noexcept {
  const Kind kind = kind_of(node);
  return kind != Kind::request && kind != Kind::response && kind != Kind::header;
}

expert_field* expert_of(const Error& e) noexcept {
  switch (e.code) {
    case Code::lost:
    case Code::cut:
      return &experts.lost;
    case Code::unknownApi:
      return &experts.unknown_api;
    case Code::unknownVersion:
      return &experts.unknown_version;
    case Code::unknownMagic:
      return &experts.unknown_magic;
    case Code::tooLarge:
    case Code::tooDense:
      return &experts.limit;
    case Code::unknownCodec:
      return &experts.records;
    default:
      break;
  }
  switch (e.limit) {
    case Limit::batch:
    case Limit::record:
    case Limit::header:
    case Limit::block:
      return &experts.records;
    case Limit::capture:
      return &experts.limit;  // the frame has an item of its own that says so
    default:
      break;
  }
  // Clients put what they like into bytes fields: several write short ConsumerProtocolSubscriptions.
  return in_payload(e.node) ? &experts.remark : &experts.malformed;
}

/// The filter name of a field, "" where there is none.
const char* filter_name(NodeId node) {
  const int number = node == no_node ? -1 : schema_field(node);
  return number < 0 ? "" : proto_registrar_get_abbrev(number);
}

const char* inside(Limit limit) noexcept {
  switch (limit) {
    case Limit::none:
      return "";
    case Limit::frame:
      return " in the frame";
    case Limit::capture:
      return " in the capture";
    case Limit::tag:
      return " in the tagged field";
    case Limit::batch:
      return " in the batch";
    case Limit::record:
      return " in the record";
    case Limit::header:
      return " in the record's header";
    case Limit::payload:
      return " in the payload";
    case Limit::block:
      return " in the block";
  }
  return "";
}

/// Below the item that it is about, or nowhere.
void add_rule(std::string_view rule, proto_item* item, tvbuff_t* tvb, int at, int length) {
  if (!item) return;
  // A proto_item is a proto_tree; the views of name_of() end with a zero.
  proto_item_set_generated(proto_tree_add_string(item, fields.rule, tvb, at, length, rule.data()));
}

/// How bad a note is. Remarks are what is seen in traffic that works: librdkafka has bytes too many in some requests,
/// brokers send null records with some errors.
expert_field* expert_of(const Note& n) noexcept {
  switch (n.rule) {
    case Note::Rule::surplusBytes:
      return kind_of(n.node) == Kind::response ? &experts.note : &experts.remark;
    case Note::Rule::tagSize:
    case Note::Rule::tagOrder:
      return &experts.note;
    case Note::Rule::nullNotAllowed:
    case Note::Rule::altLayout:
    case Note::Rule::otherVersion:
    case Note::Rule::badUtf8:
      break;
  }
  return &experts.remark;
}

}  // namespace

const char* text_of(const Error& e, packet_info* pinfo) {
  const char* name = filter_name(e.node);
  const char* what = *name ? name : "What follows";
  const char* where = inside(e.limit);
  const auto need = e.need, have = e.have;
  switch (e.code) {
    case Code::none:
      return "";
    case Code::truncated:
      return wmem_strdup_printf(pinfo->pool, "%s needs %" PRIu64 " bytes, %" PRIu64 " are left%s", what, need, have,
                                where);
    case Code::badLength:
      return wmem_strdup_printf(pinfo->pool, "%s has the impossible length %" PRId64 "%s", what,
                                static_cast<std::int64_t>(need), where);
    case Code::badCount:
      return wmem_strdup_printf(pinfo->pool, "%s announces %" PRId64 " elements, but only %" PRIu64 " bytes are left%s",
                                what, static_cast<std::int64_t>(need), have, where);
    case Code::badVarint:
      return wmem_strdup_printf(pinfo->pool, "%s: a varint is longer than Kafka allows", what);
    case Code::badValue:
      return wmem_strdup_printf(pinfo->pool, "%s has a value that Kafka doesn't define", what);
    case Code::unknownApi:
      return wmem_strdup_printf(pinfo->pool, "API key %" PRIu64 " is not known here", have);
    case Code::unknownVersion:
      return wmem_strdup_printf(pinfo->pool, "Version %" PRIu64 " is newer than those known here", have);
    case Code::lost:
      return wmem_strdup_printf(pinfo->pool, "The capture lacks bytes: %" PRIu64 " of %" PRIu64 " are there", have,
                                need);
    case Code::cut:
      return wmem_strdup_printf(pinfo->pool, "Cut by the capture: %" PRIu64 " of %" PRIu64 " bytes are there", have,
                                need);
    case Code::surplus:
      return wmem_strdup_printf(pinfo->pool, "%" PRIu64 " bytes follow the last field", have);
    case Code::corrupt:
      return wmem_strdup_printf(pinfo->pool, "The compressed data is broken%s", where);
    case Code::unknownCodec:
      return wmem_strdup_printf(pinfo->pool, "Unknown compression codec %" PRIu64, have);
    case Code::unknownMagic:
      return wmem_strdup_printf(pinfo->pool, "Unknown record format (magic %" PRId64 ")",
                                static_cast<std::int64_t>(have));
    case Code::tooLarge:
      return wmem_strdup_printf(pinfo->pool,
                                "Larger than the limit of %" PRIu64 " bytes uncompressed (see preferences)", need);
    case Code::tooDense:
      return wmem_strdup_printf(pinfo->pool, "More than %" PRIu64 " times larger uncompressed: not opened", need);
    case Code::noMemory:
      return "Not enough memory";
  }
  return "";
}

const char* text_of(const Note& n, packet_info* pinfo) {
  const char* name = filter_name(n.node);
  switch (n.rule) {
    case Note::Rule::surplusBytes:
      return wmem_strdup_printf(pinfo->pool, "%" PRIu64 " bytes follow the last field", n.have);
    case Note::Rule::tagSize:
      return wmem_strdup_printf(pinfo->pool, "%s uses %" PRIu64 " of the %" PRIu64 " bytes of its tagged field", name,
                                n.have, n.need);
    case Note::Rule::tagOrder:
      return wmem_strdup_printf(pinfo->pool, "%s: tagged fields out of order or twice", name);
    case Note::Rule::nullNotAllowed:
      return wmem_strdup_printf(pinfo->pool, "%s is null, which Kafka's schema doesn't allow", name);
    case Note::Rule::altLayout:
      return "Laid out as an older release did under the same version number";
    case Note::Rule::otherVersion:
      return "Laid out as another version than the header says";
    case Note::Rule::badUtf8:
      return wmem_strdup_printf(pinfo->pool, "%s is not valid UTF-8", name);
  }
  return "";
}

void add_error(const Error& e, packet_info* pinfo, proto_item* item, tvbuff_t* tvb, int at, int length) {
  if (!e) return;
  expert_add_info_format(pinfo, item, expert_of(e), "%s", text_of(e, pinfo));
  if (!item) return;
  add_rule(name_of(e.code), item, tvb, at, length);
  if (const int old = old_name(e); old >= 0) {
    proto_item* hidden = proto_tree_add_item(item, old, tvb, at, length, ENC_NA);
    proto_item_set_hidden(hidden);
  }
}

void add_capture_end(const Error& e, Code why, packet_info* pinfo, proto_item* item, tvbuff_t* tvb, int at) {
  const char* const name = filter_name(e.node);
  expert_add_info_format(pinfo, item, &experts.limit, "%s: the rest is not in the capture", *name ? name : "What follows");
  add_rule(name_of(why), item, tvb, at, 0);
}

void add_note(const Note& n, packet_info* pinfo, proto_item* item, tvbuff_t* tvb, int at) {
  expert_add_info_format(pinfo, item, expert_of(n), "%s", text_of(n, pinfo));
  if (!item) return;
  add_rule(name_of(n.rule), item, tvb, at, 0);
  if (n.rule == Note::Rule::surplusBytes) {
    proto_item* hidden = proto_tree_add_item(item, old_names.size_mismatch, tvb, at, 0, ENC_NA);
    proto_item_set_hidden(hidden);
  }
}

void register_experts(int proto) {
  Experts& e = experts;
  // The last two of each row are Wireshark's own.
  static ei_register_info rows[] = {
      {&e.malformed, {"kparse.malformed", PI_MALFORMED, PI_ERROR, "Malformed: decoding stops here", EXPFILL}},
      {&e.note, {"kparse.deviation", PI_PROTOCOL, PI_WARN, "Not as Kafka writes it", EXPFILL}},
      {&e.remark, {"kparse.remark", PI_PROTOCOL, PI_NOTE, "Unusual, but known to occur", EXPFILL}},
      {&e.bad_crc, {"kparse.batch.crcBad", PI_CHECKSUM, PI_ERROR, "The batch's CRC is wrong", EXPFILL}},
      {&e.records, {"kparse.batch.unreadable", PI_MALFORMED, PI_ERROR, "The batch can't be read", EXPFILL}},
      {&e.unknown_magic, {"kafka.unknown_message_magic", PI_MALFORMED, PI_ERROR, "Unknown record format", EXPFILL}},
      {&e.partial_batch,
       {"kparse.batch.cut", PI_PROTOCOL, PI_CHAT, "The last batch is cut off: normal in a Fetch response", EXPFILL}},
      {&e.lost, {"kparse.bytesLost", PI_SEQUENCE, PI_WARN, "The capture lacks bytes", EXPFILL}},
      {&e.skipped, {"kparse.resync", PI_SEQUENCE, PI_WARN, "Bytes passed over to find the next frame", EXPFILL}},
      {&e.error_code, {"kparse.errorCode", PI_RESPONSE_CODE, PI_CHAT, "The response has an error code", EXPFILL}},
      {&e.unknown_api, {"kafka.unknown_api_key", PI_UNDECODED, PI_WARN, "Unknown API key", EXPFILL}},
      {&e.unknown_version,
       {"kafka.unsupported_api_version", PI_UNDECODED, PI_WARN, "Unknown version of the API", EXPFILL}},
      {&e.no_request, {"kafka.request_missing", PI_UNDECODED, PI_NOTE, "The request is not in this capture", EXPFILL}},
      {&e.no_response,
       {"kparse.responseMissing", PI_SEQUENCE, PI_NOTE, "The response is not in this capture", EXPFILL}},
      {&e.limit, {"kparse.limit", PI_UNDECODED, PI_NOTE, "Not all of it is shown", EXPFILL}},
  };
  expert_register_field_array(expert_register_protocol(proto), rows, array_length(rows));

  old_names.string_length = legacy_field("kafka.bad_string_length");
  old_names.bytes_length = legacy_field("kafka.bad_bytes_length");
  old_names.array_length = legacy_field("kafka.bad_array_length");
  old_names.record_length = legacy_field("kafka.bad_record_length");
  old_names.varint = legacy_field("kafka.bad_varint");
  old_names.set_length = legacy_field("kafka.ei_kafka_bad_message_set_length");
  old_names.too_large = legacy_field("kafka.ei_kafka_bad_decompression_length");
  old_names.size_mismatch = legacy_field("kafka.pdu_length_mismatch");
}

}  // namespace kparse::dissector
