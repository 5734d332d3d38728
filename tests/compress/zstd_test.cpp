// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support.h"

namespace kparse::test {
namespace {

TEST(Zstd, WithAndWithoutSizeAndChecksum) {
  Scratch scratch;
  for (const std::size_t size : {0u, 1u, 100u, 70000u, 3000000u}) {
    const std::string in = sample(size);
    for (int i = 0; i < 4; ++i) {
      const Decompressed out = open_exactly(Codec::zstd, zstd(in, i & 1, i & 2), scratch);
      EXPECT_FALSE(out.error) << size;
      EXPECT_EQ(str(out), in);
    }
  }
}

TEST(Zstd, DenserThanUsual) {
  Scratch scratch;
  const std::string in(900000, 'z');
  for (const bool size : {true, false}) EXPECT_EQ(str(open_exactly(Codec::zstd, zstd(in, size), scratch)), in);
}

TEST(Zstd, SeveralFramesAndSkippableOnes) {
  Scratch scratch;
  Blob in = from_hex("502a4d18 03000000 010203");
  append(in, zstd("one "));
  append(in, from_hex("5f2a4d18 00000000"));
  append(in, zstd("two", false));
  EXPECT_EQ(str(open_exactly(Codec::zstd, in, scratch)), "one two");
}

TEST(Zstd, GarbageAfterAFrameIsRefusedAndTheFrameKept) {
  Scratch scratch;
  for (const char* rest : {"00", "000000", "28b52f", "0000000000000000", "68656c6c6f"}) {
    Blob in = zstd("frame");
    append(in, from_hex(rest));
    const Decompressed out = open_exactly(Codec::zstd, in, scratch);
    EXPECT_TRUE(out.error) << rest;
    EXPECT_EQ(str(out), "frame") << rest;
  }
}

TEST(Zstd, ContentSizeAndChecksumAreChecked) {
  Scratch scratch;
  Blob checksum = zstd(sample(1000), true, true);
  checksum.back() ^= 1;
  EXPECT_EQ(open_exactly(Codec::zstd, checksum, scratch).error.code, Code::corrupt);
  Blob size = zstd("twenty bytes of it..");
  ASSERT_EQ(size[5], 20);
  size[5] = 21;
  EXPECT_EQ(open_exactly(Codec::zstd, size, scratch).error.code, Code::corrupt);
}

// Kafka's reader has zstd's usual bound, 128 MiB; a larger window is refused though one go wouldn't need it.
TEST(Zstd, WindowsAreBounded) {
  Scratch scratch;
  EXPECT_FALSE(
      open_exactly(Codec::zstd, from_hex("28b52ffd 00 88 090000 61"), scratch).error);  // raw block "a", 128 MiB
  EXPECT_EQ(open_exactly(Codec::zstd, from_hex("28b52ffd 00 89 090000 61"), scratch).error.code, Code::corrupt);
  EXPECT_EQ(open_exactly(Codec::zstd, from_hex("28b52ffd 00 a7 090000 61"), scratch).error.code, Code::corrupt);
}

TEST(Zstd, DictionariesAreRefused) {
  Scratch scratch;
  EXPECT_EQ(open_exactly(Codec::zstd, from_hex("28b52ffd 21 07 01 090000 61"), scratch).error.code, Code::corrupt);
}

TEST(Zstd, EveryPrefixIsTruncated) {
  Scratch scratch;
  const Blob in = zstd(sample(3000), true, true);
  for (std::size_t n = 0; n < in.size(); ++n) {
    EXPECT_EQ(open_exactly(Codec::zstd, Bytes(in).first(n), scratch).error.code, Code::truncated) << n;
  }
}

}  // namespace
}  // namespace kparse::test
