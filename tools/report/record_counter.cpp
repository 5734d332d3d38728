// SPDX-License-Identifier: MIT
#include "report/record_counter.h"

#include <algorithm>
#include <limits>

#include "kparse/record_walk.h"

namespace kparse::report {
namespace {

constexpr std::uint64_t offset_and_length = 12;  // of a batch or message, before its batchLength counts

struct Counter : RecordSink {
  const TopicRef& topic;
  TopicRow* row;
  TopicFlow* flow;
  HeaderTable& table;
  KeyBuilder& key;
  const HeaderRegister& names;
  bool int_keys;           // of draft messages
  bool in_table;           // headers are counted by name
  RecordListener* const also;
  RecordListener* const batches_also;
  std::uint64_t record_number;

  // Kept here, not in the tables, while the loop runs: the compiler may hold them in registers.
  std::uint64_t records = 0, control = 0, headers = 0, batches = 0, unread = 0, crc_bad = 0;
  std::uint64_t key_bytes = 0, value_bytes = 0, header_sum = 0, compressed = 0, uncompressed = 0;
  std::uint64_t null_keys = 0, null_values = 0, with_headers = 0;
  std::int64_t first_time = std::numeric_limits<std::int64_t>::max(), last_time = std::numeric_limits<std::int64_t>::min();
  std::uint64_t before_batch = 0;

  Counter(const RecordsSeen& seen, TopicRow* r, HeaderTable& t, KeyBuilder& k, const HeaderRegister& n, const DraftDecoder* draft,
          RecordListener* a, std::uint64_t numbered)
      : topic(seen.topic),
        row(r),
        flow(!r ? nullptr : seen.via == Via::produce ? &r->produced : &r->fetched),
        table(t),
        key(k),
        names(n),
        int_keys(draft && draft->int_keys()),
        in_table(seen.via != Via::snapshot),
        also(a),
        batches_also(seen.also),
        record_number(numbered) {}

  bool begin_batch(const Batch& batch) noexcept {
    if (also) also->begin_batch(batch);
    if (batches_also) batches_also->begin_batch(batch);
    before_batch = records;
    return true;
  }

  static constexpr bool checks_headers = true;

  bool record(const Batch& batch, const Record& r) noexcept {
    HeaderSums sums;
    if (r.header_count > 0) {
      if (!count_headers(batch, r, sums)) [[unlikely]] return false;
      headers += static_cast<std::uint64_t>(r.header_count);
      header_sum += sums.bytes;
    }
    if (also) also->record(batch, r);
    ++records;
    key_bytes += r.key.size();
    value_bytes += r.value.size();
    if (batch.control) [[unlikely]] {
      if (batches_also) batches_also->record(batch, r);
      ++control;
      return true;
    }
    if (row) add_to_row(r, sums);
    return true;
  }

  void add_to_row(const Record& r, const HeaderSums& sums) noexcept {
    with_headers += r.header_count > 0;
    row->carriers.headers(sums.marks);
    if (r.value.data()) row->carriers.value(r);
    null_keys += r.key.data() == nullptr;
    null_values += r.value.data() == nullptr;
    row->record_bytes.add(static_cast<std::int64_t>(r.key.size() + r.value.size() + sums.bytes));
    if (r.timestamp >= 0) {
      first_time = std::min(first_time, r.timestamp);
      last_time = std::max(last_time, r.timestamp);
    }
  }

  bool count_headers(const Batch& batch, const Record& r, HeaderSums& sums) {
    const HeaderMeaning meaning{names, ++record_number, batch.draft && int_keys};
    if (row) return row->places.count(r, meaning, topic, table, key, sums);
    if (!in_table) return count_header_bytes(r, sums);
    HeaderPlaces none;
    return none.count(r, meaning, topic, table, key, sums);
  }

  void partial(std::uint64_t bytes, std::uint64_t need) noexcept {
    if (also) also->partial(bytes, need);
    if (batches_also) batches_also->partial(bytes, need);
  }

  void end_batch(const Batch& batch, const Error& error) noexcept {
    if (also) also->end_batch(batch, error);
    if (batches_also) batches_also->end_batch(batch, error);
    ++batches;
    if (error) ++unread;
    if (batch.crc_checked && !batch.crc_valid) ++crc_bad;
    if (batch.readable && batch.codec != Codec::none && !error) {
      compressed += batch.payload.size();
      uncompressed += batch.uncompressed;
    }
    if (!row) return;
    ++flow->batches;
    if (batch.batch_length > 0) flow->bytes += static_cast<std::uint64_t>(batch.batch_length) + offset_and_length;
    if (error.code == Code::unknownCodec) {
      ++row->codecs.back();
    } else if (batch.readable) {
      ++row->codecs[static_cast<std::size_t>(batch.codec)];
    }
    if (!error && !batch.control) row->records_per_batch.add(static_cast<std::int64_t>(records - before_batch));
  }

  void settle(Seen& seen, bool produced, bool snapshot) {
    seen.batches += batches;
    seen.batches_unread += unread;
    seen.crc_bad += crc_bad;
    seen.records += records;
    if (produced) {
      seen.records_produced += records;
    } else {
      seen.records_fetched += records;
    }
    if (snapshot) seen.records_snapshot += records;
    seen.control_records += control;
    seen.headers += headers;
    seen.key_bytes += key_bytes;
    seen.value_bytes += value_bytes;
    seen.header_bytes += header_sum;
    seen.compressed_bytes += compressed;
    seen.uncompressed_bytes += uncompressed;
    if (!row) return;
    flow->records += records - control;
    flow->control_records += control;
    row->null_keys += null_keys;
    row->null_values += null_values;
    row->with_headers += with_headers;
    if (last_time < first_time) return;
    const bool first = row->last_timestamp < row->first_timestamp;
    row->first_timestamp = first ? first_time : std::min(row->first_timestamp, first_time);
    row->last_timestamp = first ? last_time : std::max(row->last_timestamp, last_time);
  }
};

}  // namespace

void RecordCounter::count(const RecordsSeen& seen, TopicRow* row, HeaderTable& headers, Seen& totals, RecordListener* also) {
  totals.unread_snapshot_bytes += seen.unread;
  if (seen.records.empty()) return;
  Counter counter(seen, row, headers, key_, names_, options_.draft, also, record_);
  read_records(seen.records, options_, scratch_, counter);
  record_ = counter.record_number;
  counter.settle(totals, seen.via == Via::produce, seen.via == Via::snapshot);
}

}  // namespace kparse::report
