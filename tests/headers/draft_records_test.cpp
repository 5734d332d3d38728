// SPDX-License-Identifier: MIT
// Draft messages through read_records: off unless asked for, then as records whose header names are the keys' digits.
#include <gtest/gtest.h>

#include <array>

#include "kparse/draft_headers.h"
#include "kparse/record_walk.h"
#include "kparse/record_writer.h"
#include "kparse/wrappers.h"
#include "support.h"

namespace kparse {
namespace {

using test::Blob;
using test::string;
using test::view;

struct Kept {
  std::string key, value;
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;
  std::int64_t offset = 0, timestamp = 0;
  bool operator==(const Kept&) const = default;
};

struct Keeper : RecordSink {
  std::vector<Batch> batches;
  std::vector<Error> errors;
  std::vector<Kept> records;
  void record(const Batch&, const Record& r) noexcept {
    Kept k{string(r.key), string(r.value), {}, r.offset, r.timestamp};
    HeaderReader reader(r);
    for (RecordHeader h; reader.next(h);)
      k.headers.emplace_back(std::string(h.name), h.value.data() ? std::optional(string(h.value)) : std::nullopt);
    records.push_back(std::move(k));
  }
  void end_batch(const Batch& b, const Error& e) noexcept {
    batches.push_back(b);
    errors.push_back(e);
  }
};

Keeper read(Bytes set, DraftDecoder* draft, bool verify = true) {
  Keeper keeper;
  Scratch scratch;
  read_records(set, {.verify_crc = verify, .draft = draft}, scratch, keeper);
  return keeper;
}

void append(Blob& to, Bytes b) { to.insert(to.end(), b.begin(), b.end()); }

TEST(DraftRecords, OffUnlessAskedFor) {
  const Keeper k = read(test::vector("draft_mp"), nullptr);
  ASSERT_EQ(k.batches.size(), 1u);
  EXPECT_TRUE(k.batches[0].draft);
  EXPECT_EQ(k.batches[0].draft_form, DraftForm::none);
  EXPECT_EQ(k.errors[0].code, Code::unknownMagic);
  EXPECT_TRUE(k.records.empty());
}

TEST(DraftRecords, BesideShippedOnes) {
  Blob set;
  for (const char* name : {"draft_mp", "batch", "draft_tf", "v1", "draft_tomb", "draft_i32", "draft_noheaders"})
    append(set, test::vector(name));
  DraftReader reader(DraftProfile::kip82_any);
  for (const bool verify : {true, false}) {
    const Keeper k = read(set, &reader, verify);
    ASSERT_EQ(k.batches.size(), 7u);
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_FALSE(k.errors[i]) << i;
      EXPECT_EQ(k.batches[i].draft, i != 1 && i != 3) << i;
      EXPECT_EQ(k.batches[i].crc_valid, verify) << i;
    }
    ASSERT_EQ(k.records.size(), 8u);
    EXPECT_EQ(k.records[0], (Kept{"k1", "v1", {{"1", "cli-7"}, {"260", "nr"}, {"-129", "x"}}, 42, 1475280000000}));
    EXPECT_EQ(k.records[1].headers.size(), 3u);
    EXPECT_EQ(k.records[3], k.records[0]);
    EXPECT_EQ(k.records[4].value, "hi");
    EXPECT_EQ(k.records[5].headers, (decltype(Kept::headers){{"1", "cli-7"}}));
    EXPECT_EQ(k.records[6].headers, (decltype(Kept::headers){{"1", "cli-7"}, {"1050000", "ig"}}));
    EXPECT_TRUE(k.records[7].headers.empty());
    EXPECT_EQ(k.batches[2].draft_form, DraftForm::tfile);
    EXPECT_EQ(k.batches[5].draft_form, DraftForm::int32);
  }
}

TEST(DraftRecords, Compact) {
  DraftReader reader(DraftProfile::kip82_compact);
  Blob set;
  for (const char* name : {"fut_nokey", "fut_hdr", "fut_nullvalue"}) append(set, test::vector(name));
  const Keeper k = read(set, &reader);
  ASSERT_EQ(k.records.size(), 3u);
  EXPECT_EQ(k.records[0].value, "v1");
  EXPECT_EQ(k.records[1].headers, (decltype(Kept::headers){{"1", "cli-7"}}));
  EXPECT_EQ(k.records[2].key, "k1");
}

TEST(DraftRecords, AnotherProfileSaysWhy) {
  DraftReader reader(DraftProfile::kip82_int32);
  const Keeper k = read(test::vector("draft_mp"), &reader);
  ASSERT_EQ(k.batches.size(), 1u);
  EXPECT_TRUE(k.batches[0].draft);
  EXPECT_TRUE(k.batches[0].crc_valid);
  EXPECT_TRUE(k.errors[0]);
  EXPECT_EQ(k.errors[0].offset, 36u);  // HeadersLength 13 03 01 05 is past the end
  EXPECT_TRUE(k.records.empty());
}

// No text of the drafts describes compression: as in magic 1, whose message it grew from.
TEST(DraftRecords, CompressedAsInMagic1) {
  Writer inner;
  for (int i = 0; i < 3; ++i) {
    DraftMessage m;
    m.offset = i;
    m.timestamp = 1000 + i;
    m.value = view("abc");
    const std::array headers{IntHeader{i, view("h")}};
    ASSERT_TRUE(write_draft_message(m, headers, DraftProfile::kip82_varint, DraftForm::messagepack, inner));
  }
  Scratch scratch;
  for (const Codec codec : {Codec::gzip, Codec::snappy, Codec::lz4}) {
    Writer packed, set;
    ASSERT_FALSE(compress(codec, inner.view(), scratch, packed));
    DraftMessage outer;
    outer.offset = 12;
    outer.timestamp = 1002;
    outer.attributes = static_cast<std::uint8_t>(codec);
    outer.value = packed.view();
    ASSERT_TRUE(write_draft_message(outer, {}, DraftProfile::kip82_varint, DraftForm::messagepack, set));
    DraftReader reader(DraftProfile::kip82_varint);
    const Keeper k = read(set.view(), &reader);
    ASSERT_EQ(k.errors.size(), 1u);
    EXPECT_FALSE(k.errors[0]);
    ASSERT_EQ(k.records.size(), 3u);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(k.records[static_cast<std::size_t>(i)],
                (Kept{"", "abc", {{std::to_string(i), "h"}}, 10 + i, 1000 + i}));
  }
}

TEST(DraftRecords, DamagedOnesAreReadAndSaidToBe) {
  Blob set = test::vector("draft_mp");
  set.back() = 'x';
  DraftReader reader(DraftProfile::kip82_varint);
  const Keeper k = read(set, &reader);
  ASSERT_EQ(k.records.size(), 1u);
  EXPECT_EQ(k.records[0].value, "vx");
  EXPECT_TRUE(k.batches[0].crc_checked);
  EXPECT_FALSE(k.batches[0].crc_valid);
  // A damaged batch is no draft.
  Blob batch = test::vector("batch");
  batch[70] ^= 1;
  const Keeper b = read(batch, &reader);
  EXPECT_FALSE(b.batches[0].draft);
  EXPECT_FALSE(b.batches[0].crc_valid);
}

TEST(DraftRecords, MapsHaveNames) {
  const std::pair<std::string_view, std::string_view> entries[] = {{"a b", "1&\"x\""}, {"größe", "ä=\n"}};
  for (const MapForm form : {MapForm::pairs, MapForm::json, MapForm::avro}) {
    Writer map, set;
    write_string_map(form, entries, map);
    DraftMessage m;
    m.headers = map.view();
    m.value = view("v");
    ASSERT_TRUE(write_draft_map_message(m, DraftProfile::kip82_map, set));
    DraftReader reader(DraftProfile::kip82_map);
    const Keeper k = read(set.view(), &reader);
    ASSERT_EQ(k.records.size(), 1u) << name_of(form);
    EXPECT_EQ(k.records[0].headers, (decltype(Kept::headers){{"a b", "1&\"x\""}, {"größe", "ä=\n"}})) << name_of(form);
  }
}

}  // namespace
}  // namespace kparse
