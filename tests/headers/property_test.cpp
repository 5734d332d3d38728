// SPDX-License-Identifier: MIT
// Whatever the bytes are: every prefix and every flipped byte of every example, and noise, through every reader. What
// counts is that sanitizers have nothing to say, and that no reader gives more than there is.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "headers/find_pair.h"
#include "kparse/carriers.h"
#include "kparse/draft_headers.h"
#include "kparse/header_register.h"
#include "kparse/headers.h"
#include "kparse/record_walk.h"
#include "kparse/wrappers.h"
#include "support.h"

namespace kparse {
namespace {

using test::Blob;

struct Counter final : CarrierFields, RecordSink {
  std::size_t fields = 0, records = 0;
  std::uint64_t bytes_seen = 0;
  void text(std::string_view, std::string_view v) noexcept override { add(v.size()); }
  void integer(std::string_view, std::int64_t) noexcept override { add(0); }
  void bytes(std::string_view, Bytes v) noexcept override { add(v.size()); }
  void add(std::size_t n) noexcept {
    ++fields;
    bytes_seen += n;
  }
  void record(const Batch&, const Record& r) noexcept {
    ++records;
    HeaderReader reader(r);
    for (RecordHeader h; reader.next(h);) bytes_seen += h.name.size() + h.value.size();
    for (const CarrierSeen& f : recognise(r)) describe(f, r, *this);
  }
};

/// On the heap to its last byte, so that a sanitizer sees a read past the end.
void try_all(Bytes in) {
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[in.size()]);
  std::copy(in.begin(), in.end(), exact.get());
  const Bytes b{exact.get(), in.size()};
  static Scratch scratch;

