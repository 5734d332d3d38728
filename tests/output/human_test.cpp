// SPDX-License-Identifier: MIT
#include "output/human.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace kparse::cli {
namespace {

TEST(Human, Bytes) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1024), "1.00 KiB");
  EXPECT_EQ(human_bytes(1536), "1.50 KiB");
  EXPECT_EQ(human_bytes(256u << 20), "256 MiB");
  EXPECT_EQ(human_bytes((1u << 20) - 1), "1.00 MiB");
  EXPECT_EQ(human_bytes(std::numeric_limits<std::uint64_t>::max()), "16.0 EiB");
}

TEST(Human, Durations) {
  EXPECT_EQ(human_duration(0), "0 ns");
  EXPECT_EQ(human_duration(999), "999 ns");
  EXPECT_EQ(human_duration(1'250'000), "1.25 ms");
  EXPECT_EQ(human_duration(999'999'999), "1.00 s");
  EXPECT_EQ(human_duration(12'400'000'000), "12.4 s");
  EXPECT_EQ(human_duration(200'000'000'000), "3 min 20 s");
  EXPECT_EQ(human_duration(7'500'000'000'000), "2 h 5 min");
  EXPECT_EQ(human_duration(-1'250'000), "-1.25 ms");
  EXPECT_EQ(human_duration(std::numeric_limits<std::int64_t>::min()), "-292 y");
}

TEST(Human, Counts) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(1000), "1,000");
  EXPECT_EQ(human_count(1234567), "1,234,567");
  EXPECT_EQ(human_share(1, 8), "12.5 %");
  EXPECT_EQ(human_share(0, 0), "-");
}

TEST(Human, Times) {  // checked with `date -u -d @N`
  EXPECT_EQ(human_time(1'714'564'800'123'456'789), "2024-05-01 12:00:00.123");
  EXPECT_EQ(rfc3339(1'714'564'800'123'456'789), "2024-05-01T12:00:00.123456789Z");
  EXPECT_EQ(rfc3339(0), "1970-01-01T00:00:00.000000000Z");
  EXPECT_EQ(rfc3339(-1), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(rfc3339(951'782'400'000'000'000), "2000-02-29T00:00:00.000000000Z");
}

}  // namespace
}  // namespace kparse::cli
