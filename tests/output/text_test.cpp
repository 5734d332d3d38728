// SPDX-License-Identifier: MIT
#include "output/text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "output/diagnostics.h"
#include "output/output.h"
#include "output/table.h"

namespace kparse::cli {
namespace {

using namespace std::string_literals;

TEST(Printable, KeepsTextAsItIs) {
  EXPECT_EQ(printable("orders-v1 \\ ümläut 日本 🙂"), "orders-v1 \\ ümläut 日本 🙂");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable("a\nb\tc\0d"s), "a\\x0ab\\x09c\\x00d");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J")
      << "C1 control sequence introducer, as UTF-8";
  EXPECT_EQ(printable("abc\xe2\x80\xae"
                      "fdp.exe"),
            "abc\\u{202e}fdp.exe")
      << "right-to-left override";
}

TEST(Printable, ShowsInvalidUtf8ByteByByte) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "past U+10FFFF";
  EXPECT_EQ(printable("x\xe2\x82"), "x\\xe2\\x82") << "cut";
}

TEST(Width, CountsColumns) {
  EXPECT_EQ(width_of("abc"), 3u);
  EXPECT_EQ(width_of("日本"), 4u);
  EXPECT_EQ(width_of("e\xcc\x81"), 1u) << "combining accent";
  EXPECT_EQ(width_of("\x1b[31mred\x1b[0m"), 3u);
}

TEST(PainterTest, HeedsTheWish) {
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "xterm", 1);
  EXPECT_EQ(Painter(When::always, false)(Style::red, "x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(Painter(When::never, true)(Style::red, "x"), "x");
  EXPECT_TRUE(Painter(When::automatic, true).on());
  EXPECT_FALSE(Painter(When::automatic, false).on());
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(Painter(When::automatic, true).on());
  EXPECT_TRUE(Painter(When::always, true).on());
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(Painter(When::automatic, true).on());
}

TEST(TableTest, AlignsColumns) {
  Diagnostics diagnostics;
  Output out(diagnostics);
  ASSERT_TRUE(out.open(""));
  Table table({{"api", Align::left, 0}, {"count", Align::right, 0}, {"note", Align::left, 4}});
  table.row({"Fetch", "12"});
  table.row({"日本", "3456", "longer"});
  testing::internal::CaptureStdout();
  table.print(out, Painter(When::never, false));
  ASSERT_TRUE(out.commit());
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "  api    count  note\n"
            "  Fetch     12\n"
            "  日本    3456  lon…\n");
}

}  // namespace
}  // namespace kparse::cli
