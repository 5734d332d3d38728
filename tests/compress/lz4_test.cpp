// SPDX-License-Identifier: MIT
// Frames as Kafka's Lz4BlockInputStream takes them, and some that it doesn't.
#include <gtest/gtest.h>

#include "support.h"

namespace kparse::test {
namespace {

constexpr const char* good = "04224d18 6040 82 0b000000 1f6101000f506161616161 00000000";  // 40 times a
constexpr const char* broken =
    "04224d18 6040 1a 0b000000 1f6101000f506161616161 00000000";  // magic 0's header checksum
const std::string forty(40, 'a');

TEST(Lz4, Examples) {
  Scratch scratch;
  EXPECT_EQ(str(open_exactly(Codec::lz4, from_hex(good), scratch)), forty);
  EXPECT_EQ(str(open_exactly(Codec::lz4, from_hex("04224d18 6040 82 05000080 68656c6c6f 00000000"), scratch)), "hello");
}

TEST(Lz4, WrongHeaderChecksum) {
  Scratch scratch;
  const Blob in = from_hex(broken);
  const Decompressed strict = decompress(Codec::lz4, in, scratch);
  EXPECT_EQ(strict.error.code, Code::corrupt);
  EXPECT_EQ(strict.error.offset, 6u);
  const Decompressed lenient = decompress(Codec::lz4, in, scratch, {}, Lz4Header::lenient);
  EXPECT_FALSE(lenient.error);
  EXPECT_TRUE(lenient.lz4_wrong_header_checksum);
  EXPECT_EQ(str(lenient), forty);
  EXPECT_FALSE(decompress(Codec::lz4, from_hex(good), scratch, {}, Lz4Header::lenient).lz4_wrong_header_checksum);
}

// Checksums of the header, and those that Kafka's magic 0 has instead, as listed in the description of the formats.
TEST(Lz4, HeaderChecksums) {
  Scratch scratch;
  for (const char* header : {"6440 a7", "7040 ad", "6050 fb", "6060 51", "6070 73"}) {
    Blob in = from_hex("04224d18");
    append(in, from_hex(header));
    in.resize(in.size() + 4);  // end mark
    EXPECT_NE(open_exactly(Codec::lz4, in, scratch).error.code, Code::corrupt) << header;
    in[6] ^= 1;
    EXPECT_EQ(open_exactly(Codec::lz4, in, scratch).error.code, Code::corrupt) << header;
  }
}

TEST(Lz4, AllShapes) {
  Scratch scratch;
  const std::string in = sample(400000);
  for (int i = 0; i < 16; ++i) {
    for (const int code : {4, 5, 7}) {
      const Lz4Shape shape{(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0, code};
      const Decompressed out = open_exactly(Codec::lz4, lz4(in, shape), scratch);
      EXPECT_FALSE(out.error) << i << ' ' << code;
      EXPECT_EQ(str(out), in);
    }
  }
}

TEST(Lz4, OnlyTheFirstFrameIsRead) {
  Scratch scratch;
  Blob in = lz4("first");
  append(in, lz4("second"));
  EXPECT_EQ(str(open_exactly(Codec::lz4, in, scratch)), "first");
  Blob garbage = lz4("first");
  append(garbage, from_hex("00112233445566778899aabb"));
  EXPECT_FALSE(open_exactly(Codec::lz4, garbage, scratch).error);
}

TEST(Lz4, Refused) {
  Scratch scratch;
  EXPECT_EQ(open_exactly(Codec::lz4, from_hex("502a4d18 04000000 00000000"), scratch).error.code,
            Code::corrupt);  // skippable
  EXPECT_EQ(open_exactly(Codec::lz4, from_hex("02214c18 00000000 00000000"), scratch).error.code,
            Code::corrupt);  // legacy
  Blob dictionary = from_hex(good);
  dictionary[4] |= 1;
  EXPECT_EQ(open_exactly(Codec::lz4, dictionary, scratch).error.code, Code::corrupt);
  Blob block = lz4(sample(1000), {.block_checksum = true});
  block[block.size() - 5] ^= 1;
  EXPECT_EQ(open_exactly(Codec::lz4, block, scratch).error.code, Code::corrupt);
}

TEST(Lz4, WrongContentChecksumAndSizeAreSaidAfterTheContent) {
  Scratch scratch;
  Blob checksum = lz4("content", {.content_checksum = true});
  checksum.back() ^= 1;
  const Decompressed a = open_exactly(Codec::lz4, checksum, scratch);
  EXPECT_EQ(a.error.code, Code::corrupt);
  EXPECT_EQ(str(a), "content");
  Blob size = lz4("content", {.content_size = true});
  size[6] += 1;
  const Decompressed b = decompress(Codec::lz4, size, scratch, {}, Lz4Header::lenient);
  EXPECT_EQ(b.error.code, Code::corrupt);
  EXPECT_EQ(str(b), "content");
  EXPECT_FALSE(open_exactly(Codec::lz4, from_hex(good), scratch).error);  // nothing of it is left in the context
}

TEST(Lz4, EveryPrefixIsTruncated) {
  Scratch scratch;
  const Blob in = lz4(sample(3000), {.block_checksum = true, .content_checksum = true, .content_size = true});
  for (std::size_t n = 0; n < in.size(); ++n) {
    EXPECT_EQ(open_exactly(Codec::lz4, Bytes(in).first(n), scratch).error.code, Code::truncated) << n;
  }
}

}  // namespace
}  // namespace kparse::test
