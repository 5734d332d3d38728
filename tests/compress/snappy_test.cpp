// SPDX-License-Identifier: MIT
// Framing rules as snappy-java 1.1.10 has them.
#include <gtest/gtest.h>

#include "support.h"

namespace kparse::test {
namespace {

TEST(Snappy, Raw) {
  Scratch scratch;
  for (const std::size_t size : {0u, 1u, 100u, 10626u, 300000u}) {
    const std::string in = sample(size);
    const Decompressed out = open_exactly(Codec::snappy, snappy_raw(in), scratch);
    EXPECT_FALSE(out.error) << size;
    EXPECT_FALSE(out.xerial);
    EXPECT_EQ(str(out), in);
    EXPECT_NE(out.data.data(), nullptr);
  }
}

TEST(Snappy, XerialExamples) {
  Scratch scratch;
  const Decompressed one =
      open_exactly(Codec::snappy, from_hex("82534e4150505900 00000001 00000001 00000007 051068656c6c6f"), scratch);
  EXPECT_EQ(str(one), "hello");
  EXPECT_TRUE(one.xerial);
  EXPECT_EQ(one.xerial_version, 1);
  const Decompressed little =
      open_exactly(Codec::snappy, from_hex("82534e4150505900 01000000 01000000 00000007 051068656c6c6f"), scratch);
  EXPECT_EQ(str(little), "hello");
  EXPECT_EQ(little.xerial_compatible, 0x01000000);
  const Decompressed twice = open_exactly(Codec::snappy,
                                          from_hex("82534e4150505900 00000001 00000001 00000007 051068656c6c6f"
                                                   "82534e4150505900 00000001 00000001 00000007 0510776f726c64"),
                                          scratch);
  EXPECT_EQ(str(twice), "helloworld");
  const Decompressed empty = open_exactly(Codec::snappy, from_hex("82534e4150505900 00000001 00000001"), scratch);
  EXPECT_FALSE(empty.error);
  EXPECT_TRUE(empty.data.empty() && empty.data.data());
  const Decompressed empty_block =
      open_exactly(Codec::snappy, from_hex("82534e4150505900 00000001 00000001 00000001 00"), scratch);
  EXPECT_FALSE(empty_block.error);
}

TEST(Snappy, ManyBlocks) {
  Scratch scratch;
  const std::string a = sample(32768), b = sample(1000);
  const Decompressed out = open_exactly(Codec::snappy, xerial({a, b, a, a}), scratch);
  EXPECT_FALSE(out.error);
  EXPECT_EQ(str(out), a + b + a + a);
}

TEST(Snappy, BadFramesKeepTheBlocksBefore) {
  Scratch scratch;
  const struct {
    const char* more;
    Code code;
  } cases[] = {{"00", Code::none},
               {"000000", Code::none},  // one to three bytes: ignored
               {"00000000", Code::corrupt},
               {"ffffffff", Code::corrupt},                        // no length of a block
               {"00000008 051068656c6c6f", Code::truncated},       // longer than what is left
               {"00000008 051068656c6c6f00", Code::corrupt},       // bytes left in the block
               {"00000005 ffffffff0f", Code::corrupt},             // claims 4 GB
               {"82534e4150505900 00000001 0000", Code::corrupt},  // half a header
               {"82534e4141414141 00000001 00000001", Code::corrupt}};
  for (const auto& c : cases) {
    Blob in = xerial({"before"});
    append(in, from_hex(c.more));
    const Decompressed out = open_exactly(Codec::snappy, in, scratch);
    EXPECT_EQ(out.error.code, c.code) << c.more;
    EXPECT_EQ(str(out), "before") << c.more;
    EXPECT_TRUE(!out.error || out.error.offset >= in.size() - from_hex(c.more).size()) << c.more;
  }
}

TEST(Snappy, ClaimsThatTheInputCannotBackAreRefused) {
  Scratch scratch;
  for (const char* hex : {"ffffffff0f", "80808001 00", "82 53 4e 41 50 50 59", "ffffffffff", "80"}) {
    EXPECT_EQ(open_exactly(Codec::snappy, from_hex(hex), scratch).error.code, Code::corrupt) << hex;
  }
  EXPECT_EQ(open_exactly(Codec::snappy, {}, scratch).error.code, Code::truncated);
}

}  // namespace
}  // namespace kparse::test
