// SPDX-License-Identifier: MIT
// Draft or shipped? Both have a 2 as magic byte. Error rates are measured on many messages and batches of each kind.
#include <gtest/gtest.h>

#include <random>

#include "kparse/crc.h"
#include "kparse/draft_headers.h"
#include "kparse/record_writer.h"
#include "support.h"

namespace kparse {
namespace {

using test::Blob;

constexpr DraftProfile any = DraftProfile::kip82_any;

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Blob draft(DraftProfile profile, DraftForm form) {
    DraftMessage m;
    m.offset = static_cast<std::int64_t>(random_() % 1'000'000);
    m.timestamp = 1'475'280'000'000 + static_cast<std::int64_t>(random_() % 4'000'000) * 1000;
    const std::string key = some(20), value = some(200);
    m.key = random_() % 8 ? test::view(key) : Bytes{};
    m.value = random_() % 8 ? test::view(value) : Bytes{};
    std::vector<std::string> values;
    std::vector<IntHeader> headers;
    for (unsigned n = random_() % 5; n > 0; --n) values.push_back(some(40));
    for (const auto& v : values) headers.push_back({header_key(), test::view(v)});
    Writer out;
    EXPECT_TRUE(write_draft_message(m, headers, profile, form, out));
    return {out.view().begin(), out.view().end()};
  }

  Blob batch() {
    RecordWriter writer;
    const bool broker = random_() % 2;
    writer.begin({.base_offset = static_cast<std::int64_t>(random_() % 1'000'000),
                  .partition_leader_epoch = broker ? static_cast<std::int32_t>(random_() % 100) : -1,
                  .transactional = random_() % 8 == 0});
    for (unsigned n = 1 + random_() % 4; n > 0; --n) {
      const std::string key = some(20), value = some(200), name = some(10);
      const RecordHeader header{name, test::view(value)};
      writer.add({.timestamp = 1'475'280'000'000,
                  .key = test::view(key),
                  .value = test::view(value),
                  .headers = {&header, random_() % 2}});
    }
    Writer out;
    EXPECT_FALSE(writer.finish(scratch_, out));
    return {out.view().begin(), out.view().end()};
  }

  std::string some(unsigned most) {
    std::string s(random_() % most, ' ');
    for (auto& c : s) c = static_cast<char>(random_());
    return s;
  }
  std::mt19937& random() { return random_; }

 private:
  // The ranges of both schemes; of the unassigned ones, where the sample has its vendors.
  std::int32_t header_key() {
    switch (random_() % 5) {
      case 0:
        return static_cast<std::int32_t>(random_() % 256);
      case 1:
        return -1 - static_cast<std::int32_t>(random_() % 128);
      case 2:
        return -129 - static_cast<std::int32_t>(random_() % 100000);
      case 3:
        return 256 + static_cast<std::int32_t>(random_() % 256);
      default:
        return static_cast<std::int32_t>(0x100000 + random_() % 0x300000);
    }
  }

