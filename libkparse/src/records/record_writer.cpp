// SPDX-License-Identifier: MIT
#include "kparse/record_writer.h"

#include <algorithm>
#include <limits>

#include "records/message_write.h"

namespace kparse {
namespace {

constexpr std::int8_t append_time = 8;

bool for_batches_only(const NewBatch& b) noexcept {
  return b.transactional || b.control || b.delete_horizon || b.producer_id != -1;
}

}  // namespace

std::array<std::uint8_t, 4> control_key(std::int16_t type) noexcept {
  return {0, 0, static_cast<std::uint8_t>(type >> 8), static_cast<std::uint8_t>(type)};
}

std::array<std::uint8_t, 6> end_transaction_value(std::int32_t coordinator_epoch) noexcept {
  const auto e = static_cast<std::uint32_t>(coordinator_epoch);
  return {0,
          0,
          static_cast<std::uint8_t>(e >> 24),
          static_cast<std::uint8_t>(e >> 16),
          static_cast<std::uint8_t>(e >> 8),
          static_cast<std::uint8_t>(e)};
}

void RecordWriter::fail(Code code) noexcept {
  if (!error_) error_ = {.code = code, .limit = Limit::batch};
}

void RecordWriter::begin(const NewBatch& batch) noexcept {
  batch_ = batch;
  records_.clear();
  error_ = {};
  count_ = 0;
  next_offset_ = batch.base_offset;
  last_offset_ = batch.base_offset - 1;
  base_timestamp_ = max_timestamp_ = -1;
  if (batch.magic < 0 || batch.magic > 2) fail(Code::unknownMagic);
  if (batch.codec > Codec::zstd || (batch.codec == Codec::zstd && batch.magic < 2)) fail(Code::unknownCodec);
  if (batch.magic < 2 && for_batches_only(batch)) fail(Code::badValue);
}

void RecordWriter::add(const NewRecord& record) noexcept {
  if (error_) return;
  if (count_ == std::numeric_limits<std::int32_t>::max()) return fail(Code::tooLarge);
  const std::int64_t offset = record.offset.value_or(next_offset_);
  if (count_ == 0) base_timestamp_ = record.timestamp;
  max_timestamp_ = std::max(max_timestamp_, record.timestamp);
  batch_.magic == 2 ? add_record(record, offset) : add_message(record, offset);
  last_offset_ = offset;
  next_offset_ = static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) + 1);
  ++count_;
}

void RecordWriter::add_end_transaction(bool commit, std::int32_t coordinator_epoch, std::int64_t timestamp) noexcept {
  const auto key = control_key(commit ? 1 : 0);
  const auto value = end_transaction_value(coordinator_epoch);
  add({.timestamp = timestamp, .key = key, .value = value});
}

void RecordWriter::add_message(const NewRecord& record, std::int64_t offset) noexcept {
  if (!record.headers.empty()) return fail(Code::badValue);
  const bool alone = batch_.codec == Codec::none;
  const bool appended = batch_.magic == 1 && batch_.timestamp_type == TimestampType::LogAppendTime;
  const auto from_base = static_cast<std::uint64_t>(offset) - static_cast<std::uint64_t>(batch_.base_offset);
  NewMessage m{.offset = batch_.magic == 1 && !alone ? static_cast<std::int64_t>(from_base) : offset,
               .magic = batch_.magic,
               .attributes = appended ? append_time : std::int8_t{0},
               .timestamp = appended && alone ? batch_.log_append_time : record.timestamp,
               .key = record.key,
               .value = record.value,
               .crc_xor = record.wrong.crc_xor,
               .length = record.wrong.length,
               .key_length = record.wrong.key_length,
               .value_length = record.wrong.value_length};
  if (alone) {
    m.crc_xor ^= batch_.wrong.crc_xor;
    if (batch_.wrong.length) m.length = batch_.wrong.length;
    if (batch_.wrong.magic) m.magic = *batch_.wrong.magic;
    if (batch_.wrong.attributes) m.attributes = static_cast<std::int8_t>(*batch_.wrong.attributes);
  }
  if (!write_message(m, records_)) fail(Code::tooLarge);
}

Error RecordWriter::finish(Scratch& scratch, Writer& out) noexcept {
  if (!error_ && !records_.ok()) fail(Code::noMemory);
  if (error_) return error_;
  records_.bytes(batch_.wrong.surplus);
  const std::size_t before = out.size();
  if (const Error e = batch_.magic == 2 ? finish_batch(scratch, out) : finish_messages(scratch, out))
    error_ = e;
  else if (!out.ok())
    fail(Code::noMemory);
  if (error_) out.truncate(before);
  return error_;
}

Error RecordWriter::finish_messages(Scratch& scratch, Writer& out) noexcept {
  if (batch_.codec == Codec::none || count_ == 0) {
    out.bytes(records_.view());
    return {};
  }
  compressed_.clear();
  CompressOptions how = batch_.compression;
  how.lz4_header = batch_.magic == 0 ? Lz4Header::lenient : Lz4Header::checked;
  if (const Error e = compress(batch_.codec, records_.view(), scratch, compressed_, how)) return e;
  const bool appended = batch_.magic == 1 && batch_.timestamp_type == TimestampType::LogAppendTime;
  const auto attributes = static_cast<std::int16_t>(static_cast<int>(batch_.codec) | (appended ? append_time : 0));
  const NewMessage m{.offset = last_offset_,
                     .magic = batch_.wrong.magic.value_or(batch_.magic),
                     .attributes = static_cast<std::int8_t>(batch_.wrong.attributes.value_or(attributes)),
                     .timestamp = appended ? batch_.log_append_time : batch_.max_timestamp.value_or(max_timestamp_),
                     .key = {},
                     .value = compressed_.view(),
                     .crc_xor = batch_.wrong.crc_xor,
                     .length = batch_.wrong.length,
                     .key_length = {},
                     .value_length = {}};
  return write_message(m, out) ? Error{} : Error{.code = Code::tooLarge, .limit = Limit::batch};
}

}  // namespace kparse
