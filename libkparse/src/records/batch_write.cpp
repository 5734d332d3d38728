// SPDX-License-Identifier: MIT
// RecordWriter's magic 2.
#include <algorithm>
#include <limits>

#include "kparse/crc.h"
#include "kparse/record_writer.h"

namespace kparse {
namespace {

constexpr std::size_t largest = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t length_at = 8, crc_at = 17, checked_at = 21;  // in the batch

void write_sized(Bytes b, std::optional<std::int32_t> length, Writer& out) noexcept {
  out.varint(length.value_or(b.data() ? static_cast<std::int32_t>(b.size()) : -1));
  out.bytes(b);
}

bool fits(const NewRecord& r) noexcept {
  if (r.key.size() > largest || r.value.size() > largest || r.headers.size() > largest) return false;
  return std::all_of(r.headers.begin(), r.headers.end(),
                     [](const RecordHeader& h) { return h.name.size() <= largest && h.value.size() <= largest; });
}

std::int64_t minus(std::int64_t a, std::int64_t b) noexcept {  // wraps, as Java's
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int16_t attributes_of(const NewBatch& b) noexcept {
  int a = static_cast<int>(b.codec);
  if (b.timestamp_type == TimestampType::LogAppendTime) a |= 8;
  if (b.transactional) a |= 16;
  if (b.control) a |= 32;
  if (b.delete_horizon) a |= 64;
  return static_cast<std::int16_t>(a);
}

}  // namespace

void RecordWriter::add_record(const NewRecord& record, std::int64_t offset) noexcept {
  if (!fits(record)) return fail(Code::tooLarge);
  const std::int64_t offset_delta = minus(offset, batch_.base_offset);
  if (offset_delta != static_cast<std::int32_t>(offset_delta)) return fail(Code::badValue);
  const std::int64_t base =
      batch_.delete_horizon ? *batch_.delete_horizon : batch_.base_timestamp.value_or(base_timestamp_);
  const std::size_t at = records_.reserve_uvarint();
  records_.be(record.attributes);
  records_.varlong(record.wrong.timestamp_delta.value_or(minus(record.timestamp, base)));
  records_.varint(record.wrong.offset_delta.value_or(static_cast<std::int32_t>(offset_delta)));
  write_sized(record.key, record.wrong.key_length, records_);
  write_sized(record.value, record.wrong.value_length, records_);
  records_.varint(record.wrong.header_count.value_or(static_cast<std::int32_t>(record.headers.size())));
  for (const RecordHeader& h : record.headers) {
    records_.varint(static_cast<std::int32_t>(h.name.size()));
    records_.text(h.name);
    write_sized(h.value, {}, records_);
  }
  const std::size_t size = records_.size() - at - 1;
  if (size > largest) return fail(Code::tooLarge);
  const std::int32_t length = record.wrong.length.value_or(static_cast<std::int32_t>(size));
  records_.patch_uvarint(at, static_cast<std::uint32_t>(length) << 1 ^ static_cast<std::uint32_t>(length >> 31));
}

Error RecordWriter::finish_batch(Scratch& scratch, Writer& out) noexcept {
  const std::int64_t last_delta = minus(last_offset_, batch_.base_offset);
  const std::int64_t base =
      batch_.delete_horizon ? *batch_.delete_horizon : batch_.base_timestamp.value_or(base_timestamp_);
  const bool appended = batch_.timestamp_type == TimestampType::LogAppendTime;
  const std::int64_t latest = appended ? batch_.log_append_time : max_timestamp_;

  const std::size_t at = out.size();
  out.be(batch_.base_offset);
  out.be(std::int32_t{0});
  out.be(batch_.partition_leader_epoch);
  out.be(batch_.wrong.magic.value_or(2));
  out.be(std::uint32_t{0});
  out.be(batch_.wrong.attributes.value_or(attributes_of(batch_)));
  out.be(batch_.last_offset_delta.value_or(static_cast<std::int32_t>(last_delta)));
  out.be(base);
  out.be(batch_.max_timestamp.value_or(latest));
  out.be(batch_.producer_id);
  out.be(batch_.producer_epoch);
  out.be(batch_.base_sequence);
  out.be(batch_.wrong.count.value_or(count_));
  if (records_.size() > 0)  // emptied by compaction: not even an empty stream of the codec
    if (const Error e = compress(batch_.codec, records_.view(), scratch, out, batch_.compression)) return e;
  const std::size_t size = out.size() - at - length_at - 4;
  if (size > largest) return {.code = Code::tooLarge, .limit = Limit::batch, .need = largest, .have = size};
  if (!out.ok()) return {};
  out.patch_be(at + length_at, batch_.wrong.length.value_or(static_cast<std::int32_t>(size)));
  out.patch_be(at + crc_at, crc32c(out.view().subspan(at + checked_at)) ^ batch_.wrong.crc_xor);
  return {};
}

}  // namespace kparse
