// SPDX-License-Identifier: MIT
// Record sets that Kafka wrote, taken apart and written again: the same bytes; where a codec has its freedom, the same
// header and the same bytes inside.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>

#include "kparse/record_writer.h"
#include "support.h"

namespace kparse::test {
namespace {

/// Records as they stand in a batch, also those whose time the batch overrules.
void add_records(const Batch& b, Bytes data, RecordWriter& writer) {
  const std::uint8_t* at = data.data();
  for (std::int32_t i = 0; i < b.count; ++i) {
    Record r;
    std::int64_t time = 0;
    std::int32_t offset = 0;
    at = detail::read_record(at, data.data() + data.size(), r, time, offset);
    ASSERT_NE(at, nullptr);
    std::vector<RecordHeader> headers;
    HeaderReader reader(r);
    for (RecordHeader h; reader.next(h);) headers.push_back(h);
    writer.add({.offset = detail::sum(b.base_offset, offset),
                .timestamp = detail::sum(b.base_timestamp, time),
                .key = r.key,
                .value = r.value,
                .headers = headers});
  }
}

void add_messages(Bytes set, std::int64_t base, RecordWriter& writer) {
  while (!set.empty()) {
    const auto size = load_be<std::uint32_t>(set.data() + 8) + 12;
    const std::uint8_t* p = set.data() + 18;
    NewRecord r{.offset = detail::sum(load_be<std::int64_t>(set.data()), base)};
    if (set[16] == 1) {
      r.timestamp = load_be<std::int64_t>(p);
      p += 8;
    }
    for (Bytes* to : {&r.key, &r.value}) {
      const auto length = load_be<std::int32_t>(p);
      p += 4;
      if (length < 0) continue;
      *to = {p, static_cast<std::size_t>(length)};
      p += length;
    }
    writer.add(r);
    set = set.subspan(size);
  }
}

/// Writes what `entry`, one batch or outer message, says.
void rewrite(Bytes entry, const Batch& b, bool compacted, Scratch& scratch, Writer& out) {
  NewBatch fields{.magic = b.magic, .codec = b.codec, .timestamp_type = b.timestamp_type};
  fields.compression.xerial_block = 1024;
  const bool appended = b.timestamp_type == TimestampType::LogAppendTime;
  if (appended) fields.log_append_time = b.max_timestamp;
  const Lz4Header lz4 = b.magic == 0 ? Lz4Header::lenient : Lz4Header::checked;
  Scratch own;
  const Bytes inside = b.count == 0 ? Bytes{} : decompress(b.codec, b.payload, own, {}, lz4).data;
  RecordWriter writer;
  if (b.magic == 2) {
    fields.base_offset = b.base_offset;
    fields.partition_leader_epoch = b.partition_leader_epoch;
    fields.producer_id = b.producer_id;
    fields.producer_epoch = b.producer_epoch;
    fields.base_sequence = b.base_sequence;
    fields.transactional = b.transactional;
    fields.control = b.control;
    if (b.has_delete_horizon) fields.delete_horizon = b.base_timestamp;
    if (compacted) {
      fields.base_timestamp = b.base_timestamp;
      fields.max_timestamp = b.max_timestamp;
      fields.last_offset_delta = b.last_offset_delta;
    }
    writer.begin(fields);
    add_records(b, inside, writer);
  } else if (b.codec == Codec::none) {
    fields.base_offset = b.base_offset;
    writer.begin(fields);
    add_messages(entry, 0, writer);
  } else {
    // Kafka's own base: the last one's offset is the outer one's.
    std::int64_t last = 0;
    for (Bytes m = inside; !m.empty(); m = m.subspan(load_be<std::uint32_t>(m.data() + 8) + 12))
      last = load_be<std::int64_t>(m.data());
    const std::int64_t base = b.magic == 1 ? b.base_offset - last : 0;
    fields.base_offset = base;
    fields.max_timestamp = b.max_timestamp;
    writer.begin(fields);
    add_messages(inside, base, writer);
  }
  ASSERT_FALSE(writer.finish(scratch, out));
}

void compare(Bytes theirs, const Batch& b, Bytes ours, const std::string& what) {
  if (b.codec == Codec::none || b.count == 0) {
    EXPECT_EQ(Blob(ours.begin(), ours.end()), Blob(theirs.begin(), theirs.end())) << what;
    return;
  }
  const std::size_t header = static_cast<std::size_t>(b.payload.data() - theirs.data());
  Blob a(ours.begin(), ours.begin() + static_cast<std::ptrdiff_t>(header)),
      t(theirs.begin(), theirs.begin() + static_cast<std::ptrdiff_t>(header));
  for (Blob* h : {&a, &t}) {
    std::fill_n(h->begin() + 8, 4, 0);                         // length
    std::fill_n(h->begin() + (b.magic == 2 ? 17 : 12), 4, 0);  // CRC
    if (b.magic < 2) std::fill_n(h->end() - 4, 4, 0);          // value's length
  }
  EXPECT_EQ(a, t) << what;
  Scratch mine, kafkas;
  const Lz4Header lz4 = b.magic == 0 ? Lz4Header::lenient : Lz4Header::checked;
  const Decompressed in_ours = decompress(b.codec, ours.subspan(header), mine, {}, lz4);
  const Decompressed in_theirs = decompress(b.codec, b.payload, kafkas, {}, lz4);
  EXPECT_FALSE(in_ours.error);
  EXPECT_TRUE(std::ranges::equal(in_ours.data, in_theirs.data)) << what;
  const Keeper read = read_all(ours);
  EXPECT_TRUE(read.batches.at(0).batch.crc_valid && !read.complaint()) << what;
}

/// How many batches of good sets were compared.
std::size_t check(const std::vector<std::string>& lines) {
  std::size_t compared = 0;
  for (const std::string& line : lines) {
    rapidjson::Document d;
    d.Parse(line.c_str());
    if (d.HasParseError() || std::string_view(d["group"].GetString()) != "good") continue;
    const std::string note = d["note"].GetString();
    // Down-converted inner messages keep gaps; marker values of other lengths and the like are written as they are.
    const bool compacted = note.starts_with("compacted") || note.starts_with("empty batch");
    const Blob set = from_hex(d["hex"].GetString());
    const Keeper kept = read_all(set);
    Scratch scratch;
    for (std::size_t i = 0; i < kept.batches.size(); ++i) {
      const Batch& b = kept.batches[i].batch;
      const Bytes entry = Bytes(set).subspan(b.position, static_cast<std::size_t>(b.batch_length) + 12);
      Writer out;
      rewrite(entry, b, compacted, scratch, out);
      compare(entry, b, out.view(), note + ", batch " + std::to_string(i));
      ++compared;
      if (testing::Test::HasFailure()) return compared;
    }
  }
  return compared;
}

TEST(Rewrite, SetsOfEveryKind) { EXPECT_GT(check(lines_of(data_file("records.jsonl"))), 100u); }

TEST(Rewrite, AllVectors) {
  const auto lines = lines_of(shared_file("golden/records.jsonl.gz"));
  if (lines.empty()) GTEST_SKIP() << "no golden vectors here";
  EXPECT_GT(check(lines), 300u);
}

}  // namespace
}  // namespace kparse::test
