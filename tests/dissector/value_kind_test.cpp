// SPDX-License-Identifier: GPL-2.0-or-later
#include "value_kind.h"

#include <gtest/gtest.h>

#include <string_view>

namespace kparse::dissector {
namespace {

ValueKind kind(std::string_view s) { return kind_of({reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}); }

TEST(ValueKind, JsonIsTextInBracesOrBrackets) {
  EXPECT_EQ(kind(R"({"orderId":"ord-1","name":"größe"})"), ValueKind::json);
  EXPECT_EQ(kind(" \n[1, 2]\r\n"), ValueKind::json);
  EXPECT_EQ(kind("{}"), ValueKind::json);
  EXPECT_EQ(kind("{"), ValueKind::text);
  EXPECT_EQ(kind("{1]"), ValueKind::text);
  EXPECT_EQ(kind("\"a\""), ValueKind::text);
}

TEST(ValueKind, TextHasNoControlCharactersButLineBreaksAndTabs) {
  EXPECT_EQ(kind("line 1\r\n\tline 2"), ValueKind::text);
  EXPECT_EQ(kind(" \n "), ValueKind::text);
  EXPECT_EQ(kind("a\x01z"), ValueKind::bytes);
  EXPECT_EQ(kind("a\x7fz"), ValueKind::bytes);
  EXPECT_EQ(kind(std::string_view("{\0}", 3)), ValueKind::bytes);
}

TEST(ValueKind, InvalidUtf8IsBytes) {
  EXPECT_EQ(kind("{\"a\":\"\xff\"}"), ValueKind::bytes);
  EXPECT_EQ(kind("\xc3"), ValueKind::bytes);          // cut
  EXPECT_EQ(kind("\xed\xa0\x80"), ValueKind::bytes);  // a surrogate
  EXPECT_EQ(kind("\xc0\xaf"), ValueKind::bytes);      // longer than it needs to be
}

TEST(ValueKind, NothingIsBytes) { EXPECT_EQ(kind(""), ValueKind::bytes); }

TEST(ValueKind, EndingAndTypeBelongTogether) {
  EXPECT_STREQ(ending_of(ValueKind::json), ".json");
  EXPECT_STREQ(content_type(ValueKind::json), "application/json");
  EXPECT_STREQ(ending_of(ValueKind::text), ".txt");
  EXPECT_STREQ(content_type(ValueKind::text), "text/plain");
  EXPECT_STREQ(ending_of(ValueKind::bytes), ".bin");
  EXPECT_STREQ(content_type(ValueKind::bytes), "application/octet-stream");
}

}  // namespace
}  // namespace kparse::dissector
