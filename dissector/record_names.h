// SPDX-License-Identifier: GPL-2.0-or-later
// The old names (kafka.NAME) of batches, messages and records.
#pragma once

namespace kparse::dissector {

struct OldRecordNames {
  int offset, message_size, leader_epoch, message_magic, batch_crc, batch_codec, batch_timestamp_type,
      batch_transactional, batch_control_batch, batch_last_offset_delta, batch_first_timestamp, batch_last_timestamp,
      producer_id, producer_epoch, batch_base_sequence, batch_size, message_compression_reduction;
  int record_attributes, message_timestamp, message_key, message_value, header, header_key, header_value;
  int message_crc, message_codec, message_timestamp_type, truncated_content;
};
/// Looked up at the first call.
[[nodiscard]] const OldRecordNames& old_record_names();

}  // namespace kparse::dissector
