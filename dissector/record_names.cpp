// SPDX-License-Identifier: GPL-2.0-or-later
#include "record_names.h"

#include "fields.h"
#include "items.h"
#include "legacy.h"
#include "record_items.h"
#include "record_tree.h"

namespace kparse::dissector {
namespace {

template <std::size_t N>
bool any(const int (&numbers)[N]) {
  for (const int n : numbers)
    if (asked_for(n)) return true;
  return false;
}

bool batches_asked_for() {
  const Fields::Batch& b = fields.batch;
  const OldRecordNames& o = old_record_names();
  return any({b.base_offset,
              b.batch_length,
              b.partition_leader_epoch,
              b.magic,
              b.crc,
              b.crc_status,
              b.crc_good,
              b.attributes,
              b.codec,
              b.timestamp_type,
              b.transactional,
              b.control,
              b.has_delete_horizon,
              b.last_offset_delta,
              b.base_timestamp,
              b.max_timestamp,
              b.delete_horizon,
              b.producer_id,
              b.producer_epoch,
              b.base_sequence,
              b.count,
              b.compressed,
              b.partial,
              b.partial_need,
              fields.time}) ||
         any({o.message_size, o.leader_epoch, o.message_magic, o.batch_crc, o.batch_codec, o.batch_timestamp_type,
              o.batch_transactional, o.batch_control_batch, o.batch_last_offset_delta, o.batch_first_timestamp,
              o.batch_last_timestamp, o.producer_id, o.producer_epoch, o.batch_base_sequence, o.batch_size,
              o.message_crc, o.message_codec, o.message_timestamp_type, o.truncated_content});
}

}  // namespace

const OldRecordNames& old_record_names() {
  static const OldRecordNames names{
      .offset = legacy_field("kafka.offset"),
      .message_size = legacy_field("kafka.message_size"),
      .leader_epoch = legacy_field("kafka.leader_epoch"),
      .message_magic = legacy_field("kafka.message_magic"),
      .batch_crc = legacy_field("kafka.batch_crc"),
      .batch_codec = legacy_field("kafka.batch_codec"),
      .batch_timestamp_type = legacy_field("kafka.batch_timestamp_type"),
      .batch_transactional = legacy_field("kafka.batch_transactional"),
      .batch_control_batch = legacy_field("kafka.batch_control_batch"),
      .batch_last_offset_delta = legacy_field("kafka.batch_last_offset_delta"),
      .batch_first_timestamp = legacy_field("kafka.batch_first_timestamp"),
      .batch_last_timestamp = legacy_field("kafka.batch_last_timestamp"),
      .producer_id = legacy_field("kafka.producer_id"),
      .producer_epoch = legacy_field("kafka.producer_epoch"),
      .batch_base_sequence = legacy_field("kafka.batch_base_sequence"),
      .batch_size = legacy_field("kafka.batch_size"),
      .message_compression_reduction = legacy_field("kafka.message_compression_reduction"),
      .record_attributes = legacy_field("kafka.record_attributes"),
      .message_timestamp = legacy_field("kafka.message_timestamp"),
      .message_key = legacy_field("kafka.message_key"),
      .message_value = legacy_field("kafka.message_value"),
      .header = legacy_field("kafka.header"),
      .header_key = legacy_field("kafka.header_key"),
      .header_value = legacy_field("kafka.header_value"),
      .message_crc = legacy_field("kafka.message_crc"),
      .message_codec = legacy_field("kafka.message_codec"),
      .message_timestamp_type = legacy_field("kafka.message_timestamp_type"),
      .truncated_content = legacy_field("kafka.truncated_content"),
  };
  return names;
}

namespace {

RecordWants wants_of(bool all) {
  const Fields::Record& r = fields.record;
  const OldRecordNames& o = old_record_names();
  RecordWants w;
  w.all = all;
  w.content = w.all || any({r.key, r.value, r.key_text, r.value_text, r.control, fields.payload, fields.payload_value,
                            o.message_key, o.message_value});
  w.headers = w.all || any({r.header, r.header_name, r.header_value, r.header_key, r.header_registered, o.header, o.header_key, o.header_value});
  w.records = w.content || w.headers ||
              any({r.offset, r.timestamp, r.sequence, r.attributes, r.size, r.crc, fields.time, o.offset,
                   o.record_attributes, o.message_timestamp, o.message_size, o.message_magic, o.message_crc,
                   o.message_codec, o.message_timestamp_type});
  w.sizes = w.all || experts_wanted() || any({fields.batch.uncompressed, o.message_compression_reduction});
  return w;
}

}  // namespace

RecordWants RecordWants::of(proto_tree* tree) {
  if (visible(tree)) return {true, true, true, true, true};
  if (filters_look() || experts_wanted()) return wants_of(false);
  static const RecordWants fixed = wants_of(false);
  return fixed;
}

bool records_asked_for() {
  const RecordWants w = RecordWants::of(nullptr);
  return w.records || w.sizes || batches_asked_for();
}

}  // namespace kparse::dissector
