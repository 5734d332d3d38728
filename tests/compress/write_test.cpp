// SPDX-License-Identifier: MIT
// Compressing: what is written is read back, and has the form that Kafka's clients write.
#include <gtest/gtest.h>
#include <zstd.h>

#include <random>

#include "support.h"

namespace kparse::test {
namespace {

Blob compressed(Codec codec, std::string_view in, const CompressOptions& options = {}) {
  static Scratch scratch;
  Writer out;
  out.text("before");
  const Error e = compress(codec, view(in), scratch, out, options);
  EXPECT_FALSE(e) << name_of(e.code);
  EXPECT_EQ(text(out.view().first(6)), "before");
  return Blob(out.view().begin() + 6, out.view().end());
}

std::string noise(std::size_t size) {
  std::mt19937 random(7);
  std::string out(size, 0);
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

TEST(Compress, EveryCodecAndSizeIsReadBack) {
  Scratch scratch;
  for (const Codec codec : {Codec::gzip, Codec::snappy, Codec::lz4, Codec::zstd}) {
    for (const std::size_t size : {0u, 1u, 13u, 1023u, 32767u, 32768u, 32769u, 65536u, 65537u, 3'000'000u}) {
      for (const std::string& in : {sample(size), noise(size), std::string(size, 'x')}) {
        const Decompressed out = open_exactly(codec, compressed(codec, in), scratch, {.max_ratio = 1'000'000});
        ASSERT_FALSE(out.error) << name_of(codec) << " " << size << " " << name_of(out.error.code);
        ASSERT_EQ(str(out), in) << name_of(codec) << " " << size;
      }
    }
  }
}

TEST(Compress, NoneIsACopy) { EXPECT_EQ(compressed(Codec::none, "abc"), from_hex("616263")); }

TEST(Compress, Xerial) {
  EXPECT_EQ(compressed(Codec::snappy, "hello"), from_hex("82534e4150505900 00000001 00000001 00000007 051068656c6c6f"));
  EXPECT_EQ(compressed(Codec::snappy, ""), from_hex("82534e4150505900 00000001 00000001"));
  // As Redpanda wrote the two fields for a while.
  EXPECT_EQ(compressed(Codec::snappy, "hello", {.xerial_version = 0x01000000, .xerial_compatible = 0x01000000}),
            from_hex("82534e4150505900 01000000 01000000 00000007 051068656c6c6f"));
  EXPECT_EQ(compressed(Codec::snappy, "hello", {.xerial = false}), from_hex("051068656c6c6f"));
  EXPECT_EQ(compressed(Codec::snappy, "", {.xerial = false}), from_hex("00"));
}

/// Sizes of the blocks: as written, and uncompressed.
std::vector<std::pair<std::size_t, std::size_t>> blocks(Bytes in) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t at = 16; at < in.size();) {
    const auto size = load_be<std::uint32_t>(in.data() + at);
    std::uint32_t length = 0;
    for (std::size_t i = 0;; ++i) {
      length |= (in[at + 4 + i] & 127u) << (7 * i);
      if (in[at + 4 + i] < 128) break;
    }
    out.emplace_back(size, length);
    at += 4 + size;
  }
  return out;
}

TEST(Compress, XerialBlocks) {
  const std::string in = noise(70'000);
  const auto usual = blocks(compressed(Codec::snappy, in));
  ASSERT_EQ(usual.size(), 3u);
  EXPECT_EQ(usual[0].first, 0x8006u) << "bytes that don't pack take more room: measured with snappy-java";
  EXPECT_EQ(usual[0].second, 32768u);
  EXPECT_EQ(usual[2].second, 70'000u - 2 * 32768u);
  const auto small = blocks(compressed(Codec::snappy, in, {.xerial_block = 1024}));
  ASSERT_EQ(small.size(), 69u);
  EXPECT_EQ(small[0].first, 0x405u);
  EXPECT_EQ(blocks(compressed(Codec::snappy, "abc", {.xerial_block = 0})).size(), 3u);
}

TEST(Compress, Lz4FramesAsKafkaWritesThem) {
  // 64 KiB independent blocks, no checksums, no content size.
  EXPECT_EQ(compressed(Codec::lz4, std::string(40, 'a')),
            from_hex("04224d186040820b0000001f6101000f50616161616100000000"));
  EXPECT_EQ(compressed(Codec::lz4, std::string(40, 'a'), {.lz4_header = Lz4Header::lenient}),
            from_hex("04224d1860401a0b0000001f6101000f50616161616100000000"));
  EXPECT_EQ(compressed(Codec::lz4, "hello"), from_hex("04224d186040820500008068656c6c6f00000000"));
  const Blob large = compressed(Codec::lz4, noise(200'000));
  EXPECT_EQ(Blob(large.begin(), large.begin() + 7), from_hex("04224d18604082"));
  Scratch scratch;
  Writer wrong;
  EXPECT_FALSE(compress(Codec::lz4, view("x"), scratch, wrong, {.lz4_header = Lz4Header::lenient}));
  EXPECT_EQ(decompress(Codec::lz4, wrong.view(), scratch).error.code, Code::corrupt);
  EXPECT_TRUE(decompress(Codec::lz4, wrong.view(), scratch, {}, Lz4Header::lenient).lz4_wrong_header_checksum);
}

TEST(Compress, ZstdSaysNoContentSize) {
  const Blob out = compressed(Codec::zstd, sample(1000));
  EXPECT_EQ(ZSTD_getFrameContentSize(out.data(), out.size()), ZSTD_CONTENTSIZE_UNKNOWN);
  EXPECT_LT(out.size(), 700u);
}

TEST(Compress, Gzip) {
  const Blob out = compressed(Codec::gzip, sample(100'000));
  EXPECT_EQ(Blob(out.begin(), out.begin() + 3), from_hex("1f8b08"));
  EXPECT_LT(out.size(), 60'000u);
}

TEST(Compress, UnknownCodec) {
  Scratch scratch;
  Writer out;
  EXPECT_EQ(compress(static_cast<Codec>(6), view("x"), scratch, out).code, Code::unknownCodec);
  EXPECT_EQ(out.size(), 0u);
}

}  // namespace
}  // namespace kparse::test