  Counter c;
  for (const DraftProfileInfo& p : draft_profiles()) {
    DraftMessage m;
    if (!read_draft_message(b, p.profile, m)) {
      IntHeaderReader reader(m);
      std::uint64_t sum = m.key.size() + m.value.size();
      for (IntHeader h; reader.next(h);) sum += h.value.size();
      EXPECT_LE(sum, b.size());
    }
    (void)tell_magic_two(b, p.profile);
    DraftReader draft(p.profile);
    read_records(b, {.max_batch = 1 << 20, .draft = &draft}, scratch, c);
  }
  Error error;
  if (const auto h = Headers::read(b, error)) {
    std::size_t n = 0;
    for (const RecordHeader& x : *h) n += 1 + 0 * x.name.size();
    EXPECT_EQ(n, h->size());
    Writer out;
    h->write(out);
    EXPECT_LE(out.size(), b.size());
  } else {
    EXPECT_LE(error.offset, b.size());
  }
  Record r;
  r.value = b;
  for (const CarrierSeen& f : recognise(r)) describe(f, r, c);
  SchemaPrefix prefix;
  for (int form = 0; form < 4; ++form) (void)read_schema_prefix(b, static_cast<SchemaPrefix::Form>(form), prefix);
  MessageIndexes indexes;
  (void)read_message_indexes(b, indexes);
  EmbeddedHeaders embedded;
  for (const auto form : {EmbeddedHeaders::Form::stream, EmbeddedHeaders::Form::xd}) {
    if (read_embedded_headers(b, form, embedded)) {
      EXPECT_LE(embedded.headers.size() + embedded.payload.size(), b.size());
    }
  }
  LinkedInHeaders linkedin;
  (void)read_linkedin_headers(b, linkedin);
  LinkedInSegment segment;
  (void)read_linkedin_segment(b, segment);
  (void)read_linkedin_lm(b, segment);
  StringMap map(b);
  std::int32_t n = 0;
  for (StringMapEntry e; map.next(e); ++n) {
    Writer out;
    unescape(e.name, map.form(), out);
    unescape(e.value, map.form(), out);
    EXPECT_LE(out.size(), b.size());
  }
  EXPECT_EQ(n, map.size());
  HeaderRegister reg;
  (void)reg.parse(text(b));
  // As a header, under each name that means something.
  for (const HeaderConvention& h : header_conventions()) {
    std::string name(h.pattern);
    if (name.ends_with('*')) name.back() = 'x';
    const std::vector<test::MadeRecord::Header> headers{{name, std::string(b.begin(), b.end())}};
    const test::MadeRecord made(headers);
    for (const CarrierSeen& f : recognise(made.record)) describe(f, made.record, c);
  }
}

std::vector<Blob> examples() {
  std::vector<Blob> out;
  for (const auto& name : test::vector_names()) out.push_back(test::vector(name));
  for (const char* s :
       {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1", "5e3aa1c0%3A1b2c%3A0%3A1",
        "1-VFJBQ0U=-U0VH-3-U1ZD-SU5T-L2Fw-MTI3", "key 4711 acme # x\nheader x-* y",
        R"({"specversion":"1.0","id":"7\ud83d","source":"/s","type":"t","data":{"a":[1,-2.5e3,true,null]}})",
        R"({"headers":{"a\n":"1"},"payload":[]})", R"({"schema":{"type":"struct"},"payload":{"a":1}})", "a=1&b=%32"})
    out.emplace_back(s, s + std::strlen(s));
  return out;
}

TEST(Property, EveryPrefix) {
  for (const Blob& e : examples()) {
    for (std::size_t n = 0; n <= e.size(); ++n) try_all(Bytes(e).first(n));
  }
}

TEST(Property, EveryFlippedByte) {
  std::mt19937 random(1);
  for (const Blob& e : examples()) {
    for (std::size_t i = 0; i < e.size(); ++i) {
      Blob bad = e;
      bad[i] ^= static_cast<std::uint8_t>(1 + random() % 255);
      try_all(bad);
    }
  }
}

TEST(Property, Noise) {
  std::mt19937 random(2);
  const auto all = examples();
  for (int i = 0; i < 1500; ++i) {
    Blob bad = all[random() % all.size()];
    for (unsigned n = 1 + random() % 8; n > 0; --n) bad[random() % bad.size()] = static_cast<std::uint8_t>(random());
    try_all(bad);
  }
}

// Deep JSON is refused, long one is read once.
TEST(Property, LargeInput) {
  const std::string deep(100'000, '[');
  try_all(test::view("{\"specversion\":" + deep));
  std::string wide = "{\"headers\":{";
  for (int i = 0; i < 20'000; ++i) wide += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":\"v\"";
  wide += "},\"payload\":1}";
  const auto found = recognise_value(test::view(wide), -1);
  EXPECT_EQ(found.carrier, Carrier::string_map);
}

TEST(Property, RandomDraftsComeBack) {
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    const DraftProfileInfo& p = draft_profiles()[random() % 4 == 3 ? 3 : random() % 3];
    DraftForm form = static_cast<DraftForm>(1 + random() % 3);
    if (p.profile == DraftProfile::kip82_int32) form = DraftForm::int32;
    if (form == DraftForm::int32 &&
        (p.profile == DraftProfile::kip82_varint || p.profile == DraftProfile::kip82_compact))
      form = DraftForm::messagepack;
    std::vector<std::string> values(random() % 6);
    std::vector<IntHeader> headers;
    for (auto& v : values) v.assign(random() % 300, static_cast<char>(random()));
    for (const auto& v : values)
      headers.push_back({static_cast<std::int32_t>(random()) >> random() % 32, test::view(v)});
    DraftMessage m;
    m.offset = static_cast<std::int64_t>(random());
    m.timestamp = static_cast<std::int64_t>(random()) << 16;
    const std::string key(random() % 300, 'k'), value(random() % 6000, 'v');
    if (random() % 4) m.key = test::view(key);
    if (random() % 4) m.value = test::view(value);
    Writer out;
    ASSERT_TRUE(write_draft_message(m, headers, p.profile, form, out));
    ASSERT_EQ(tell_magic_two(out.view(), p.profile), MagicTwo::draft);
    DraftMessage back;
    ASSERT_FALSE(read_draft_message(out.view(), p.profile, back)) << p.name;
    EXPECT_EQ(back.offset, m.offset);
    EXPECT_EQ(back.timestamp, m.timestamp);
    EXPECT_EQ(test::string(back.key), m.key.data() ? key : "");
    EXPECT_EQ(test::string(back.value), m.value.data() ? value : "");
    EXPECT_EQ(back.header_count, static_cast<std::int32_t>(headers.size()));
    // What was read, written in the code it was read as, gives the same bytes; so nothing was lost.
    std::vector<IntHeader> again;
    IntHeaderReader reader(back);
    for (IntHeader h; reader.next(h);) again.push_back(h);
    Writer same;
    ASSERT_TRUE(write_draft_message(back, again, p.profile, back.form, same));
    EXPECT_EQ(test::to_hex(same.view()), test::to_hex(out.view()));
  }
}

// Sixteen or thirty-two places at a time find what one at a time finds, and look at nothing behind the end.
TEST(FindPair, EveryPlaceOfEveryLength) {
  for (std::size_t size = 0; size <= 200; ++size) {
    const auto in = std::make_unique<std::uint8_t[]>(size);
    std::memset(in.get(), 'p', size);
    const Bytes bytes(in.get(), size);
    EXPECT_FALSE(has_pair(bytes, 'p', 'v')) << size;
    for (std::size_t at = 0; at < size; ++at) {
      in[at] = 'v';
      ASSERT_EQ(has_pair(bytes, 'p', 'v'), at >= 3) << at << " of " << size;
      ASSERT_FALSE(has_pair(bytes, 'x', 'v'));
      in[at] = 'p';
    }
  }
}

}  // namespace
}  // namespace kparse
