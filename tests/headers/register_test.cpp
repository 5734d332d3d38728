// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "kparse/header_register.h"

namespace kparse {
namespace {

TEST(Register, SampleEntries) {
  const HeaderRegister r;
  const std::pair<int, const char*> all[] = {{1, "client.id"},
                                             {2, "cluster.id"},
                                             {3, "correlation.id"},
                                             {260, "new.relic"},
                                             {2100001, "new.relic"},
                                             {451, "appdynamics"},
                                             {2100002, "appdynamics"},
                                             {-5, "app.name"},
                                             {1114000, "app.name"},
                                             {-10, "charge.tag"},
                                             {1050000, "charge.tag"},
                                             {4, ""},
                                             {-1, ""}};
  for (const auto& [key, name] : all) EXPECT_EQ(r.name_of(key), name) << key;
  EXPECT_EQ(r.name_of("260"), "new.relic");
  EXPECT_EQ(r.name_of("-5"), "app.name");
  for (const char* none : {"", "x", "260x", "+5", "99999999999"})
    EXPECT_EQ(r.name_of(std::string_view(none)), "") << none;
}

// Each sample key lies where its scheme lets it: what the run-together numbers were split by.
TEST(Register, SamplesLieInTheirRanges) {
  for (const RegisteredKey& k : sample_keys()) {
    EXPECT_TRUE(k.in_signs || k.in_classes);
    if (k.in_classes) {
      EXPECT_EQ(range_of(k.key, KeyScheme::classes).find("reserved"), std::string_view::npos) << k.key;
    }
    if (k.in_signs && k.key < 0) {
      EXPECT_EQ(range_of(k.key, KeyScheme::signs), "registered in-house");
    }
  }
}

TEST(Register, RangesOfBothSchemes) {
  EXPECT_EQ(range_of(0, KeyScheme::signs), "registered with Apache, open");
  EXPECT_EQ(range_of(255, KeyScheme::signs), "registered with Apache, open");
  EXPECT_EQ(range_of(-1, KeyScheme::signs), "registered in-house");
  EXPECT_EQ(range_of(-128, KeyScheme::signs), "registered in-house");
  EXPECT_EQ(range_of(-129, KeyScheme::signs), "in-house overflow and scratch");
  EXPECT_EQ(range_of(0xffff, KeyScheme::classes), "Kafka, open source");
  EXPECT_EQ(range_of(0x10000, KeyScheme::classes), "reserved");
  EXPECT_EQ(range_of(1048576, KeyScheme::classes), "local use, infrastructure");
  EXPECT_EQ(range_of(0x00340010, KeyScheme::classes), "testing, user");
  EXPECT_EQ(range_of(0x00400000, KeyScheme::classes), "reserved");
  EXPECT_EQ(range_of(-1, KeyScheme::classes), "reserved");
  // Without gap or overlap over all of int32.
  for (const KeyScheme scheme : {KeyScheme::signs, KeyScheme::classes}) {
    std::int64_t covered = 0;
    for (const KeyRange& r : key_ranges()) covered += r.scheme == scheme ? r.last - r.first + 1 : 0;
    EXPECT_EQ(covered, std::int64_t{1} << 32);
    for (const std::int32_t key : {std::numeric_limits<std::int32_t>::min(), -129, -128, -1, 0, 255, 256, 0xffff,
                                   0x10000, 0x3fffff, 0x400000, std::numeric_limits<std::int32_t>::max()}) {
      int holders = 0;
      const std::int64_t k =
          scheme == KeyScheme::signs ? key : static_cast<std::int64_t>(static_cast<std::uint32_t>(key));
      for (const KeyRange& r : key_ranges()) holders += r.scheme == scheme && k >= r.first && k <= r.last;
      EXPECT_EQ(holders, 1) << key;
    }
  }
}

TEST(Register, AUsersFile) {
  HeaderRegister r;
  const std::string text =
      "# ours\r\n"
      "key 4711 acme.tenant  whom it belongs to \n"
      "\tkey\t0x00110010\tapp.build\n"
      "key -7 in.house # a word like others\n"
      "key 0xFFFFFFFF minus.one\n"
      "key 1 client.name\n"
      "\n"
      "header X-Acme-*  acme   our gateway's\n"
      "header traceparent ours";
  const auto problem = r.parse(text);
  ASSERT_FALSE(problem) << problem.line << problem.what;
  EXPECT_EQ(r.name_of(4711), "acme.tenant");
  EXPECT_EQ(r.name_of(0x00110010), "app.build");
  EXPECT_EQ(r.name_of(-7), "in.house");
  EXPECT_EQ(r.name_of(-1), "minus.one");
  EXPECT_EQ(r.name_of(1), "client.name");  // in place of the sample's
  EXPECT_EQ(r.name_of(2), "cluster.id");
  EXPECT_EQ(r.kind_of("x-acme-user"), "acme");
  EXPECT_EQ(r.kind_of("traceparent"), "ours");
  EXPECT_EQ(r.kind_of("b3"), "b3");
  EXPECT_EQ(r.kind_of("other"), "");
  EXPECT_EQ(r.keys().size(), 5u);
  ASSERT_EQ(r.headers().size(), 2u);
  EXPECT_EQ(r.headers()[0].about, "our gateway's");
  EXPECT_EQ(r.keys()[0].key, -7);  // by key
}

TEST(Register, MistakesAreNamed) {
  const struct {
    const char* text;
    std::size_t line;
    const char* what;
    const char* where;
  } cases[] = {
      {"keys 1 a", 1, "neither 'key' nor 'header'", "keys"},
      {"key 1 a\n\nkey", 3, "no key after 'key'", "key"},
      {"key one a", 1, "not an integer of 32 bits", "one"},
      {"key 2147483648 a", 1, "not an integer of 32 bits", "2147483648"},
      {"key 0x100000000 a", 1, "not an integer of 32 bits", "0x100000000"},
      {"key 0x a", 1, "not an integer of 32 bits", "0x"},
      {"key 1", 1, "no name for the key", "1"},
      {"key 1 # a", 1, "no name for the key", "1"},
      {"key 1 a\nkey 0x1 b", 2, "a key that is registered already", "0x1"},
      {"header", 1, "no name after 'header'", "header"},
      {"header x-*-y k", 1, "a * anywhere but at its end", "x-*-y"},
      {"header x", 1, "no kind for the name", "x"},
      {"key 1 a\x01", 1, "a control character", ""},
  };
  for (const auto& c : cases) {
    HeaderRegister r;
    ASSERT_FALSE(r.parse("key 99 kept"));
    const auto problem = r.parse(c.text);
    EXPECT_EQ(problem.line, c.line) << c.text;
    EXPECT_EQ(problem.what, c.what) << c.text;
    EXPECT_EQ(problem.where, c.where) << c.text;
    EXPECT_EQ(r.name_of(99), "kept") << c.text;  // nothing of a bad file counts
  }
  HeaderRegister r;
  EXPECT_FALSE(r.parse(""));
}

}  // namespace
}  // namespace kparse
