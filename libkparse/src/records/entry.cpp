// SPDX-License-Identifier: MIT
// Finds the entries of a record set and reads their headers. Source: Kafka's ByteBufferLogInputStream.
#include "kparse/crc.h"
#include "kparse/record_walk.h"
#include "records/magic_two.h"
#include "records/message.h"

namespace kparse::detail {

namespace {

constexpr std::uint64_t up_to_magic = 17;  // every format has its magic byte as the 17th
constexpr std::uint64_t batch_header = 61;
constexpr std::uint16_t unused_attributes = 0xff80;

Error bad_codec(int codec, std::uint64_t offset) noexcept {
  return {
      .code = Code::unknownCodec, .limit = Limit::batch, .offset = offset, .have = static_cast<std::uint64_t>(codec)};
}

void read_draft(Bytes entry, const RecordOptions& options, bool crc_valid, Batch& b, Entry& out) noexcept {
  b.draft = true;
  if (!options.draft) {
    out.error = {.code = Code::unknownMagic, .limit = Limit::batch, .offset = b.position + 16, .have = 2};
    return;
  }
  DraftRecord m;
  out.error = options.draft->read(entry.subspan(entry_overhead), b.position + entry_overhead, m);
  b.readable = true;
  b.draft_form = m.form;
  b.crc = load_be<std::uint32_t>(entry.data() + 12);
  b.crc_checked = options.verify_crc;
  b.crc_valid = options.verify_crc && crc_valid;
  b.attributes = m.attributes;
  b.base_timestamp = b.max_timestamp = m.timestamp;
  b.timestamp_type = m.attributes & 8 ? TimestampType::LogAppendTime : TimestampType::CreateTime;
  b.payload = m.value;
  out.key = m.key;
  const int codec = m.attributes & 7;
  if (codec <= static_cast<int>(Codec::zstd)) b.codec = static_cast<Codec>(codec);
  if (!out.error && codec >= static_cast<int>(Codec::zstd)) out.error = bad_codec(codec, b.position + 17);
}

/// Neither checksum fits. A draft's message is one whose lengths add up, where a batch's fixed fields don't.
bool damaged_draft(Bytes entry, bool fits, const RecordOptions& options) noexcept {
  DraftRecord m;
  return options.draft && !(fits && looks_like_batch(entry)) &&
         !options.draft->read(entry.subspan(entry_overhead), 0, m);
}

void read_batch(Bytes entry, const RecordOptions& options, Batch& b, Entry& out) noexcept {
  const std::uint8_t* p = entry.data();
  const bool fits = b.batch_length >= smallest_batch;
  if (fits) {
    b.crc = load_be<std::uint32_t>(p + 17);
    b.attributes = load_be<std::int16_t>(p + 21);
    b.crc_checked = options.verify_crc;
    b.crc_valid = options.verify_crc && batch_crc_fits(entry);
  }
  const bool odd = !fits || (options.verify_crc ? !b.crc_valid : (b.attributes & unused_attributes) != 0);
  if (odd) {
    const bool draft = draft_crc_fits(entry);
    if (draft || damaged_draft(entry, fits, options)) {
      read_draft(entry, options, draft, b, out);
      return;
    }
  }
  if (!fits) {
    out.error = {.code = Code::badLength,
                 .limit = Limit::batch,
                 .offset = b.position + 8,
                 .need = static_cast<std::uint64_t>(b.batch_length),
                 .have = entry.size() - entry_overhead};
    return;
  }
  b.readable = true;
  b.partition_leader_epoch = load_be<std::int32_t>(p + 12);
  b.last_offset_delta = load_be<std::int32_t>(p + 23);
  b.base_timestamp = load_be<std::int64_t>(p + 27);
  b.max_timestamp = load_be<std::int64_t>(p + 35);
  b.producer_id = load_be<std::int64_t>(p + 43);
  b.producer_epoch = load_be<std::int16_t>(p + 51);
  b.base_sequence = load_be<std::int32_t>(p + 53);
  b.count = load_be<std::int32_t>(p + 57);
  b.timestamp_type = b.attributes & 8 ? TimestampType::LogAppendTime : TimestampType::CreateTime;
  b.transactional = b.attributes & 16;
  b.control = b.attributes & 32;
  b.has_delete_horizon = b.attributes & 64;
  b.payload = entry.subspan(batch_header);
  const int codec = b.attributes & 7;
  if (codec > static_cast<int>(Codec::zstd)) {
    out.error = bad_codec(codec, b.position + 21);
  } else {
    b.codec = static_cast<Codec>(codec);
  }
  if (b.count < 0) {
    out.error = {.code = Code::badCount,
                 .limit = Limit::batch,
                 .offset = b.position + 57,
                 .need = static_cast<std::uint64_t>(std::int64_t{b.count}),
                 .have = b.payload.size()};
  }
}

void read_outer_message(Bytes entry, const RecordOptions& options, Batch& b, Entry& out) noexcept {
  const Bytes body = entry.subspan(entry_overhead);
  const std::uint64_t body_at = b.position + entry_overhead;
  Message m;
  out.error = read_message(body, body_at, m);
  b.readable = m.magic == 0 || body.size() >= static_cast<std::size_t>(smallest_message1);
  if (!b.readable) return;
  b.crc = m.crc;
  b.crc_checked = options.verify_crc;
  b.crc_valid = options.verify_crc && crc_fits(body);
  b.attributes = m.attributes;
  b.base_timestamp = b.max_timestamp = m.timestamp;
  if (m.magic == 1) b.timestamp_type = m.attributes & 8 ? TimestampType::LogAppendTime : TimestampType::CreateTime;
  b.payload = m.value;
  out.key = m.key;
  const int codec = m.attributes & 7;
  if (codec <= static_cast<int>(Codec::zstd)) b.codec = static_cast<Codec>(codec);
  if (out.error) return;
  if (codec >= static_cast<int>(Codec::zstd)) {  // zstd is for batches only: KIP-110
    out.error = bad_codec(codec, body_at + 5);
  } else if (m.surplus > 0) {
    out.late = {.code = Code::surplus,
                .limit = Limit::record,
                .offset = b.position + entry.size() - m.surplus,
                .have = m.surplus};
  }
}

/// Could an entry begin here, or is this the end?
bool plausible(Bytes set, std::uint64_t at) noexcept {
  if (at == set.size()) return true;
  if (set.size() - at < up_to_magic) return false;
  return load_be<std::int32_t>(set.data() + at + 8) >= smallest_message && set[at + 16] <= 2;
}

}  // namespace

Entry read_entry(Bytes set, std::uint64_t at, const RecordOptions& options, Batch& b) noexcept {
  Entry out;
  const std::uint64_t left = set.size() - at;
  out.partial = left < entry_overhead;
  if (out.partial) return out;
  const std::uint8_t* p = set.data() + at;
  b.position = at;
  b.base_offset = load_be<std::int64_t>(p);
  b.batch_length = load_be<std::int32_t>(p + 8);
  if (left >= up_to_magic) b.magic = static_cast<std::int8_t>(p[16]);
  out.end = set.size();  // unless the length can be trusted
  if (b.batch_length < smallest_message) {
    out.error = {.code = Code::badLength,
                 .limit = Limit::batch,
                 .offset = at + 8,
                 .need = static_cast<std::uint64_t>(std::int64_t{b.batch_length}),
                 .have = left - entry_overhead};
    return out;
  }
  const std::uint64_t size = entry_overhead + static_cast<std::uint64_t>(b.batch_length);
  if (left < up_to_magic || (left < size && p[16] <= 2)) {
    out.partial = true;
    out.need = size;
    return out;
  }
  if (p[16] > 2) {
    out.error = {.code = Code::unknownMagic, .limit = Limit::batch, .offset = at + 16, .have = p[16]};
    if (size <= left && plausible(set, at + size)) out.end = at + size;
    return out;
  }
  out.end = at + size;
  const Bytes entry = set.subspan(at, size);
  b.magic == 2 ? read_batch(entry, options, b, out) : read_outer_message(entry, options, b, out);
  return out;
}

}  // namespace kparse::detail
