// SPDX-License-Identifier: MIT
// Messages of the drafts: worked examples in both directions, and the rules of reading.
#include <gtest/gtest.h>

#include <array>

#include "kparse/crc.h"
#include "kparse/draft_headers.h"
#include "support.h"

namespace kparse {
namespace {

using test::Blob;
using test::from_hex;
using test::string;
using test::view;

constexpr std::int64_t offset = 42, time = 1475280000000;

struct Example {
  const char* vector;
  DraftProfile profile;
  DraftForm form;
  std::vector<std::pair<std::int32_t, const char*>> headers;
  const char* key;
  const char* value;
};

const std::vector<Example>& examples() {
  using P = DraftProfile;
  static const std::vector<Example> all{
      {"draft_noheaders", P::kip82_varint, DraftForm::messagepack, {}, "k1", "v1"},
      {"draft_noheaders", P::kip82_int32, DraftForm::int32, {}, "k1", "v1"},
      {"draft_small", P::kip82_varint, DraftForm::messagepack, {{1, "cli-7"}, {-5, "ig"}}, "k1", "v1"},
      {"draft_mp", P::kip82_varint, DraftForm::messagepack, {{1, "cli-7"}, {260, "nr"}, {-129, "x"}}, "k1", "v1"},
      {"draft_tf", P::kip82_varint, DraftForm::tfile, {{1, "cli-7"}, {260, "nr"}, {-129, "x"}}, "k1", "v1"},
      {"draft_tomb", P::kip82_varint, DraftForm::messagepack, {{1, "cli-7"}}, "k1", nullptr},
      {"draft_i32", P::kip82_int32, DraftForm::int32, {{1, "cli-7"}, {1050000, "ig"}}, "k1", "v1"},
      {"fut_nokey", P::kip82_compact, DraftForm::messagepack, {}, nullptr, "v1"},
      {"fut_hdr", P::kip82_compact, DraftForm::messagepack, {{1, "cli-7"}}, "k1", "v1"},
      {"fut_nullvalue", P::kip82_compact, DraftForm::messagepack, {}, "k1", nullptr},
  };
  return all;
}

Bytes or_null(const char* s) { return s ? view(s) : Bytes{}; }

std::vector<std::pair<std::int32_t, std::string>> headers_of(const DraftMessage& m) {
  std::vector<std::pair<std::int32_t, std::string>> out;
  IntHeaderReader reader(m);
  for (IntHeader h; reader.next(h);) out.emplace_back(h.key, string(h.value));
  return out;
}

TEST(Draft, ExamplesAreRead) {
  for (const Example& e : examples()) {
    SCOPED_TRACE(e.vector);
    const Blob bytes = test::vector(e.vector);
    DraftMessage m;
    const Error error = read_draft_message(bytes, e.profile, m);
    ASSERT_FALSE(error) << name_of(error.code) << " at " << error.offset;
    EXPECT_EQ(m.offset, offset);
    EXPECT_EQ(m.timestamp, time);
    EXPECT_EQ(m.crc, crc32(Bytes(bytes).subspan(16)));
    EXPECT_EQ(m.form, e.form);
    EXPECT_EQ(m.key.data() != nullptr, e.key != nullptr);
    EXPECT_EQ(m.value.data() != nullptr, e.value != nullptr);
    EXPECT_EQ(string(m.key), e.key ? e.key : "");
    EXPECT_EQ(string(m.value), e.value ? e.value : "");
    const auto headers = headers_of(m);
    ASSERT_EQ(headers.size(), e.headers.size());
    for (std::size_t i = 0; i < headers.size(); ++i) {
      EXPECT_EQ(headers[i].first, e.headers[i].first);
      EXPECT_EQ(headers[i].second, e.headers[i].second);
    }
    EXPECT_FALSE(m.null_header);
  }
}

TEST(Draft, ExamplesAreWritten) {
  for (const Example& e : examples()) {
    SCOPED_TRACE(e.vector);
    DraftMessage m;
    m.offset = offset;
    m.timestamp = time;
    m.key = or_null(e.key);
    m.value = or_null(e.value);
    std::vector<IntHeader> headers;
    for (const auto& [key, value] : e.headers) headers.push_back({key, view(value)});
    Writer out;
    ASSERT_TRUE(write_draft_message(m, headers, e.profile, e.form, out));
    EXPECT_EQ(test::hex(out), test::to_hex(test::vector(e.vector)));
  }
}

TEST(Draft, WhicheverFits) {
  const std::pair<const char*, DraftForm> all[] = {
      {"draft_noheaders", DraftForm::int32},  {"draft_small", DraftForm::messagepack},
      {"draft_mp", DraftForm::messagepack},   {"draft_tf", DraftForm::tfile},
      {"draft_tomb", DraftForm::messagepack}, {"draft_i32", DraftForm::int32}};
  for (const auto& [name, form] : all) {
    DraftMessage m;
    EXPECT_FALSE(read_draft_message(test::vector(name), DraftProfile::kip82_any, m)) << name;
    EXPECT_EQ(m.form, form) << name;
  }
}

TEST(Draft, OneProfileRefusesTheOthers) {
  DraftMessage m;
  EXPECT_TRUE(read_draft_message(test::vector("draft_i32"), DraftProfile::kip82_varint, m));
  EXPECT_TRUE(read_draft_message(test::vector("draft_mp"), DraftProfile::kip82_int32, m));
  EXPECT_TRUE(read_draft_message(test::vector("fut_hdr"), DraftProfile::kip82_any, m));
  EXPECT_TRUE(read_draft_message(test::vector("fut_nokey"), DraftProfile::kip82_any, m));
  EXPECT_TRUE(read_draft_message(test::vector("draft_small"), DraftProfile::kip82_compact, m));
}

// "When no headers", read as it stands: without headers there is neither key nor its length.
TEST(Draft, CompactReadLiterally) {
  DraftMessage m;
  m.timestamp = time;
  m.value = view("v1");
  Writer out;
  ASSERT_TRUE(write_draft_message(m, {}, DraftProfile::kip82_compact_literal, DraftForm::tfile, out));
  EXPECT_EQ(out.size(), 29u);
  EXPECT_EQ(out.view()[17], 0);
  DraftMessage back;
  ASSERT_FALSE(read_draft_message(out.view(), DraftProfile::kip82_compact_literal, back));
  EXPECT_EQ(back.key.data(), nullptr);
  EXPECT_EQ(string(back.value), "v1");
  m.key = view("k");
  out.clear();
  EXPECT_FALSE(write_draft_message(m, {}, DraftProfile::kip82_compact_literal, DraftForm::tfile, out));
  const std::array headers{IntHeader{300, view("x")}};
  ASSERT_TRUE(write_draft_message(m, headers, DraftProfile::kip82_compact_literal, DraftForm::tfile, out));
  ASSERT_FALSE(read_draft_message(out.view(), DraftProfile::kip82_compact_literal, back));
  EXPECT_EQ(string(back.key), "k");
  EXPECT_EQ(headers_of(back), (std::vector<std::pair<std::int32_t, std::string>>{{300, "x"}}));
}

// A value of 300 bytes: cd 01 2c in MessagePack, cd 2c in TFile.
TEST(Draft, CompactLengthsInBothCodes) {
  const std::string value(300, 'v');
  DraftMessage m;
  m.value = view(value);
  for (const DraftForm form : {DraftForm::messagepack, DraftForm::tfile}) {
    Writer out;
    ASSERT_TRUE(write_draft_message(m, {}, DraftProfile::kip82_compact, form, out));
    DraftMessage back;
    ASSERT_FALSE(read_draft_message(out.view(), DraftProfile::kip82_compact, back));
    EXPECT_EQ(back.form, form);
    EXPECT_EQ(string(back.value), value);
  }
}

/// An entry with this tail after the timestamp, lengths and CRC right.
Blob entry(std::uint8_t attributes, std::string_view tail_hex) {
  Writer w;
  w.be(std::int64_t{7});
  const Blob tail = from_hex(tail_hex);
  w.be(static_cast<std::int32_t>(14 + tail.size()));
  w.be(std::uint32_t{0});
  w.be(std::uint8_t{2});
  w.be(attributes);
  w.be(time);
  w.bytes(tail);
  w.patch_be(12, crc32(w.view().subspan(16)));
  return {w.view().begin(), w.view().end()};
}

Error read_varint_draft(std::uint8_t attributes, std::string_view tail, DraftMessage* out = nullptr) {
  DraftMessage m;
  const Blob bytes = entry(attributes, tail);
  const Error e = read_draft_message(bytes, DraftProfile::kip82_varint, m);
  if (out) *out = m;
  return e;
}

TEST(Draft, RulesOfTheHeaderBlock) {
  const std::string null_key = "ffffffff", empty_value = "00000000";
  DraftMessage m;
  EXPECT_FALSE(read_varint_draft(0x10, null_key + "00" + empty_value, &m));  // no headers, leniently
  EXPECT_EQ(m.header_count, 0);
  EXPECT_FALSE(read_varint_draft(0x10, null_key + "01 00" + empty_value));
  EXPECT_EQ(read_varint_draft(0x10, null_key + "ff" + empty_value).code, Code::badLength);    // HeadersLength -1
  EXPECT_EQ(read_varint_draft(0x10, null_key + "01 ff" + empty_value).code, Code::badCount);  // Count -1
  EXPECT_EQ(read_varint_draft(0x10, null_key + "04 02 01 00 02" + empty_value).code, Code::badCount);  // 2 in 3 bytes
  EXPECT_EQ(read_varint_draft(0x10, null_key + "03 01 01 fe" + empty_value).code, Code::badLength);    // ValueLength -2
  EXPECT_EQ(read_varint_draft(0x10, null_key + "03 01 01 05" + empty_value).code, Code::truncated);
  EXPECT_EQ(read_varint_draft(0x10, null_key + "04 01 01 00 00" + empty_value).code, Code::surplus);
  EXPECT_EQ(read_varint_draft(0x10, null_key + "7f 00" + empty_value).code, Code::truncated);  // past the message
  EXPECT_EQ(read_varint_draft(0x00, null_key + empty_value + "00").code, Code::surplus);
  EXPECT_EQ(read_varint_draft(0x00, null_key + "fffffffe").code, Code::badLength);
  EXPECT_EQ(read_varint_draft(0x20, null_key + empty_value).code, Code::badValue);    // bit 5 is compact's
  EXPECT_EQ(read_varint_draft(0x05, null_key + empty_value).code, Code::badValue);    // codec 5
  EXPECT_FALSE(read_varint_draft(0x10, null_key + "03 01 01 ff" + empty_value, &m));  // null, which nobody defined
  EXPECT_TRUE(m.null_header);
}

TEST(Draft, DuplicatesStayInOrder) {
  DraftMessage m, back;
  const std::array headers{IntHeader{7, view("a")}, IntHeader{7, view("b")}, IntHeader{-7, view("")}};
  Writer out;
  ASSERT_TRUE(write_draft_message(m, headers, DraftProfile::kip82_int32, DraftForm::none, out));
  ASSERT_FALSE(read_draft_message(out.view(), DraftProfile::kip82_int32, back));
  EXPECT_EQ(headers_of(back), (std::vector<std::pair<std::int32_t, std::string>>{{7, "a"}, {7, "b"}, {-7, ""}}));
  EXPECT_FALSE(back.ascending);
}

TEST(Draft, MapsOfTheFirstWeeks) {
  const Blob map = test::vector("avro_map");
  DraftMessage m;
  m.key = view("k1");
  m.value = view("v1");
  m.headers = map;
  for (const DraftProfile profile : {DraftProfile::kip82_map, DraftProfile::kip82_map_always}) {
    Writer out;
    ASSERT_TRUE(write_draft_map_message(m, profile, out));
    EXPECT_EQ(out.view()[17], profile == DraftProfile::kip82_map ? 0x10 : 0);
    DraftMessage back;
    ASSERT_FALSE(read_draft_message(out.view(), profile, back));
    EXPECT_EQ(test::to_hex(back.headers), test::to_hex(map));
    EXPECT_EQ(string(back.value), "v1");
  }
  // Option B always has the four bytes of the size, option A only where bit 4 is set.
  m.headers = {};
  Writer a, b;
  ASSERT_TRUE(write_draft_map_message(m, DraftProfile::kip82_map, a));
  ASSERT_TRUE(write_draft_map_message(m, DraftProfile::kip82_map_always, b));
  EXPECT_EQ(a.size() + 4, b.size());
}

TEST(Draft, ProfilesHaveNames) {
  for (const DraftProfileInfo& p : draft_profiles()) {
    EXPECT_EQ(find_draft_profile(p.name), p.profile);
    EXPECT_EQ(name_of(p.profile), p.name);
  }
  EXPECT_EQ(find_draft_profile("kip82"), std::nullopt);
}

}  // namespace
}  // namespace kparse
