// SPDX-License-Identifier: MIT
// The two codes that the draft links, by their specifications: worked values, and what holds for every number.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "kparse/draft_headers.h"
#include "support.h"

namespace kparse {
namespace {

using test::from_hex;

using Read = const std::uint8_t* (*)(const std::uint8_t*, const std::uint8_t*, std::int32_t&) noexcept;

std::optional<std::int32_t> read_all(Read read, Bytes b) {
  std::int32_t v = 0;
  const std::uint8_t* end = b.data() + b.size();
  return b.data() && read(b.data(), end, v) == end ? std::optional(v) : std::nullopt;
}

std::string messagepack(std::int32_t v) {
  Writer w;
  write_messagepack_int(v, w);
  return test::hex(w);
}
std::string tfile(std::int32_t v) {
  Writer w;
  write_tfile_int(v, w);
  return test::hex(w);
}

struct Row {
  std::int32_t value;
  const char* messagepack;
  const char* tfile;
};
constexpr Row rows[] = {
    {0, "00", "00"},
    {1, "01", "01"},
    {-1, "ff", "ff"},
    {-32, "e0", "e0"},
    {-33, "d0df", "cbdf"},
    {127, "7f", "7f"},
    {128, "cc80", "cc80"},
    {255, "ccff", "ccff"},
    {256, "cd0100", "cd00"},
    {260, "cd0104", "cd04"},
    {451, "cd01c3", "cdc3"},
    {-112, "d090", "cb90"},
    {-113, "d08f", "cb8f"},
    {-128, "d080", "cb80"},
    {-129, "d1ff7f", "cb7f"},
    {5119, "cd13ff", "dfff"},
    {5120, "cd1400", "a81400"},
    {-5121, "d1ebff", "a7ebff"},
    {65535, "cdffff", "a8ffff"},
    {65536, "ce00010000", "a90000"},
    {1048575, "ce000fffff", "b7ffff"},
    {1048576, "ce00100000", "90100000"},
    {1050000, "ce00100590", "90100590"},
    {1114000, "ce0010ff90", "9010ff90"},
    {2100001, "ce00200b21", "90200b21"},
    {2100002, "ce00200b22", "90200b22"},
    {134217728, "ce08000000", "8308000000"},
    {2147483647, "ce7fffffff", "837fffffff"},
    {std::numeric_limits<std::int32_t>::min(), "d280000000", "8380000000"},
};

TEST(DraftInts, WorkedValues) {
  for (const Row& r : rows) {
    EXPECT_EQ(messagepack(r.value), r.messagepack) << r.value;
    EXPECT_EQ(tfile(r.value), r.tfile) << r.value;
    EXPECT_EQ(read_all(read_messagepack_int, from_hex(r.messagepack)), r.value);
    EXPECT_EQ(read_all(read_tfile_int, from_hex(r.tfile)), r.value);
  }
}

// So all of the keys that the draft gives to Apache are the same bytes in both.
TEST(DraftInts, TheSameFromMinus32To255) {
  for (std::int32_t v = -32; v <= 255; ++v) EXPECT_EQ(messagepack(v), tfile(v)) << v;
  EXPECT_NE(messagepack(-33), tfile(-33));
  EXPECT_NE(messagepack(256), tfile(256));
}

TEST(DraftInts, EveryNumberComesBack) {
  std::mt19937 random(1);
  for (int i = 0; i < 300000; ++i) {
    const auto v = static_cast<std::int32_t>(random() >> random() % 32) * (random() % 2 ? 1 : -1);
    ASSERT_EQ(read_all(read_messagepack_int, from_hex(messagepack(v))), v);
    ASSERT_EQ(read_all(read_tfile_int, from_hex(tfile(v))), v);
  }
}

TEST(DraftInts, WidthsThatNobodyNeedsAreRead) {
  for (const char* hex : {"05", "cc05", "cd0005", "ce00000005", "cf0000000000000005", "d005", "d10005", "d200000005",
                          "d30000000000000005"})
    EXPECT_EQ(read_all(read_messagepack_int, from_hex(hex)), 5) << hex;
  EXPECT_EQ(read_all(read_messagepack_int, from_hex("d3fffffffffffffffb")), -5);
  for (const char* hex : {"05", "cc05", "a80005", "88000005" /* -120: the top is -8 */, "8300000005", "840000000005",
                          "870000000000000005"}) {
    if (std::string_view(hex) == "88000005") {
      EXPECT_EQ(read_all(read_tfile_int, from_hex(hex)), -(8 << 24) + 5);
    } else {
      EXPECT_EQ(read_all(read_tfile_int, from_hex(hex)), 5) << hex;
    }
  }
}

TEST(DraftInts, WhatIsNoneIsRefused) {
  for (const char* hex : {"", "80", "9f", "a0", "c0", "cb", "cc", "cd01", "ce010203", "d0", "d2800000", "d4", "df",
                          "ce80000000" /* past int32 */, "cf0000000080000000", "d3ffffffff7fffffff"})
    EXPECT_FALSE(read_all(read_messagepack_int, from_hex(hex))) << hex;
  for (const char* hex :
       {"", "cb", "a800", "880000", "80", "81", "82", "8000", "810000", "8300", "840080000000", "87ffffffff7fffffff"})
    EXPECT_FALSE(read_all(read_tfile_int, from_hex(hex))) << hex;
}

// The same length, another number: why exact use of every byte can't tell the codes apart in one direction.
TEST(DraftInts, OneMayBeTakenForTheOther) {
  EXPECT_EQ(read_all(read_messagepack_int, from_hex("d0df")), -33);
  EXPECT_EQ(read_all(read_tfile_int, from_hex("d0df")), 1247);
  EXPECT_EQ(read_all(read_messagepack_int, from_hex("cbdf")), std::nullopt);
}

}  // namespace
}  // namespace kparse
