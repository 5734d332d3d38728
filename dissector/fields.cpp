// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields.h"

#include "compat.h"
#include "value_strings.h"

namespace kparse::dissector {

Fields fields;
Subtrees subtrees;

namespace {

const value_string codecs[] = {{0, "none"}, {1, "gzip"}, {2, "snappy"}, {3, "lz4"}, {4, "zstd"}, {0, nullptr}};
// Kafka's own numbers. Magic 0 has no timestamps.
const value_string timestamp_types[] = {
    {static_cast<guint32>(-1), "NoTimestampType"}, {0, "CreateTime"}, {1, "LogAppendTime"}, {0, nullptr}};

/// What Wireshark fills in itself stays away from the tables below.
hf_register_info row(int& number, const char* abbreviation, const char* name, ftenum type, int display,
                     const void* strings, const char* help) {
  return {&number, {name, abbreviation, type, display, strings, 0, help, HFILL}};
}
hf_register_info number(int& n, const char* abbreviation, const char* name, ftenum type, const char* help) {
  return row(n, abbreviation, name, type, BASE_DEC, nullptr, help);
}
hf_register_info hex(int& n, const char* abbreviation, const char* name, ftenum type, const char* help) {
  return row(n, abbreviation, name, type, BASE_HEX, nullptr, help);
}
hf_register_info named(int& n, const char* abbreviation, const char* name, ftenum type, ValueNames v,
                       const char* help) {
  return row(n, abbreviation, name, type, BASE_DEC | v.display, v.strings, help);
}
hf_register_info text(int& n, const char* abbreviation, const char* name, const char* help) {
  return row(n, abbreviation, name, FT_STRING, BASE_NONE, nullptr, help);
}
hf_register_info bytes(int& n, const char* abbreviation, const char* name, const char* help) {
  return row(n, abbreviation, name, FT_BYTES, BASE_NONE, nullptr, help);
}
/// Shown as text where it is some.
hf_register_info content(int& n, const char* abbreviation, const char* name, const char* help) {
  return row(n, abbreviation, name, FT_BYTES, BASE_NONE | BASE_SHOW_UTF_8_PRINTABLE, nullptr, help);
}
hf_register_info flag(int& n, const char* abbreviation, const char* name, const char* help) {
  return row(n, abbreviation, name, FT_BOOLEAN, BASE_NONE, nullptr, help);
}
hf_register_info frame(int& n, const char* abbreviation, const char* name, ft_framenum_type_t kind, const char* help) {
  return row(n, abbreviation, name, FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(kind), help);
}

void register_frame_fields(int proto) {
  Fields& f = fields;
  static hf_register_info rows[] = {
      number(f.length, "kparse.length", "Length", FT_INT32, "Bytes of the frame after this field"),
      named(f.api_key, "kparse.api_key", "API key", FT_INT16, api_names(),
            "What is asked for; of a response: by its request"),
      text(f.api, "kparse.api", "API", "Name of the API key: Produce, Fetch, ..."),
      number(f.version, "kparse.version", "API version", FT_INT16,
             "Version of the API; of a response: the one its request asked for"),
      number(f.correlation_id, "kparse.correlation_id", "Correlation ID", FT_INT32,
             "Number that a response has in common with its request"),
      text(f.client_id, "kparse.client_id", "Client ID", "Name that the client gives itself (client.id)"),
      number(f.header_tag, "kparse.header.tag", "Tagged field of the header", FT_UINT32,
             "Number of a tagged field in a request's or response's header"),
      number(f.offset, "kparse.stream_offset", "Offset in the stream", FT_UINT64,
             "Where the frame begins in its direction of the connection, in bytes"),
      flag(f.request, "kparse.request", "Request", "The frame is a request"),
      flag(f.response, "kparse.response", "Response", "The frame is a response"),
      frame(f.request_in, "kparse.request_in", "Request in", FT_FRAMENUM_REQUEST,
            "Packet in which the request of this response ends"),
      frame(f.response_in, "kparse.response_in", "Response in", FT_FRAMENUM_RESPONSE,
            "Packet in which the response to this request ends"),
      row(f.response_time, "kparse.response_time", "Response time", FT_RELATIVE_TIME, BASE_NONE, nullptr,
          "From the end of the request to the end of its response"),
      text(f.no_response, "kparse.no_response", "No response", "Why the request has no response"),
      number(f.lost, "kparse.lost", "Bytes lost", FT_UINT64, "Bytes of the stream that the capture lacks"),
      number(f.skipped, "kparse.skipped", "Bytes passed over", FT_UINT64, "Bytes passed over to find the next frame"),
      frame(f.piece, "kparse.segment", "Part of the frame in", FT_FRAMENUM_NONE,
            "Packet that carries part of this frame"),
      bytes(f.segment_data, "kparse.segment_data", "Part of a frame", "Bytes of a frame that ends in a later packet"),
      frame(f.reassembled_in, "kparse.reassembled_in", "Whole frame in", FT_FRAMENUM_NONE,
            "Packet in which the frame ends, and where it is shown"),
      bytes(f.sasl_token, "kparse.sasl_token", "SASL token",
            "Token of a SASL exchange that is not inside a Kafka request"),
      text(f.rule, "kparse.rule", "Rule", "What an expert item is about, as kparse names it"),
      named(f.error_code, "kparse.error_code", "Error code", FT_INT16, error_names(),
            "Any error code of a response but 0"),
      text(f.error_name, "kparse.error", "Error", "Name of an error code: NOT_LEADER_OR_FOLLOWER, ..."),
      text(f.topic, "kparse.topic", "Topic", "Name of a topic, also where the wire has only its id"),
      number(f.partition, "kparse.partition", "Partition", FT_INT32, "Number of a partition, in any message"),
      number(f.tag, "kparse.tag", "Unknown tagged field", FT_UINT32,
             "Number of a tagged field that Kafka's schema lacks"),
      bytes(f.tag_data, "kparse.tag_data", "Value", "Bytes of a tagged field that Kafka's schema lacks"),
      bytes(f.undecoded, "kparse.undecoded", "Not decoded",
            "Bytes that could not be read, or that no field is left for"),
      row(f.time, "kparse.time", "Time", FT_ABSOLUTE_TIME, ABSOLUTE_TIME_UTC, nullptr,
          "The time that an integer field means"),
      text(f.payload, "kparse.payload", "Payload", "Kind of what a bytes field holds: consumer-subscription, ..."),
      text(f.payload_value, "kparse.payload.value", "Value", "\"name: value\" in a decoded payload"),
  };
  proto_register_field_array(proto, rows, array_length(rows));
}

void register_batch_fields(int proto) {
  Fields::Batch& b = fields.batch;
  static hf_register_info rows[] = {
      number(b.base_offset, "kparse.batch.baseOffset", "baseOffset", FT_INT64,
             "Offset of the first record; of a compressed message (magic 0, 1): of its last one"),
      number(b.batch_length, "kparse.batch.batchLength", "batchLength", FT_INT32,
             "Bytes of the batch after this field"),
      number(b.partition_leader_epoch, "kparse.batch.partitionLeaderEpoch", "partitionLeaderEpoch", FT_INT32,
             "Epoch of the leader that appended the batch"),
      number(b.magic, "kparse.batch.magic", "magic", FT_INT8, "Record format: 0, 1 or 2"),
      hex(b.crc, "kparse.batch.crc", "crc", FT_UINT32, "CRC-32C of what follows it (magic 0 and 1: CRC-32)"),
      row(b.crc_status, "kparse.batch.crc.status", "crc status", FT_UINT8, BASE_NONE, VALS(proto_checksum_vals),
          "Is the CRC right?"),
      flag(b.crc_good, "kparse.batch.crcValid", "crcValid", "The CRC is right"),
      hex(b.attributes, "kparse.batch.attributes", "attributes", FT_UINT16, "Codec and flags"),
      row(b.codec, "kparse.batch.codec", "codec", FT_UINT8, BASE_DEC, VALS(codecs), "How the records are compressed"),
      row(b.timestamp_type, "kparse.batch.timestampType", "timestampType", FT_INT8, BASE_DEC, VALS(timestamp_types),
          "Who set the records' timestamps: the producer or the broker"),
      flag(b.transactional, "kparse.batch.transactional", "transactional", "The batch is part of a transaction"),
      flag(b.control, "kparse.batch.control", "control", "The batch holds control records, no data"),
      flag(b.has_delete_horizon, "kparse.batch.hasDeleteHorizon", "hasDeleteHorizon",
           "baseTimestamp is the delete horizon"),
      number(b.last_offset_delta, "kparse.batch.lastOffsetDelta", "lastOffsetDelta", FT_INT32,
             "Offset of the last record, from baseOffset on"),
      number(b.base_timestamp, "kparse.batch.baseTimestamp", "baseTimestamp", FT_INT64,
             "What the records' timestamps count from, ms since 1970"),
      number(b.max_timestamp, "kparse.batch.maxTimestamp", "maxTimestamp", FT_INT64,
             "Largest timestamp, or the time of the append; ms since 1970"),
      number(b.delete_horizon, "kparse.batch.deleteHorizon", "deleteHorizon", FT_INT64,
             "When compaction may remove the batch's tombstones, ms since 1970"),
      number(b.producer_id, "kparse.batch.producerId", "producerId", FT_INT64, "-1: not idempotent"),
      number(b.producer_epoch, "kparse.batch.producerEpoch", "producerEpoch", FT_INT16, "Epoch of the producer"),
      number(b.base_sequence, "kparse.batch.baseSequence", "baseSequence", FT_INT32,
             "Sequence number of the first record"),
      number(b.count, "kparse.batch.count", "count", FT_INT32, "Records in the batch"),
      number(b.compressed, "kparse.batch.compressedSize", "compressed size", FT_UINT32,
             "Bytes of the records on the wire"),
      number(b.uncompressed, "kparse.batch.uncompressedSize", "uncompressed size", FT_UINT64,
             "Bytes of the records once uncompressed"),
      text(b.draft, "kparse.batch.draft", "draft", "Profile of KIP-82's drafts by which the message is read"),
      text(b.draft_integers, "kparse.batch.draftIntegers", "draftIntegers",
           "How the draft message writes the integers of its headers: int32, messagepack, tfile"),
      number(b.partial, "kparse.batch.partial", "Partial batch", FT_UINT32,
             "Bytes at the end that are no whole batch: normal in a Fetch response"),
      number(b.partial_need, "kparse.batch.partial.need", "Bytes of the whole batch", FT_UINT64,
             "How long the batch would be that is cut off here"),
  };
  proto_register_field_array(proto, rows, array_length(rows));
}

void register_record_fields(int proto) {
  Fields::Record& r = fields.record;
  static hf_register_info rows[] = {
      number(r.offset, "kparse.record.offset", "offset", FT_INT64, "Offset in the partition"),
      number(r.timestamp, "kparse.record.timestamp", "timestamp", FT_INT64,
             "ms since 1970, as the batch's timestampType says"),
      number(r.sequence, "kparse.record.sequence", "sequence", FT_INT32, "Sequence number of an idempotent producer"),
      hex(r.attributes, "kparse.record.attributes", "attributes", FT_UINT8, "Unused in magic 2"),
      number(r.size, "kparse.record.size", "size", FT_INT32, "Bytes of the record after this field"),
      content(r.key, "kparse.record.key", "key", "Key of a record"),
      content(r.value, "kparse.record.value", "value", "Value of a record"),
      text(r.key_text, "kparse.record.key.text", "key as text", "Key of a record, if it is text"),
      text(r.value_text, "kparse.record.value.text", "value as text", "Value of a record, if it is text"),
      text(r.header, "kparse.record.header", "header", "A record's header as \"name: value\""),
      text(r.header_name, "kparse.record.header.name", "name", "Name of a record's header"),
      content(r.header_value, "kparse.record.header.value", "value", "Value of a record's header"),
      number(r.header_key, "kparse.record.header.key", "key", FT_INT32, "Integer key of a KIP-82 draft's header"),
      text(r.header_registered, "kparse.record.header.registered", "registered name",
           "Name of a KIP-82 draft's header key"),
      text(r.control, "kparse.record.control", "control",
           "What a control record says: COMMIT, ABORT, LeaderChange, ..."),
      hex(r.crc, "kparse.record.crc", "crc", FT_UINT32, "CRC-32 of a message inside a compressed one"),
  };
  proto_register_field_array(proto, rows, array_length(rows));
}

}  // namespace

void register_fields(int proto) {
  register_frame_fields(proto);
  register_batch_fields(proto);
  register_record_fields(proto);
  Subtrees& s = subtrees;
  static int* const trees[] = {&s.frame,     &s.header,  &s.body,       &s.array,  &s.element,
                               &s.structure, &s.batch,   &s.attributes, &s.record, &s.record_headers,
                               &s.pieces,    &s.payload, &s.tag};
  proto_register_subtree_array(trees, array_length(trees));
}

}  // namespace kparse::dissector
