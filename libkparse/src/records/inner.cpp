// SPDX-License-Identifier: MIT
// Messages inside a compressed message of magic 0 or 1. Source: Kafka's AbstractLegacyRecordBatch.DeepRecordsIterator.
#include "kparse/record_walk.h"
#include "records/message.h"

namespace kparse::detail {

namespace {

struct Found {
  std::int32_t count = 0;
  std::int64_t last_offset = 0;
  Error error;  ///< a size that no message has: what follows can't be found
};

Error bad_size(std::int32_t size, std::uint64_t at, std::uint64_t left) noexcept {
  return {.code = Code::badLength,
          .limit = Limit::batch,
          .offset = at + 8,
          .need = static_cast<std::uint64_t>(std::int64_t{size}),
          .have = left - entry_overhead};
}

/// Offsets are relative to that of the last message, so that has to be known first. Looks at the sizes only.
Found look_ahead(Bytes data) noexcept {
  Found found;
  for (std::uint64_t at = 0; data.size() - at >= entry_overhead;) {
    const std::uint64_t left = data.size() - at;
    const auto size = load_be<std::int32_t>(data.data() + at + 8);
    if (size < smallest_message) {
      found.error = bad_size(size, at, left);
      break;
    }
    if (static_cast<std::uint64_t>(size) > left - entry_overhead) break;
    found.last_offset = load_be<std::int64_t>(data.data() + at);
    ++found.count;
    at += entry_overhead + static_cast<std::uint64_t>(size);
  }
  return found;
}

}  // namespace

InnerSet open_inner(Batch& batch, std::uint64_t payload_at, const RecordOptions& options, Scratch& scratch) noexcept {
  InnerSet set;
  set.verify_crc = options.verify_crc;
  set.draft = batch.draft ? options.draft : nullptr;
  if (!batch.payload.data()) {
    set.error = {.code = Code::badValue, .limit = Limit::batch, .offset = batch.position};
    return set;
  }
  set.data = open_payload(batch, payload_at, options, scratch, set.error);
  const Found found = look_ahead(set.data);
  if (!set.error) set.error = found.error;
  batch.count = found.count;
  if (found.count == 0 && !set.error) {
    set.error = {.code = Code::badCount, .limit = Limit::batch, .have = set.data.size()};
  }
  if (batch.magic == 0 || batch.base_offset == 0) return set;  // offsets are absolute; or as some producers send them
  if (set.error) {
    set.data = {};  // the last message isn't known, so no offset is
  } else if (batch.base_offset < found.last_offset) {
    set.data = {};
    set.error = {.code = Code::badValue,
                 .limit = Limit::batch,
                 .offset = batch.position,
                 .need = static_cast<std::uint64_t>(found.last_offset),
                 .have = static_cast<std::uint64_t>(batch.base_offset)};
  } else {
    set.base = static_cast<std::int64_t>(static_cast<std::uint64_t>(batch.base_offset) -
                                         static_cast<std::uint64_t>(found.last_offset));
  }
  return set;
}

bool next_inner(InnerSet& set, Batch& batch, Record& record) noexcept {
  const std::uint64_t left = set.data.size() - set.at;
  if (left == 0) return false;
  const std::uint8_t* const at = set.data.data() + set.at;
  const auto stop = [&set](Error e) noexcept {
    if (!set.error) set.error = e;
    set.data = {};
    set.at = 0;
    return false;
  };
  if (left < entry_overhead) {
    return stop(
        {.code = Code::truncated, .limit = Limit::batch, .offset = set.at, .need = entry_overhead, .have = left});
  }
  const auto size = load_be<std::int32_t>(at + 8);
  if (size < smallest_message) return stop(bad_size(size, set.at, left));
  const auto length = static_cast<std::uint64_t>(size);
  if (length > left - entry_overhead) {
    return stop({.code = Code::truncated,
                 .limit = Limit::batch,
                 .offset = set.at + entry_overhead,
                 .need = length,
                 .have = left - entry_overhead});
  }
  const Bytes body = set.data.subspan(set.at + entry_overhead, length);
  const std::uint64_t body_at = set.at + entry_overhead;
  Message message;
  DraftRecord draft;
  if (set.draft && body[4] == 2) {
    if (const Error e = set.draft->read(body, body_at, draft)) return stop(e);
    message.magic = 2;
    message.attributes = draft.attributes;
    message.timestamp = draft.timestamp;
    message.key = draft.key;
    message.value = draft.value;
  } else if (const Error e = read_message(body, body_at, message)) {
    return stop(e);
  }
  if (message.attributes & 7) {  // compressed once more: Kafka allows one level
    return stop({.code = Code::badValue, .limit = Limit::record, .offset = body_at + 5, .have = message.attributes});
  }
  if (message.surplus > 0 && !set.error) {
    set.error = {.code = Code::surplus,
                 .limit = Limit::record,
                 .offset = body_at + length - message.surplus,
                 .have = message.surplus};
  }
  if (set.verify_crc && !crc_fits(body)) ++batch.inner_crc_bad;

  record = {};
  record.offset = sum(set.base, load_be<std::int64_t>(at));
  const bool log_append = batch.timestamp_type == TimestampType::LogAppendTime;
  record.timestamp = message.magic == 0 ? -1 : log_append ? batch.base_timestamp : message.timestamp;
  record.key = message.key;
  record.value = message.value;
  record.header_count = draft.header_count;
  record.headers = draft.headers;
  record.index = set.index++;
  set.at += entry_overhead + length;
  return true;
}

void add_draft_headers(Bytes entries, const Batch& batch, const RecordOptions& options, Record& record) noexcept {
  DraftRecord m;
  const Bytes body = entries.subspan(batch.position + entry_overhead, static_cast<std::size_t>(batch.batch_length));
  if (!options.draft || options.draft->read(body, 0, m)) return;  // read_entry has told what is wrong
  record.header_count = m.header_count;
  record.headers = m.headers;
}

}  // namespace kparse::detail
