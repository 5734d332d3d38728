// SPDX-License-Identifier: MIT
// Bombs stop at the limits, in memory that goes with the limit and not with the claim; damage never hurts.
#include <gtest/gtest.h>

#include <random>

#include "compress/scratch.h"
#include "support.h"

namespace kparse::test {
namespace {

struct Case {
  Codec codec;
  Blob bomb;
};

/// 64 MiB of zeros by each codec; zstd also as blocks of 4 bytes that stand for 128 KiB: 10 GB in 320 KB.
std::vector<Case> bombs() {
  const std::string zeros(64u << 20, '\0');
  std::vector<Case> out{{Codec::gzip, gzip(zeros)},
                        {Codec::snappy, snappy_raw(zeros)},
                        {Codec::snappy, xerial({zeros, zeros})},
                        {Codec::lz4, lz4(zeros)},
                        {Codec::lz4, lz4(zeros, {.linked = true, .content_size = true})},
                        {Codec::zstd, zstd(zeros)},
                        {Codec::zstd, zstd(zeros, false)}};
  Blob blocks = from_hex("28b52ffd 00 58");
  for (int i = 0; i < 80000; ++i) append(blocks, from_hex("02001000"));
  append(blocks, from_hex("010000"));
  out.push_back({Codec::zstd, std::move(blocks)});
  return out;
}

TEST(Limits, LargestOutput) {
  for (const Case& c : bombs()) {
    Scratch scratch;
    const Decompressed out = open_exactly(c.codec, c.bomb, scratch, {.max_out = 1u << 20, .max_ratio = 1u << 31});
    EXPECT_EQ(out.error.code, Code::tooLarge) << name_of(c.codec);
    EXPECT_EQ(out.error.need, 1u << 20);
    EXPECT_TRUE(out.data.empty());
    EXPECT_LE(scratch.impl().out.capacity(), (1u << 20) + 4096) << name_of(c.codec);
  }
}

TEST(Limits, LargestRatio) {
  for (const Case& c : bombs()) {
    Scratch scratch;
    const Decompressed out =
        open_exactly(c.codec, c.bomb, scratch, {.max_out = 1u << 30, .max_ratio = 10, .ratio_from = 4096});
    EXPECT_EQ(out.error.code, Code::tooDense) << name_of(c.codec);
    EXPECT_EQ(out.error.need, 10u);
    EXPECT_LE(scratch.impl().out.capacity(), c.bomb.size() * 10 + (64u << 10) + 4096) << name_of(c.codec);
  }
}

/// Ten gigabytes, as pieces that come again and again: gzip members, blocks of one LZ4 frame, xerial chunks that claim them.
TEST(Limits, TenGigabytesStopAtTheLimit) {
  const std::string zeros(4u << 20, '\0');
  constexpr std::uint64_t limit = 32u << 20;
  Blob members, frame, chunks = from_hex("82534e4150505900 00000001 00000001");
  const Blob member = gzip(zeros), one = lz4(zeros, {.block_code = 7});
  const Bytes block = Bytes(one).subspan(7, one.size() - 11);  // between header and end mark
  append(frame, Bytes(one).first(7));
  for (int i = 0; i < 2560; ++i) {
    append(members, member);
    append(frame, block);
    append(chunks, from_hex("00000005 ffffffff0f"));
  }
  append(frame, from_hex("00000000"));
  for (const auto& [codec, bomb] : std::vector<Case>{{Codec::gzip, members}, {Codec::lz4, frame}}) {
    Scratch scratch;
    const Decompressed out = decompress(codec, bomb, scratch, {.max_out = limit, .max_ratio = 1u << 31});
    EXPECT_EQ(out.error.code, Code::tooLarge) << name_of(codec);
    EXPECT_EQ(out.error.need, limit);
    EXPECT_LE(scratch.impl().out.capacity(), 2 * limit) << name_of(codec);
  }
  Scratch scratch;
  EXPECT_EQ(decompress(Codec::snappy, chunks, scratch).error.code, Code::corrupt);
  EXPECT_LE(scratch.impl().out.capacity(), 2 * limit);
}

TEST(Limits, AnOutputOfExactlyTheLimitPasses) {
  const std::string in = sample(100000);
  Scratch scratch;
  for (const auto& [codec, packed] : std::vector<Case>{{Codec::gzip, gzip(in)},
                                                       {Codec::snappy, snappy_raw(in)},
                                                       {Codec::snappy, xerial({in})},
                                                       {Codec::lz4, lz4(in)},
                                                       {Codec::zstd, zstd(in)},
                                                       {Codec::zstd, zstd(in, false)}}) {
    EXPECT_EQ(str(open_exactly(codec, packed, scratch, {.max_out = in.size()})), in) << name_of(codec);
    EXPECT_EQ(open_exactly(codec, packed, scratch, {.max_out = in.size() - 1}).error.code, Code::tooLarge)
        << name_of(codec);
    EXPECT_EQ(open_exactly(codec, packed, scratch, {.max_out = 0}).error.code, Code::tooLarge) << name_of(codec);
  }
}

TEST(Limits, ClaimedSizesAreNotBelieved) {
  Scratch scratch;
  Blob size = gzip("x");
  size[size.size() - 1] = 0x0f;  // 251 MB
  EXPECT_EQ(open_exactly(Codec::gzip, size, scratch).error.code, Code::corrupt);
  Blob frame = lz4("content", {.content_size = true});
  frame[9] = 0x0f;
  (void)decompress(Codec::lz4, frame, scratch, {}, Lz4Header::lenient);
  (void)open_exactly(Codec::zstd, from_hex("28b52ffd a0 0000000f 090000 61"), scratch);
  EXPECT_LE(scratch.impl().out.capacity(), (64u << 10) + 4096);
}

TEST(Limits, NoBytesAtAll) {
  Scratch scratch;
  for (const Codec c : {Codec::gzip, Codec::snappy, Codec::lz4, Codec::zstd}) {
    EXPECT_EQ(decompress(c, {}, scratch).error.code, Code::truncated);
  }
  EXPECT_FALSE(decompress(Codec::none, {}, scratch).error);
  EXPECT_EQ(decompress(static_cast<Codec>(5), from_hex("00"), scratch).error.code, Code::unknownCodec);
  EXPECT_EQ(name_of(Codec::zstd), "zstd");
  EXPECT_EQ(name_of(static_cast<Codec>(7)), "unknown");
}

TEST(Limits, DamageNeverHurts) {
  const std::string in = sample(5000);
  std::mt19937 random(3);
  Scratch scratch;
  std::size_t errors = 0;
  for (const auto& [codec, packed] : std::vector<Case>{{Codec::gzip, gzip(in)},
                                                       {Codec::snappy, snappy_raw(in)},
                                                       {Codec::snappy, xerial({in, in})},
                                                       {Codec::lz4, lz4(in)},
                                                       {Codec::lz4, lz4(in, {.linked = true})},
                                                       {Codec::zstd, zstd(in)}}) {
    for (int i = 0; i < 2000; ++i) {
      Blob bad = packed;
      for (int k = 0; k < 3; ++k)
        bad[random() % (i % 2 ? bad.size() : 40)] ^= static_cast<std::uint8_t>(1u << random() % 8);
      if (random() % 4 == 0) bad.resize(random() % bad.size());
      errors += bool{open_exactly(codec, bad, scratch).error};
      if (i % 500 == 0) {
        EXPECT_FALSE(open_exactly(codec, packed, scratch).error);  // the contexts are sound again
      }
    }
  }
  EXPECT_GT(errors, 5000u);
}

}  // namespace
}  // namespace kparse::test
