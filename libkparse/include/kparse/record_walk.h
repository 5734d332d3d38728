// SPDX-License-Identifier: MIT
// The loop over a record set: batch by batch, record by record, into a sink. One pass, nothing is copied or allocated
// but the scratch's output buffer for compressed data.
#pragma once

#include <cstdint>

#include "kparse/compress.h"
#include "kparse/records.h"
#include "kparse/varint.h"

namespace kparse {

namespace detail {

/// What stands at a place of a record set.
struct Entry {
  bool partial = false;    ///< the set ends within it
  std::uint64_t need = 0;  ///< partial: size of the whole, 0 unknown
  std::uint64_t end = 0;   ///< where the next one begins
  Error error;             ///< it can't be opened
  Error late;              ///< to be told after its records
  Bytes key;               ///< magic 0, 1: of the outer message
};
[[nodiscard]] Entry read_entry(Bytes set, std::uint64_t at, const RecordOptions&, Batch&) noexcept;

/// The batch's records or inner messages, uncompressed; with an error as far as they go.
[[nodiscard]] Bytes open_payload(Batch&, std::uint64_t payload_at, const RecordOptions&, Scratch&, Error&) noexcept;

/// The messages inside a compressed message.
struct InnerSet {
  Bytes data;
  std::uint64_t at = 0;
  std::int32_t index = 0;
  std::int64_t base = 0;  ///< to be added to the offsets
  Error error;            ///< to be told after the messages that could be read
  bool verify_crc = true;
  DraftDecoder* draft = nullptr;
};
[[nodiscard]] InnerSet open_inner(Batch&, std::uint64_t payload_at, const RecordOptions&, Scratch&) noexcept;
/// False: no more, or set.error says why not.
[[nodiscard]] bool next_inner(InnerSet& set, Batch&, Record&) noexcept;

/// The headers of a draft message; key and value are known already.
void add_draft_headers(Bytes set, const Batch&, const RecordOptions&, Record&) noexcept;

/// Why the record at data[at] can't be read; `base` is added to the offset.
[[nodiscard]] Error record_error(Bytes data, std::uint64_t at, std::uint64_t base) noexcept;
[[nodiscard]] std::int16_t control_type(Bytes key) noexcept;

/// A length, any negative one meaning null, and so many bytes.
[[nodiscard]] inline const std::uint8_t* read_nullable(const std::uint8_t* at, const std::uint8_t* end,
                                                       Bytes& out) noexcept {
  std::int32_t length = 0;
  at = read_varint(at, end, length);
  if (!at || length > end - at) [[unlikely]]
    return nullptr;
  if (length < 0) {
    out = {};
    return at;
  }
  out = {at, static_cast<std::size_t>(length)};
  return at + length;
}

/// A sink that reads the headers of each record anyway may check them itself: it has a member checks_headers, and its
/// record() returns whether they are whole, to their last byte. False: nothing of the record counts.
template <class S>
concept ChecksHeaders = requires { S::checks_headers; };

/// Header by header up to `stop`, where the last one has to end.
[[nodiscard]] inline bool headers_whole(const std::uint8_t* at, const std::uint8_t* stop, std::int32_t count) noexcept {
  for (; count > 0; --count) {
    Bytes name, value;
    if (!(at = read_nullable(at, stop, name)) || !name.data()) [[unlikely]]
      return false;
    if (!(at = read_nullable(at, stop, value))) [[unlikely]]
      return false;
  }
  return at == stop;
}

/// One record of magic 2. nullptr: not one (record_error tells why). `check`: its headers, too.
template <bool check = true>
[[nodiscard]] inline const std::uint8_t* read_record(const std::uint8_t* at, const std::uint8_t* end, Record& out,
                                                     std::int64_t& timestamp_delta,
                                                     std::int32_t& offset_delta) noexcept {
  std::int32_t length = 0;
  at = read_varint(at, end, length);
  if (!at || length <= 0 || length > end - at) [[unlikely]]
    return nullptr;
  const std::uint8_t* const stop = at + length;
  ++at;  // attributes: unused
  if (!(at = read_varlong(at, stop, timestamp_delta))) [[unlikely]]
    return nullptr;
  if (!(at = read_varint(at, stop, offset_delta))) [[unlikely]]
    return nullptr;
  if (!(at = read_nullable(at, stop, out.key))) [[unlikely]]
    return nullptr;
  if (!(at = read_nullable(at, stop, out.value))) [[unlikely]]
    return nullptr;
  std::int32_t count = 0;
  if (!(at = read_varint(at, stop, count)) || count < 0) [[unlikely]]
    return nullptr;
  out.header_count = count;
  out.headers = {at, static_cast<std::size_t>(stop - at)};
  if (check || count == 0) return headers_whole(at, stop, count) ? stop : nullptr;
  return stop;
}

/// Wraps from the largest to 0. Source: Kafka's DefaultRecordBatch.incrementSequence, overflow included.
[[nodiscard]] inline std::int32_t sequence_at(std::int32_t base, std::int32_t delta) noexcept {
  if (base < 0) return -1;
  const auto b = static_cast<std::uint32_t>(base), d = static_cast<std::uint32_t>(delta);
  const auto room = static_cast<std::int32_t>(0x7fffffffu - d);
  return static_cast<std::int32_t>(base > room ? d - (0x7fffffffu - b) - 1 : b + d);
}

[[nodiscard]] inline std::int64_t sum(std::int64_t a, std::int64_t b) noexcept {  // wraps, as Java's
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

template <class S>
[[nodiscard]] Error walk_batch(Batch& batch, std::uint64_t payload_at, const RecordOptions& options, Scratch& scratch,
                               S& sink) noexcept {
  if (batch.count == 0) return {};  // emptied by compaction: whatever follows isn't even decompressed
  Error codec_error;
  const Bytes data = open_payload(batch, payload_at, options, scratch, codec_error);
  const std::uint64_t base = batch.codec == Codec::none ? payload_at : 0;
  const bool log_append = batch.timestamp_type == TimestampType::LogAppendTime;
  const std::int64_t first_offset = batch.base_offset, first_time = batch.base_timestamp, time = batch.max_timestamp;
  const std::int32_t first_sequence = batch.base_sequence, count = batch.count;
  const bool control = batch.control;

  const std::uint8_t* at = data.data();
  const std::uint8_t* const end = at + data.size();
  for (std::int32_t i = 0; i < count; ++i) {
    Record record;
    std::int64_t timestamp_delta = 0;
    std::int32_t offset_delta = 0;
    const auto failed = [&]() noexcept {
      return codec_error ? codec_error : record_error(data, static_cast<std::uint64_t>(at - data.data()), base);
    };
    const std::uint8_t* const next = read_record<!ChecksHeaders<S>>(at, end, record, timestamp_delta, offset_delta);
    if (!next) [[unlikely]]
      return failed();
    record.offset = sum(first_offset, offset_delta);
    record.timestamp = log_append ? time : sum(first_time, timestamp_delta);
    record.sequence = sequence_at(first_sequence, offset_delta);
    record.index = i;
    if (control) [[unlikely]]
      record.control_type = control_type(record.key);
    if constexpr (ChecksHeaders<S>) {
      if (!sink.record(static_cast<const Batch&>(batch), static_cast<const Record&>(record))) [[unlikely]]
        return failed();
    } else {
      sink.record(static_cast<const Batch&>(batch), static_cast<const Record&>(record));
    }
    at = next;
  }
  if (codec_error) return codec_error;
  if (at == end) return {};
  return {.code = Code::surplus,
          .limit = Limit::batch,
          .offset = base + static_cast<std::uint64_t>(at - data.data()),
          .have = static_cast<std::uint64_t>(end - at)};
}

template <class S>
[[nodiscard]] Error walk_message(Bytes set, Batch& batch, Bytes key, std::uint64_t payload_at,
                                 const RecordOptions& options, Scratch& scratch, S& sink) noexcept {
  Record record;
  if (batch.codec == Codec::none) {
    batch.count = 1;
    batch.uncompressed = batch.payload.size();
    batch.opened = batch.payload;
    record.offset = batch.base_offset;
    record.timestamp = batch.base_timestamp;
    record.key = key;
    record.value = batch.payload;
    if (batch.draft) [[unlikely]]
      add_draft_headers(set, batch, options, record);
    sink.record(static_cast<const Batch&>(batch), static_cast<const Record&>(record));
    return {};
  }
  InnerSet inner = open_inner(batch, payload_at, options, scratch);
  while (next_inner(inner, batch, record))
    sink.record(static_cast<const Batch&>(batch), static_cast<const Record&>(record));
  return inner.error;
}

}  // namespace detail

/// Reads all of a record set (the bytes of a `records` field, a log segment, a snapshot) into a sink (see RecordSink).
/// What Kafka's readers refuse gives an error on its batch, with the records before it; the next batch is read all the
/// same where its place is known. Records of a batch with a wrong CRC are given: the batch says so.
/// The sink may not use `scratch` while it is called. Cost: about 40 clock ticks a small record, besides CRC and codec.
template <class S>
void read_records(Bytes record_set, const RecordOptions& options, Scratch& scratch, S& sink) noexcept {
  for (std::uint64_t at = 0; at < record_set.size();) {
    Batch batch;
    const detail::Entry entry = detail::read_entry(record_set, at, options, batch);
    if (entry.partial) {
      sink.partial(record_set.size() - at, entry.need);
      return;
    }
    at = entry.end;
    Error error = entry.error;
    const bool wanted = sink.begin_batch(static_cast<const Batch&>(batch));
    if (!error && wanted && options.open) {
      const std::uint64_t payload_at =
          batch.payload.data() ? static_cast<std::uint64_t>(batch.payload.data() - record_set.data()) : 0;
      error = batch.magic == 2 && !batch.draft
                  ? detail::walk_batch(batch, payload_at, options, scratch, sink)
                  : detail::walk_message(record_set, batch, entry.key, payload_at, options, scratch, sink);
      if (!error) error = entry.late;
    }
    sink.end_batch(static_cast<const Batch&>(batch), static_cast<const Error&>(error));
  }
}

}  // namespace kparse
