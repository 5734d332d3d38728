// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>

#include "json_check.h"

namespace kparse::test {
namespace {

std::string string(std::string_view v) {
  JsonWriter w;
  (void)w.string(v);
  return std::string(w.view());
}
std::string real(double v) {
  JsonWriter w;
  w.float64(v);
  return std::string(w.view());
}
std::string base64(std::string_view v) {
  JsonWriter w;
  w.base64({reinterpret_cast<const std::uint8_t*>(v.data()), v.size()});
  return std::string(w.view());
}

TEST(Writer, CommasComeByThemselves) {
  JsonWriter w;
  w.begin_object();
  w.key("a");
  w.begin_array();
  w.integer(1);
  w.integer(-2);
  w.begin_object();
  w.end_object();
  w.begin_object();
  w.end_object();
  w.end_array();
  w.key("b");
  (void)w.string(",{[:");
  w.key("c", ".decoded");
  w.null();
  w.end_object();
  EXPECT_EQ(w.view(), R"({"a":[1,-2,{},{}],"b":",{[:","c.decoded":null})");
}

TEST(Writer, Escapes) {
  EXPECT_EQ(string("a\"b\\c\n\r\t\b\f\x01\x7f"), "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0001\\u007f\"");
  EXPECT_EQ(string(std::string_view("\0", 1)), "\"\\u0000\"");
  EXPECT_EQ(string("h\u00e9llo \u6f22 \U0001F600"), "\"h\u00e9llo \u6f22 \U0001F600\"");
  // Each place within the eight bytes that are looked at together.
  for (std::size_t n = 0; n < 20; ++n)
    EXPECT_EQ(string(std::string(n, 'x') + "\"" + std::string(20, 'y')),
              '"' + std::string(n, 'x') + "\\\"" + std::string(20, 'y') + '"');
}

// RFC 8259, byte by byte: what is looked at many bytes together, wherever they stand, must come out the same.
TEST(Writer, EscapesAsByteByByte) {
  const auto plainly = [](std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (c == '\n') {
        out += "\\n";
      } else {
        out += c;
      }
    }
    return out + '"';
  };
  constexpr std::string_view mostly_plain = "abcdefghijklmnopqrstuvwxyz0123456789 {}:,.\"", json = "a\"b\\",
                             lines = "ab\"c\n";
  std::mt19937 random(1);
  for (const std::string_view letters : {mostly_plain, json, lines}) {
    for (std::size_t size = 0; size < 120; ++size) {
      for (int round = 0; round < 20; ++round) {
        // In memory of just this size: a sanitizer sees a read past its end.
        const auto exact = std::make_unique<char[]>(size);
        for (std::size_t i = 0; i < size; ++i) exact[i] = letters[random() % letters.size()];
        const std::string_view text(exact.get(), size);
        ASSERT_EQ(string(text), plainly(text));
      }
    }
  }
}

// Expected: as many U+FFFD as java.lang.String (JDK 17) gives for these bytes.
TEST(Writer, InvalidUtf8LikeJava) {
  const std::string r = "\ufffd";
  EXPECT_EQ(string("a\xff"
                   "b"),
            "\"a" + r + "b\"");
  EXPECT_EQ(string("\xc0\xaf"), '"' + r + r + '"');          // overlong
  EXPECT_EQ(string("\xe0\x80\x80"), '"' + r + r + r + '"');  // overlong
  EXPECT_EQ(string("\xe6\xbc"), '"' + r + '"');              // cut short
  EXPECT_EQ(string("\xe6\xbcx"), '"' + r + "x\"");
  EXPECT_EQ(string("\xf0\x9f\x98"), '"' + r + '"');
  EXPECT_EQ(string("\xf0\x9f\x98x"), '"' + r + "x\"");
  EXPECT_EQ(string("\xf5\x80\x80\x80"), '"' + r + r + r + r + '"');
  EXPECT_EQ(string("\xf4\x90\x80\x80"), '"' + r + r + r + r + '"');  // past U+10FFFF
  EXPECT_EQ(string("\xed\xa0\x80"), '"' + r + '"');                  // a surrogate: one
  EXPECT_EQ(string("\x80"), '"' + r + '"');
}

TEST(Writer, Floats) {
  EXPECT_EQ(real(std::numeric_limits<double>::quiet_NaN()), "\"NaN\"");
  EXPECT_EQ(real(HUGE_VAL), "\"Infinity\"");
  EXPECT_EQ(real(-HUGE_VAL), "\"-Infinity\"");
  EXPECT_EQ(real(1), "1.0");
  EXPECT_EQ(real(-0.0), "-0.0");
  for (const double v : {4.9e-324, 0.1, 1.7976931348623157e308, -1e21, 3.141592653589793})
    EXPECT_EQ(std::strtod(real(v).c_str(), nullptr), v);
}

TEST(Writer, Integers) {
  JsonWriter w;
  w.integer(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(w.view(), "-9223372036854775808");
  w.clear();
  w.unsigned_integer(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(w.view(), "18446744073709551615");
}

// RFC 4648, section 10.
TEST(Writer, Base64) {
  EXPECT_EQ(base64(""), "\"\"");
  EXPECT_EQ(base64("f"), "\"Zg==\"");
  EXPECT_EQ(base64("fo"), "\"Zm8=\"");
  EXPECT_EQ(base64("foo"), "\"Zm9v\"");
  EXPECT_EQ(base64("foob"), "\"Zm9vYg==\"");
  EXPECT_EQ(base64("fooba"), "\"Zm9vYmE=\"");
  EXPECT_EQ(base64("foobar"), "\"Zm9vYmFy\"");
}

TEST(Writer, Uuids) {
  JsonWriter w;
  w.uuid(from_hex("00000000000000000000000000000001").data());
  EXPECT_EQ(w.view(), "\"AAAAAAAAAAAAAAAAAAAAAQ\"");
  w.clear();
  w.uuid(from_hex("fbffbfffffffffffffffffffffffffff").data());
  EXPECT_EQ(w.view(), "\"-_-__________________w\"");
}

TEST(Writer, Utf16) {
  JsonWriter w;
  w.utf16_string(from_hex("0061 00e9 6f22 d83d de00 d800 0062"));
  EXPECT_EQ(w.view(),
            "\"a\u00e9\u6f22\U0001F600\ufffd"
            "b\"");
}

TEST(Writer, Replace) {
  JsonWriter w;
  w.begin_object();
  w.key("value");
  const std::size_t from = w.size();
  (void)w.string("x");
  const std::size_t to = w.size();
  w.key("next");
  w.boolean(true);
  (void)w.replace(from, to, "(redacted)");
  w.end_object();
  EXPECT_EQ(w.view(), R"j({"value":"(redacted)","next":true})j");
}

TEST(Bytes, Modes) {
  const auto write = [](std::string_view v, BytesAs as) {
    JsonWriter w;
    write_bytes(w, {reinterpret_cast<const std::uint8_t*>(v.data()), v.size()}, as);
    return std::string(w.view());
  };
  EXPECT_EQ(write("k1", BytesAs::text), "\"k1\"");
  EXPECT_EQ(write("\x01", BytesAs::text), R"({"base64":"AQ=="})");
  EXPECT_EQ(write("\xff", BytesAs::text), R"({"base64":"/w=="})");
  EXPECT_EQ(write("a\n", BytesAs::text), R"({"base64":"YQo="})");
  EXPECT_EQ(write("", BytesAs::text), "\"\"");
  EXPECT_EQ(write("k1", BytesAs::base64), "\"azE=\"");
  EXPECT_EQ(write("k1", BytesAs::hex), "\"6b31\"");
  JsonWriter w;
  write_bytes(w, {}, BytesAs::base64);
  EXPECT_EQ(w.view(), "null");
}

}  // namespace
}  // namespace kparse::test
