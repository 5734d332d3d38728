// SPDX-License-Identifier: MIT
// Each wrapper's worked bytes, read and written.
#include "kparse/wrappers.h"

#include <gtest/gtest.h>

#include <array>

#include "support.h"

namespace kparse {
namespace {

using test::string;
using test::view;

std::string vector_hex(const char* name) { return test::to_hex(test::vector(name)); }

TEST(SchemaPrefix, Confluent) {
  const auto bytes = test::vector("confluent");
  SchemaPrefix p;
  ASSERT_TRUE(read_schema_prefix(bytes, SchemaPrefix::Form::confluent, p));
  EXPECT_EQ(p.id, 42);
  EXPECT_EQ(string(p.payload),
            "\x02"
            "AB");
  Writer out;
  write_schema_prefix(p, out);
  EXPECT_EQ(test::hex(out), vector_hex("confluent"));
}

TEST(SchemaPrefix, ProtobufIndexes) {
  const std::pair<const char*, std::vector<std::int32_t>> all[] = {{"pb0", {0}}, {"pb1", {1}}, {"pb10", {1, 0}}};
  for (const auto& [name, indexes] : all) {
    const auto bytes = test::vector(name);
    SchemaPrefix p;
    MessageIndexes m;
    ASSERT_TRUE(read_schema_prefix(bytes, SchemaPrefix::Form::confluent, p));
    ASSERT_TRUE(read_message_indexes(p.payload, m)) << name;
    EXPECT_EQ(std::vector(m.items.begin(), m.items.begin() + static_cast<std::ptrdiff_t>(m.count)), indexes) << name;
    EXPECT_TRUE(m.message.empty());
    Writer out;
    p.payload = {};
    write_schema_prefix(p, out);
    write_message_indexes(indexes, out);
    EXPECT_EQ(test::hex(out), vector_hex(name));
  }
  MessageIndexes m;
  EXPECT_FALSE(read_message_indexes(test::from_hex("02 41"), m));  // a negative index
  EXPECT_FALSE(read_message_indexes(test::from_hex("04 02"), m));  // two promised
  EXPECT_FALSE(read_message_indexes(test::from_hex("22 00"), m));  // 17 levels
  EXPECT_FALSE(read_message_indexes({}, m));
}

TEST(SchemaPrefix, Uuids) {
  const auto bytes = test::vector("guid");
  SchemaPrefix p;
  ASSERT_TRUE(read_schema_prefix(bytes, SchemaPrefix::Form::confluent_guid, p));
  EXPECT_EQ(test::to_hex(p.uuid), "00112233445566778899aabbccddeeff");
  Writer out;
  write_schema_prefix(p, out);
  EXPECT_EQ(test::hex(out), vector_hex("guid"));

  SchemaPrefix glue{.form = SchemaPrefix::Form::glue, .uuid = p.uuid, .compression = 5, .payload = view("x")};
  out.clear();
  write_schema_prefix(glue, out);
  EXPECT_EQ(test::hex(out), "030500112233445566778899aabbccddeeff78");
  ASSERT_TRUE(read_schema_prefix(out.view(), SchemaPrefix::Form::glue, p));
  EXPECT_EQ(p.compression, 5);
  EXPECT_EQ(string(p.payload), "x");

  out.clear();
  write_schema_prefix({.form = SchemaPrefix::Form::apicurio, .id = 42, .payload = view("x")}, out);
  EXPECT_EQ(test::hex(out), "00000000000000002a78");
  ASSERT_TRUE(read_schema_prefix(out.view(), SchemaPrefix::Form::apicurio, p));
  EXPECT_EQ(p.id, 42);
  EXPECT_FALSE(read_schema_prefix(out.view().first(8), SchemaPrefix::Form::apicurio, p));
}

std::vector<std::pair<std::string, std::string>> items_of(const EmbeddedHeaders& h) {
  std::vector<std::pair<std::string, std::string>> out;
  Bytes rest = h.headers;
  for (EmbeddedHeaders::Item i; h.next(rest, i);) out.emplace_back(i.name, i.value);
  return out;
}

TEST(EmbeddedHeaders, SpringCloudStream) {
  const auto bytes = test::vector("scs");
  EmbeddedHeaders h;
  ASSERT_TRUE(read_embedded_headers(bytes, EmbeddedHeaders::Form::stream, h));
  EXPECT_EQ(items_of(h),
            (std::vector<std::pair<std::string, std::string>>{{"contentType", "\"text/plain\""}, {"a", "1"}}));
  EXPECT_EQ(string(h.payload), "hi");
  Writer out;
  const std::array<EmbeddedHeaders::Item, 2> items{{{"contentType", "\"text/plain\""}, {"a", "1"}}};
  ASSERT_TRUE(write_embedded_headers(EmbeddedHeaders::Form::stream, items, view("hi"), out));
  EXPECT_EQ(test::hex(out), vector_hex("scs"));
}

TEST(EmbeddedHeaders, SpringXd) {
  const auto bytes = test::vector("xd");
  EmbeddedHeaders h;
  ASSERT_TRUE(read_embedded_headers(bytes, EmbeddedHeaders::Form::xd, h));
  EXPECT_EQ(items_of(h), (std::vector<std::pair<std::string, std::string>>{{"contentType", "text/plain"}}));
  EXPECT_EQ(string(h.payload), "hi");
  Writer out;
  const std::array<EmbeddedHeaders::Item, 1> items{{{"contentType", "text/plain"}}};
  ASSERT_TRUE(write_embedded_headers(EmbeddedHeaders::Form::xd, items, view("hi"), out));
  EXPECT_EQ(test::hex(out), vector_hex("xd"));
  const std::string longer(256, 'x');
  const std::array<EmbeddedHeaders::Item, 1> too_long{{{"n", longer}}};
  EXPECT_FALSE(write_embedded_headers(EmbeddedHeaders::Form::xd, too_long, {}, out));
}

TEST(LinkedIn, HeadersInTheValue) {
  const struct {
    const char* name;
    bool int_keys;
    const char* value;
  } all[] = {{"li", false, "hi"}, {"li_null", false, nullptr}, {"li_int", true, "hi"}};
  for (const auto& c : all) {
    SCOPED_TRACE(c.name);
    const auto bytes = test::vector(c.name);
    LinkedInHeaders h;
    ASSERT_TRUE(read_linkedin_headers(bytes, h));
    EXPECT_EQ(h.int_keys, c.int_keys);
    EXPECT_EQ(h.count, 1);
    EXPECT_EQ(h.value.data() != nullptr, c.value != nullptr);
    EXPECT_EQ(string(h.value), c.value ? c.value : "");
    Bytes rest = h.headers;
    LinkedInHeaders::Item item;
    ASSERT_TRUE(h.next(rest, item));
    EXPECT_EQ(item.name, c.int_keys ? "" : "a");
    EXPECT_EQ(item.key, c.int_keys ? 1 : 0);
    EXPECT_EQ(string(item.value), "1");
    Writer out;
    ASSERT_TRUE(write_linkedin_headers(c.int_keys, {&item, 1}, h.value, out));
    EXPECT_EQ(test::hex(out), vector_hex(c.name));
  }
  LinkedInHeaders h;
  auto bad = test::vector("li");
  bad[12] = 8;  // one byte too many for the headers
  EXPECT_FALSE(read_linkedin_headers(bad, h));
  bad = test::vector("li");
  bad[8] = 2;  // version
  EXPECT_FALSE(read_linkedin_headers(bad, h));
}

TEST(LinkedIn, Segments) {
  const auto bytes = test::vector("li_seg");
  LinkedInSegment s;
  ASSERT_TRUE(read_linkedin_segment(bytes, s));
  EXPECT_EQ(test::to_hex(s.uuid), "00112233445566778899aabbccddeeff");
  EXPECT_EQ(s.number, 0);
  EXPECT_EQ(s.count, 2);
  EXPECT_EQ(s.total_size, 6);
  EXPECT_EQ(string(s.payload), "abc");
  Writer out;
  write_linkedin_segment(s, out);
  EXPECT_EQ(test::hex(out), vector_hex("li_seg"));
  for (const std::size_t at : {0, 4, 20, 24, 28, 32}) {
    auto bad = bytes;
    bad[at] ^= at == 24 ? 2 : at == 28 ? 2 : at == 32 ? 6 : 1;  // number 2, count 0, size 0
    EXPECT_FALSE(read_linkedin_segment(bad, s)) << at;
  }
  EXPECT_FALSE(read_linkedin_segment(test::Blob(40, 0), s));  // the checksum of zeros fits, their count doesn't
}

TEST(LinkedIn, SegmentHeader) {
  const auto bytes = test::vector("li_lm");
  LinkedInSegment s;
  ASSERT_TRUE(read_linkedin_lm(bytes, s));
  EXPECT_EQ(s.type, 1);
  EXPECT_EQ(test::to_hex(s.uuid), "00112233445566778899aabbccddeeff");
  EXPECT_EQ(s.count, 2);
  EXPECT_EQ(s.total_size, 6);
  Writer out;
  write_linkedin_lm(s, out);
  EXPECT_EQ(test::hex(out), vector_hex("li_lm"));
  s.type = 0;
  out.clear();
  write_linkedin_lm(s, out);
  EXPECT_EQ(out.size(), 25u);
  ASSERT_TRUE(read_linkedin_lm(out.view(), s));
  EXPECT_EQ(s.total_size, -1);
}

std::vector<std::pair<std::string, std::string>> entries_of(Bytes b, MapForm expected) {
  StringMap map(b);
  EXPECT_EQ(map.form(), expected);
  std::vector<std::pair<std::string, std::string>> out;
  for (StringMapEntry e; map.next(e);) {
    Writer name, value;
    unescape(e.name, map.form(), name);
    unescape(e.value, map.form(), value);
    out.emplace_back(string(name.view()), e.null ? "(null)" : string(value.view()));
  }
  EXPECT_EQ(static_cast<std::size_t>(map.size()), out.size());
  return out;
}

TEST(StringMap, ThreeForms) {
  const std::array<std::pair<std::string_view, std::string_view>, 2> entries{{{"a", "1"}, {"b", "2"}}};
  const std::vector<std::pair<std::string, std::string>> same{{"a", "1"}, {"b", "2"}};
  const std::pair<MapForm, std::string> all[] = {{MapForm::avro, vector_hex("avro_map")},
                                                 {MapForm::pairs, "613d3126623d32"},
                                                 {MapForm::json, test::to_hex(view(R"({"a":"1","b":"2"})"))}};
  for (const auto& [form, hex] : all) {
    Writer out;
    write_string_map(form, entries, out);
    EXPECT_EQ(test::hex(out), hex) << name_of(form);
    EXPECT_EQ(entries_of(out.view(), form), same);
  }
}

TEST(StringMap, WhatElseIsOne) {
  using Entries = std::vector<std::pair<std::string, std::string>>;
  // Avro blocks with a negative count have their size after it.
  EXPECT_EQ(entries_of(test::from_hex("03 10 02 61 02 31 02 62 02 32 00"), MapForm::avro),
            (Entries{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(entries_of(test::from_hex("02 02 61 02 31 02 02 62 02 32 00"), MapForm::avro),
            (Entries{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(entries_of(view(R"( { "a\u00e9" : "\ud83d\ude80\n" , "b" : null } )"), MapForm::json),
            (Entries{{"aé", "🚀\n"}, {"b", "(null)"}}));
  EXPECT_EQ(entries_of(view("a%20b=1%26&c="), MapForm::pairs), (Entries{{"a b", "1&"}, {"c", ""}}));
  EXPECT_EQ(entries_of(view("{}"), MapForm::json), Entries{});
}

TEST(StringMap, WhatIsNone) {
  for (const char* s : {"", "abc", "=1", "a=1&", "a=1&&b=2", "a=1=2", "a b=1", "{\"a\":1}", "{\"a\":\"1\"",
                        "{\"a\":{\"b\":\"1\"}}", "{\"a\":\"1\"}x", "[1]"}) {
    const StringMap map(view(s));
    EXPECT_EQ(map.form(), MapForm::none) << s;
  }
  for (const char* hex : {"04 02 61 02 31 00", "02 02 61 02 31", "02 02 61 02 31 00 00", "01", "02 01 61 02 31 00"}) {
    const StringMap map(test::from_hex(hex));
    EXPECT_NE(map.form(), MapForm::avro) << hex;
  }
}

}  // namespace
}  // namespace kparse
