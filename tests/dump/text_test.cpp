// SPDX-License-Identifier: MIT
// Texts made fit to be shown.
#include "kparse/text.h"

#include <gtest/gtest.h>

#include <string>

#include "kparse/json.h"

namespace kparse::test {
namespace {

std::string clean(std::string_view in) {
  std::string out(clean_utf8_size(in.size()), '?');
  out.resize(clean_utf8(in, out.data()));
  return out;
}

std::string uuid(const std::uint8_t (&id)[16]) {
  char out[uuid_text_size];
  uuid_text(id, out);
  return std::string(out, sizeof out);
}

// Base64url of RFC 4648 without padding, as org.apache.kafka.common.Uuid prints it.
TEST(Text, Uuid) {
  EXPECT_EQ(uuid({}), "AAAAAAAAAAAAAAAAAAAAAA");
  EXPECT_EQ(uuid({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}), "AAAAAAAAAAAAAAAAAAAAAQ");
  EXPECT_EQ(uuid({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}),
            "_____________________w");
}

TEST(Text, UuidIsThatOfJson) {
  for (unsigned seed = 1; seed < 200; ++seed) {
    std::uint8_t id[16];
    for (unsigned n = 0; n < 16; ++n) id[n] = static_cast<std::uint8_t>(seed * 167 + n * n * 31 + seed * n);
    JsonWriter json;
    json.uuid(id);
    EXPECT_EQ('"' + uuid(id) + '"', json.view());
  }
}

TEST(Text, Plain) {
  EXPECT_TRUE(plain_utf8(""));
  EXPECT_TRUE(plain_utf8("order-1\n"));
  EXPECT_TRUE(plain_utf8("größe 王 🎁"));
  EXPECT_FALSE(plain_utf8(std::string_view("a\0b", 3)));
  EXPECT_FALSE(plain_utf8("\xff"));
  for (std::size_t at = 0; at < 20; ++at) {  // wherever it stands
    std::string text(20, 'a');
    EXPECT_TRUE(plain_utf8(text));
    text[at] = '\0';
    EXPECT_FALSE(plain_utf8(text)) << at;
    text[at] = '\x80';
    EXPECT_FALSE(plain_utf8(text)) << at;
    text[at] = '\x01';
    EXPECT_TRUE(plain_utf8(text)) << at;
  }
  EXPECT_FALSE(plain_utf8("\xed\xa0\x80"));  // a surrogate
  EXPECT_FALSE(plain_utf8("cut \xe7\x8e"));
}

TEST(Text, Clean) {
  EXPECT_EQ(clean("größe"), "größe");
  EXPECT_EQ(clean(std::string_view("a\0b", 3)),
            "a\xe2\x90\x80"
            "b");
  EXPECT_EQ(clean("\xff\xfe"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(clean("cut \xe7\x8e"), "cut \xef\xbf\xbd");  // a beginning of a sequence is one piece
}

TEST(Text, Printable) {
  EXPECT_TRUE(printable_utf8("größe 🎁"));
  EXPECT_FALSE(printable_utf8("tab\t"));
  EXPECT_FALSE(printable_utf8("\xc2\x85"));  // C1
}

}  // namespace
}  // namespace kparse::test
