// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support.h"

namespace kparse::test {
namespace {

TEST(Gzip, RoundTrip) {
  Scratch scratch;
  for (const std::size_t size : {0u, 1u, 100u, 65536u, 3000000u}) {
    const std::string in = sample(size);
    const Decompressed out = open_exactly(Codec::gzip, gzip(in), scratch);
    EXPECT_FALSE(out.error) << size;
    EXPECT_EQ(str(out), in);
    EXPECT_NE(out.data.data(), nullptr);
  }
}

TEST(Gzip, HeaderWithNameCommentAndExtra) {
  Scratch scratch;
  const Blob plain = gzip("hello");
  Blob with = from_hex("1f8b08 1c 00000000 00 03  0300 616263  6e616d6500  636f6d6d656e7400");
  append(with, Bytes(plain).subspan(10));
  EXPECT_EQ(str(open_exactly(Codec::gzip, with, scratch)), "hello");
}

TEST(Gzip, AllMembersAndGarbageAfterThem) {
  Scratch scratch;
  Blob in = gzip("one ");
  append(in, gzip(""));
  append(in, gzip("two"));
  EXPECT_EQ(str(open_exactly(Codec::gzip, in, scratch)), "one two");
  for (const char* rest : {"00", "00000000000000000000000000000000000000000000", "1f8b",
                           "1f8b07000000000000ff00000000000000000000000000"}) {
    Blob more = in;
    append(more, from_hex(rest));
    const Decompressed out = open_exactly(Codec::gzip, more, scratch);
    EXPECT_FALSE(out.error) << rest;
    EXPECT_EQ(str(out), "one two") << rest;
  }
}

TEST(Gzip, TrailerIsChecked) {
  Scratch scratch;
  const Blob good = gzip("some text");
  for (std::size_t i = 1; i <= 8; ++i) {  // CRC-32 and size
    Blob bad = good;
    bad[bad.size() - i] ^= 1;
    const Decompressed out = open_exactly(Codec::gzip, bad, scratch);
    EXPECT_EQ(out.error.code, Code::corrupt) << i;
    EXPECT_EQ(str(out), "some text");  // what came before the error stays
  }
}

TEST(Gzip, EveryPrefixIsTruncated) {
  Scratch scratch;
  const Blob good = gzip(sample(2000));
  for (std::size_t n = 0; n < good.size(); ++n) {
    const Decompressed out = open_exactly(Codec::gzip, Bytes(good).first(n), scratch);
    EXPECT_EQ(out.error.code, Code::truncated) << n;
  }
}

TEST(Gzip, NotGzip) {
  Scratch scratch;
  EXPECT_EQ(open_exactly(Codec::gzip, from_hex("789c4bcbcf07000282014500112233445566778899"), scratch).error.code,
            Code::corrupt);  // zlib
  EXPECT_EQ(open_exactly(Codec::gzip, from_hex("1f8b07000000000000ff0300000000000000000000"), scratch).error.code,
            Code::corrupt);  // method 7
}

/// A second member that is broken at its start: ISA-L hands back more bytes than it was given.
TEST(Gzip, ErrorsAreInsideTheInput) {
  const Blob in = from_hex("1f8b080101010101010053606060e0c84ead34e0294bcc294d35605060606202091842040c19001a3f1886220000001f8b0801"
                           "01010000000003010000000000010000000000010101");
  Scratch scratch;
  const Decompressed out = open_exactly(Codec::gzip, in, scratch);
  EXPECT_EQ(out.error.code, Code::corrupt);
  EXPECT_LE(out.error.offset, in.size());
}

}  // namespace
}  // namespace kparse::test
