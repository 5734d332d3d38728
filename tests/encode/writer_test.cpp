// SPDX-License-Identifier: MIT
#include "kparse/writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "encoding.h"
#include "kparse/varint.h"

namespace kparse::test {
namespace {

TEST(WriterTest, BigEndian) {
  Writer w;
  w.be(std::int8_t{-1});
  w.be(std::int16_t{0x0102});
  w.be(std::int32_t{-2});
  w.be(std::uint64_t{0x0102030405060708});
  EXPECT_EQ(to_hex(w.view()),
            "ff"
            "0102"
            "fffffffe"
            "0102030405060708");
  w.patch_be(1, std::int16_t{0x0a0b});
  w.patch_be(14, std::int16_t{1});  // would end behind the last byte
  EXPECT_EQ(to_hex(w.view()),
            "ff"
            "0a0b"
            "fffffffe"
            "0102030405060708");
}

// Values of ByteUtilsTest.
TEST(WriterTest, Varints) {
  const auto varint = [](std::int32_t v) {
    Writer w;
    w.varint(v);
    return to_hex(w.view());
  };
  EXPECT_EQ(varint(0), "00");
  EXPECT_EQ(varint(-1), "01");
  EXPECT_EQ(varint(1), "02");
  EXPECT_EQ(varint(63), "7e");
  EXPECT_EQ(varint(-64), "7f");
  EXPECT_EQ(varint(64), "8001");
  EXPECT_EQ(varint(8191), "fe7f");
  EXPECT_EQ(varint(-8192), "ff7f");
  EXPECT_EQ(varint(std::numeric_limits<std::int32_t>::max()), "feffffff0f");
  EXPECT_EQ(varint(std::numeric_limits<std::int32_t>::min()), "ffffffff0f");
  Writer w;
  w.varlong(std::numeric_limits<std::int64_t>::min());
  w.varlong(std::numeric_limits<std::int64_t>::max());
  w.uvarint(0xffffffff);
  EXPECT_EQ(to_hex(w.view()),
            "ffffffffffffffffff01"
            "feffffffffffffffff01"
            "ffffffff0f");
}

TEST(WriterTest, ReservedPlacesGrow) {
  for (const std::uint32_t value : {0u, 127u, 128u, 16383u, 16384u, 0xffffffffu}) {
    Writer w;
    w.text("head");
    const std::size_t at = w.reserve_uvarint();
    w.text("tail");
    w.patch_uvarint(at, value);
    std::uint32_t read = 0;
    const std::uint8_t* end = w.view().data() + w.size();
    const std::uint8_t* next = read_uvarint(w.view().data() + 4, end, read);
    EXPECT_EQ(read, value);
    EXPECT_EQ(text({next, static_cast<std::size_t>(end - next)}), "tail");
  }
}

TEST(WriterTest, MovesAndGrows) {
  Writer a;
  for (int i = 0; i < 100'000; ++i) a.be(i);
  Writer b = std::move(a);
  EXPECT_EQ(b.size(), 400'000u);
  EXPECT_EQ(load_be<std::int32_t>(b.view().data() + 399'996), 99'999);
  b.truncate(3);
  EXPECT_EQ(to_hex(b.view()), "000000");
}

}  // namespace
}  // namespace kparse::test
