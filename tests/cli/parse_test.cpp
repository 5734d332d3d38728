// SPDX-License-Identifier: MIT
#include "commands/parse.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace kparse::cli {
namespace {

TEST(ParseSize, UnitsAndLimits) {
  EXPECT_EQ(parse_size("0"), 0u);
  EXPECT_EQ(parse_size("4096"), 4096u);
  EXPECT_EQ(parse_size("64k"), 65536u);
  EXPECT_EQ(parse_size("256M"), 268435456u);
  EXPECT_EQ(parse_size("256MiB"), 268435456u);
  EXPECT_EQ(parse_size("2GB"), 2'000'000'000u);
  EXPECT_EQ(parse_size("18446744073709551615"), UINT64_MAX);
  for (const char* wrong : {"", "M", "-1", "1.5M", "1X", "1Mi", "1 M", "18446744073709551616", "18446744073709551615K"})
    EXPECT_FALSE(parse_size(wrong)) << wrong;
}

TEST(ParseTime, WaysToWriteOne) {
  constexpr std::int64_t noon = 1'714'564'800'000'000'000;  // date -u -d 2024-05-01T12:00:00Z +%s
  EXPECT_EQ(parse_time("2024-05-01T12:00:00Z"), noon);
  EXPECT_EQ(parse_time("2024-05-01 12:00"), noon);
  EXPECT_EQ(parse_time("2024-05-01T12:00:00.25"), noon + 250'000'000);
  EXPECT_EQ(parse_time("2024-05-01T12:00:00.1234567891Z"), noon + 123'456'789);
  EXPECT_EQ(parse_time("2024-05-01T14:00:00+02:00"), noon);
  EXPECT_EQ(parse_time("2024-05-01T06:30:00-0530"), noon);
  EXPECT_EQ(parse_time("2024-05-01"), noon - 43'200'000'000'000);
  EXPECT_EQ(parse_time("1714564800"), noon);
  EXPECT_EQ(parse_time("1714564800.5"), noon + 500'000'000);
  for (const char* wrong : {"", "now", "2024-13-01", "2024-02-30", "2024-05-01T25:00Z", "2024-05-01T12:00:00X",
                            "2024-05-01T12:00:00+2", "1714564800.", "-5", "99999999999999", "9999-01-01"})
    EXPECT_FALSE(parse_time(wrong)) << wrong;
}

TEST(ParsePorts, ListsAndRanges) {
  PortSet ports;
  EXPECT_TRUE(parse_ports("9092", ports));
  EXPECT_TRUE(parse_ports("19092-19094", ports));
  for (const int port : {9092, 19092, 19094}) EXPECT_TRUE(ports.has(static_cast<std::uint16_t>(port))) << port;
  for (const int port : {9091, 9093, 19091, 19095}) EXPECT_FALSE(ports.has(static_cast<std::uint16_t>(port))) << port;
  for (const char* wrong : {"", "x", "70000", "5-4", "1-", "-1", "1-2-3"})
    EXPECT_FALSE(parse_ports(wrong, ports)) << wrong;
}

TEST(ParseTopicId, BothSpellings) {
  // Kafka's Uuid.METADATA_TOPIC_ID and its toString().
  const auto id = parse_topic_id("AAAAAAAAAAAAAAAAAAAAAQ");
  ASSERT_TRUE(id);
  EXPECT_EQ((*id)[15], 1);
  EXPECT_EQ((*id)[14], 0);
  EXPECT_EQ(parse_topic_id("00000000-0000-0000-0000-000000000001"), id);
  EXPECT_EQ(parse_topic_id("-_-_-_-_-_-_-_-_-_-_-w"), parse_topic_id("fbffbffbffbffbffbffbffbffbffbffb"));
  for (const char* wrong : {"", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAR", "AAAAAAAAAAAAAAAAAAAA+A",
                            "000000000000000000000000000000001", "xyz"})
    EXPECT_FALSE(parse_topic_id(wrong)) << wrong;
}

}  // namespace
}  // namespace kparse::cli
