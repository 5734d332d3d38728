// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "kparse/crc.h"
#include "kparse/varint.h"
#include "support.h"

namespace kparse::test {
namespace {

TEST(Crc, CheckValues) {
  EXPECT_EQ(crc32c(view("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32(view("123456789")), 0xcbf43926u);
  EXPECT_EQ(crc32c({}), 0u);
  EXPECT_EQ(crc32({}), 0u);
  EXPECT_EQ(crc32c(Blob(32, 0)), 0x8a9136aau);     // RFC 3720, B.4
  EXPECT_EQ(crc32c(Blob(32, 0xff)), 0x62a8ab43u);  // RFC 3720, B.4
}

template <class T, class Read>
void expect_number(Read read, std::string_view hex, T value, std::ptrdiff_t used) {
  const Blob in = from_hex(hex);
  T out = 0;
  const std::uint8_t* after = read(in.data(), in.data() + in.size(), out);
  ASSERT_NE(after, nullptr) << hex;
  EXPECT_EQ(out, value) << hex;
  EXPECT_EQ(after - in.data(), used) << hex;
}

template <class T, class Read>
void expect_none(Read read, std::string_view hex, Code why, int max_bytes) {
  const Blob in = from_hex(hex);
  T out = 77;
  EXPECT_EQ(read(in.data(), in.data() + in.size(), out), nullptr) << hex;
  EXPECT_EQ(out, T{77});
  EXPECT_EQ(varint_error(in.data(), in.data() + in.size(), max_bytes), why) << hex;
}

// As Kafka's ByteUtils reads them.
TEST(Varint, Values) {
  expect_number<std::uint32_t>(read_uvarint, "00", 0, 1);
  expect_number<std::uint32_t>(read_uvarint, "7f ff", 127, 1);
  expect_number<std::uint32_t>(read_uvarint, "8001", 128, 2);
  expect_number<std::uint32_t>(read_uvarint, "ffffffff0f", 0xffffffffu, 5);
  expect_number<std::uint32_t>(read_uvarint, "8100", 1, 2);                  // padded
  expect_number<std::uint32_t>(read_uvarint, "ffffffff7f", 0xffffffffu, 5);  // bits above the 32nd
  expect_number<std::int32_t>(read_varint, "01", -1, 1);
  expect_number<std::int32_t>(read_varint, "feffffff0f", 2147483647, 5);
  expect_number<std::int32_t>(read_varint, "ffffffff0f", -2147483647 - 1, 5);
  expect_number<std::int64_t>(read_varlong, "ffffffffffffffffff01", INT64_MIN, 10);
  expect_number<std::int64_t>(read_varlong, "feffffffffffffffff7f", INT64_MAX, 10);  // bits above the 64th
}

TEST(Varint, Refused) {
  expect_none<std::uint32_t>(read_uvarint, "", Code::truncated, 5);
  expect_none<std::uint32_t>(read_uvarint, "ffffffff", Code::truncated, 5);
  expect_none<std::uint32_t>(read_uvarint, "808080808000", Code::badVarint, 5);
  expect_none<std::int64_t>(read_varlong, "8080808080808080808000", Code::badVarint, 10);
  expect_none<std::int64_t>(read_varlong, "808080808080808080", Code::truncated, 10);
}

}  // namespace
}  // namespace kparse::test