  std::mt19937 random_;
  Scratch scratch_;
};

TEST(Discriminator, Examples) {
  for (const char* name : {"draft_noheaders", "draft_small", "draft_mp", "draft_tf", "draft_tomb", "draft_i32",
                           "fut_nokey", "fut_hdr", "fut_nullvalue"})
    EXPECT_EQ(tell_magic_two(test::vector(name), any), MagicTwo::draft) << name;
  EXPECT_EQ(tell_magic_two(test::vector("batch"), any), MagicTwo::batch);
  for (const char* name : {"v0", "v1", "v1_inner", "v1_wrap", "v1_wrap_lat", "v0_wrap_lz4"})
    EXPECT_EQ(tell_magic_two(test::vector(name), any), MagicTwo::unknown) << name;
}

// The measure: none wrong of 40,000 whole ones.
TEST(Discriminator, NeverWrongOnWholeEntries) {
  Maker make(82);
  int wrong = 0;
  for (int i = 0; i < 20'000; ++i) {
    const bool int32 = make.random()() % 3 == 0;
    const Blob d =
        int32 ? make.draft(DraftProfile::kip82_int32, DraftForm::int32)
              : make.draft(DraftProfile::kip82_varint, make.random()() % 2 ? DraftForm::messagepack : DraftForm::tfile);
    wrong += tell_magic_two(d, any) != MagicTwo::draft;
    wrong += tell_magic_two(make.batch(), any) != MagicTwo::batch;
  }
  EXPECT_EQ(wrong, 0);
}

// A batch whose CRC-32 of a draft fits as well is a batch: the leader epoch isn't covered by a batch's own CRC.
TEST(Discriminator, ABatchThatHasBothIsABatch) {
  Maker make(3);
  Blob b = make.batch();
  const std::uint32_t crc = crc32(Bytes(b).subspan(16));
  for (int i = 0; i < 4; ++i) b[12 + i] = static_cast<std::uint8_t>(crc >> (24 - 8 * i));
  EXPECT_EQ(tell_magic_two(b, any), MagicTwo::batch);
}

// Entries with one damaged byte: what they were is still told, nearly always. Counted as wrong: taken for the other
// kind.
TEST(Discriminator, DamagedEntries) {
  Maker make(17);
  int drafts = 0, wrong_drafts = 0, told_drafts = 0, batches = 0, wrong_batches = 0, told_batches = 0;
  for (int i = 0; i < 20'000; ++i) {
    Blob d = make.draft(DraftProfile::kip82_varint, DraftForm::messagepack);
    Blob b = make.batch();
    for (Blob* entry : {&d, &b}) {
      std::size_t at = 17 + make.random()() % (entry->size() - 17);  // length and magic stay
      (*entry)[at] ^= static_cast<std::uint8_t>(1 + make.random()() % 255);
    }
    ++drafts;
    ++batches;
    const MagicTwo of_draft = tell_magic_two(d, any), of_batch = tell_magic_two(b, any);
    wrong_drafts += of_draft == MagicTwo::batch || of_draft == MagicTwo::damaged_batch;
    told_drafts += of_draft == MagicTwo::damaged_draft;
    wrong_batches += of_batch == MagicTwo::draft || of_batch == MagicTwo::damaged_draft;
    told_batches += of_batch == MagicTwo::damaged_batch;
  }
  EXPECT_LE(wrong_drafts, drafts / 1000);
  EXPECT_EQ(wrong_batches, 0);
  EXPECT_GE(told_batches, batches * 95 / 100);
  EXPECT_GE(told_drafts, drafts * 70 / 100);  // damage to a length can't be told from noise
  RecordProperty("damaged_drafts_told_percent", told_drafts * 100 / drafts);
  RecordProperty("damaged_batches_told_percent", told_batches * 100 / batches);
}

// Cut entries: byte 21 alone. A draft's is zero only in windows of 50 days.
TEST(Discriminator, CutEntries) {
  Maker make(5);
  int wrong = 0;
  for (int i = 0; i < 5'000; ++i) {
    const Blob d = make.draft(DraftProfile::kip82_varint, DraftForm::messagepack), b = make.batch();
    const std::size_t cut = 22 + make.random()() % (d.size() - 22);
    wrong += tell_magic_two(Bytes(d).first(cut), any) != MagicTwo::not_batch;
    wrong += tell_magic_two(Bytes(b).first(22 + make.random()() % (b.size() - 22)), any) != MagicTwo::cut_batch;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(tell_magic_two(Bytes(test::vector("batch")).first(21), any), MagicTwo::unknown);
  DraftMessage in_window;
  in_window.timestamp = 1'100'000'000'000;  // 2004-11-09
  in_window.value = test::view("v1");
  Writer out;
  ASSERT_TRUE(write_draft_message(in_window, {}, DraftProfile::kip82_varint, DraftForm::messagepack, out));
  EXPECT_EQ(tell_magic_two(out.view().first(30), any), MagicTwo::cut_batch);
  EXPECT_EQ(tell_magic_two(out.view(), any), MagicTwo::draft);
}

// MessagePack is tried first: hardly any TFile message is misread so. The other order would misread every sixth.
TEST(Discriminator, WhichCodeFirst) {
  Maker make(29);
  int with_headers = 0, misread_tfile = 0, misread_messagepack = 0, as_int32 = 0, from_int32 = 0;
  for (int i = 0; i < 40'000; ++i) {
    DraftMessage m;
    const Blob tf = make.draft(DraftProfile::kip82_varint, DraftForm::tfile);
    ASSERT_FALSE(read_draft_message(tf, DraftProfile::kip82_varint, m));
    if (m.header_count > 0) {
      // What the same bytes mean in the other code, if they mean anything.
      misread_tfile += m.form == DraftForm::messagepack && [&] {
        std::vector<IntHeader> headers;
        IntHeaderReader reader(m);
        for (IntHeader h; reader.next(h);) headers.push_back(h);
        Writer again;
        (void)write_draft_message(m, headers, DraftProfile::kip82_varint, DraftForm::tfile, again);
        return test::to_hex(again.view()) != test::to_hex(tf);
      }();
      ++with_headers;
    }
    const Blob mp = make.draft(DraftProfile::kip82_varint, DraftForm::messagepack);
    ASSERT_FALSE(read_draft_message(mp, DraftProfile::kip82_varint, m));
    misread_messagepack += m.header_count > 0 && m.form != DraftForm::messagepack;
    as_int32 += m.header_count > 0 && !read_draft_message(mp, DraftProfile::kip82_int32, m);
    const Blob i32 = make.draft(DraftProfile::kip82_int32, DraftForm::int32);
    ASSERT_FALSE(read_draft_message(i32, DraftProfile::kip82_int32, m));
    from_int32 += m.header_count > 0 && !read_draft_message(i32, DraftProfile::kip82_varint, m) && m.header_count > 0;
  }
  EXPECT_LE(misread_tfile, with_headers / 1000);
  EXPECT_EQ(misread_messagepack, 0);
  EXPECT_EQ(as_int32, 0);
  EXPECT_EQ(from_int32, 0);
  EXPECT_GT(with_headers, 20'000);
  RecordProperty("misread_tfile_per_million", static_cast<int>(1'000'000LL * misread_tfile / with_headers));
}

}  // namespace
}  // namespace kparse
