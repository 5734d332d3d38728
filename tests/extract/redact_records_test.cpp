// SPDX-License-Identifier: MIT
// The record redactor over sets that are damaged at any place: none of the planted text stays, none crashes it.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "extract/redact_records.h"
#include "kparse/record_walk.h"
#include "kparse/record_writer.h"

namespace kparse::cli {
namespace {

const std::string secret = "PLANTEDPLANTEDPLANTEDPLANTED";
Bytes bytes(const std::string& s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }

std::string set_of(int magic, Codec codec, int records = 3) {
  RecordWriter writer;
  Scratch scratch;
  Writer out;
  writer.begin({.magic = static_cast<std::int8_t>(magic), .codec = codec});
  const RecordHeader headers[] = {{"name", bytes(secret)}, {"null", {}}};
  for (int i = 0; i < records; ++i) {
    NewRecord r;
    r.timestamp = magic == 0 ? -1 : 1000 + i;
    r.key = i == 1 ? Bytes{} : bytes(secret);
    r.value = bytes(secret);
    if (magic == 2) r.headers = headers;
    writer.add(r);
  }
  EXPECT_FALSE(writer.finish(scratch, out));
  return std::string(text(out.view()));
}

struct Shape : RecordSink {
  std::string all;
  bool planted = false;
  void look(Bytes b) {
    planted = planted || text(b).find("PLANT") != std::string_view::npos;
    all += b.data() ? std::to_string(b.size()) + " " : "null ";
  }
  bool begin_batch(const Batch& b) noexcept {
    all += "batch " + std::to_string(b.magic) + " " + std::to_string(b.crc_valid) + " " + std::string(name_of(b.codec)) + ": ";
    return true;
  }
  void record(const Batch&, const Record& r) noexcept {
    all += std::to_string(r.offset) + "@" + std::to_string(r.timestamp) + " ";
    look(r.key);
    look(r.value);
    HeaderReader h(r);
    for (RecordHeader one; h.next(one);) {
      all += std::string(one.name) + "=";
      look(one.value);
    }
  }
  void end_batch(const Batch&, const Error& e) noexcept { all += std::string(name_of(e.code)) + "\n"; }
};

Shape shape(const std::string& set) {
  Shape s;
  Scratch scratch;
  read_records(bytes(set), {}, scratch, s);
  return s;
}

std::string redacted(const std::string& set) {
  RecordRedactor r({}, nullptr);
  Writer out;
  r.redact(bytes(set), out);
  return std::string(text(out.view()));
}

constexpr Codec codecs[] = {Codec::none, Codec::gzip, Codec::snappy, Codec::lz4, Codec::zstd};

TEST(RedactRecords, TheShapeStays) {
  for (int magic = 0; magic < 3; ++magic) {
    for (const Codec codec : codecs) {
      if (codec == Codec::zstd && magic < 2) continue;
      const std::string set = set_of(magic, codec) + set_of(2, Codec::none), out = redacted(set);
      const Shape before = shape(set), after = shape(out);
      EXPECT_TRUE(before.planted);
      EXPECT_FALSE(after.planted);
      EXPECT_EQ(before.all, after.all) << magic << name_of(codec);
      if (codec == Codec::none) {
        EXPECT_EQ(set.size(), out.size());
      }
    }
  }
}

TEST(RedactRecords, LargeBatchesStayBelievable) {
  RecordWriter writer;
  Scratch scratch;
  Writer out;
  writer.begin({.codec = Codec::zstd});
  const std::string big(8u << 20, 'q');
  NewRecord r;
  r.value = bytes(big);
  writer.add(r);
  ASSERT_FALSE(writer.finish(scratch, out));
  RedactLimits limits;
  limits.max_ratio = 1u << 30;
  RecordRedactor redactor(limits, nullptr);
  Writer to;
  redactor.redact(out.view(), to);
  EXPECT_EQ(redactor.recompressed(), 1u);
  EXPECT_NE(shape(std::string(text(to.view()))).all.find(" none\n"), std::string::npos);  // no tooDense
}

TEST(RedactRecords, DamageLeavesNothing) {
  std::mt19937 chance(1);
  for (int magic = 0; magic < 3; ++magic) {
    for (const Codec codec : {Codec::none, Codec::gzip, Codec::lz4}) {
      const std::string set = set_of(magic, codec, 2) + set_of(magic, codec, 1);
      for (std::size_t at = 0; at < set.size(); ++at) {
        const std::string cut = redacted(set.substr(0, at));
        EXPECT_FALSE(shape(cut).planted);
        EXPECT_EQ(cut.find("PLANT"), cut.npos) << magic << " cut at " << at;
        for (int bit = 0; bit < 9; ++bit) {  // and any other byte
          std::string damaged = set;
          damaged[at] = static_cast<char>(bit < 8 ? damaged[at] ^ 1 << bit : static_cast<int>(chance() % 256));
          const std::string out = redacted(damaged);
          EXPECT_FALSE(shape(out).planted);
          EXPECT_EQ(out.find("PLANT"), out.npos) << magic << " byte " << at;
        }
      }
    }
  }
}

TEST(RedactRecords, AnyBytesAtAll) {
  std::string set;
  for (int i = 0; i < 50; ++i) set += secret;
  const std::string out = redacted(set);
  EXPECT_EQ(out.size(), set.size());
  EXPECT_LE(out.find_first_of("x"), 17u);
  EXPECT_EQ(out.find(secret.substr(0, 18)), out.npos);
}

}  // namespace
}  // namespace kparse::cli
