// SPDX-License-Identifier: MIT
// The Headers API: what the accepted KIP-82 and Kafka's RecordHeaders (and its tests) promise.
#include "kparse/headers.h"

#include <gtest/gtest.h>

#include <array>

#include "kparse/record_walk.h"
#include "support.h"

namespace kparse {
namespace {

using test::string;
using test::view;

std::string shown(const Headers& headers) {
  std::string out;
  for (const RecordHeader& h : headers)
    out += std::string(h.name) + "=" + (h.value.data() ? string(h.value) : "null") + " ";
  return out;
}

/// The first record of the vector "batch" has a="1", a=null, b="".
struct FromBatch : RecordSink {
  test::Blob bytes = test::vector("batch");
  Record first;
  Scratch scratch;
  FromBatch() { read_records(bytes, {}, scratch, *this); }
  void record(const Batch&, const Record& r) noexcept {
    if (r.index == 0) first = r;
  }
};

TEST(Headers, AddKeepsOrderAndDuplicates) {
  Headers h;
  EXPECT_TRUE(h.empty());
  EXPECT_EQ(h.add("key", view("value")), HeadersStatus::ok);
  EXPECT_EQ(h.add("key2", view("value2")), HeadersStatus::ok);
  EXPECT_EQ(h.add("key", view("")), HeadersStatus::ok);
  EXPECT_EQ(h.add("", {}), HeadersStatus::ok);
  EXPECT_EQ(shown(h), "key=value key2=value2 key= =null ");
  EXPECT_EQ(h.size(), 4u);
}

TEST(Headers, LastHeader) {
  Headers h;
  (void)h.add("key", view("value"));
  (void)h.add("key", view("value2"));
  EXPECT_EQ(string(h.last_header("key")->value), "value2");
  EXPECT_FALSE(h.last_header("other"));
  EXPECT_FALSE(h.last_header("Key"));
}

TEST(Headers, NamedInOrder) {
  Headers h;
  for (const auto& [name, value] : {std::pair{"a", "1"}, {"b", "2"}, {"a", "3"}, {"c", "4"}, {"a", "5"}})
    (void)h.add(name, view(value));
  std::string seen;
  for (const RecordHeader& x : h.headers("a")) seen += string(x.value);
  EXPECT_EQ(seen, "135");
  for (const RecordHeader& x : h.headers("none")) FAIL() << x.name;
}

TEST(Headers, RemoveTakesAllOfAName) {
  Headers h;
  for (const auto& [name, value] : {std::pair{"a", "1"}, {"b", "2"}, {"a", "3"}}) (void)h.add(name, view(value));
  EXPECT_EQ(h.remove("a"), HeadersStatus::ok);
  EXPECT_EQ(shown(h), "b=2 ");
  EXPECT_EQ(h.remove("none"), HeadersStatus::ok);
  EXPECT_EQ(h.remove(h.begin()->name), HeadersStatus::ok);  // a name that goes with its header
  EXPECT_TRUE(h.empty());
}

TEST(Headers, EraseOne) {
  Headers h;
  for (const auto& [name, value] : {std::pair{"a", "1"}, {"a", "2"}, {"a", "3"}}) (void)h.add(name, view(value));
  auto at = h.begin();
  ++at;
  EXPECT_EQ(h.erase(at), HeadersStatus::ok);
  EXPECT_EQ(string(at->value), "3");
  EXPECT_EQ(shown(h), "a=1 a=3 ");
}

TEST(Headers, ToArray) {
  Headers h;
  (void)h.add("a", view("1"));
  (void)h.add("b", {});
  std::array<RecordHeader, 3> all;
  EXPECT_EQ(h.to_array(all), 2u);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(h.to_array(std::span(all).first(1)), 1u);
  EXPECT_EQ(Headers().to_array(all), 0u);
}

TEST(Headers, ReadOnlyAfterClose) {
  Headers h;
  (void)h.add("a", view("1"));
  EXPECT_FALSE(h.closed());
  h.close();
  EXPECT_TRUE(h.closed());
  EXPECT_EQ(h.add("b", view("2")), HeadersStatus::read_only);
  EXPECT_EQ(h.remove("a"), HeadersStatus::read_only);
  EXPECT_EQ(h.remove("none"), HeadersStatus::read_only);
  auto at = h.begin();
  EXPECT_EQ(h.erase(at), HeadersStatus::read_only);
  EXPECT_EQ(shown(h), "a=1 ");
  EXPECT_TRUE(h.last_header("a"));
  EXPECT_NE(message_of(HeadersStatus::read_only).find("read-only"), std::string_view::npos);
}

TEST(Headers, EqualByNamesAndValuesInOrder) {
  Headers a, b, c, d;
  (void)a.add("a", view("1"));
  (void)b.add("a", view("1"));
  b.close();
  EXPECT_EQ(a, b);
  (void)a.add("b", {});
  EXPECT_FALSE(a == b);
  (void)c.add("a", view("1"));
  (void)c.add("b", view(""));
  EXPECT_FALSE(a == c);  // null isn't empty
  (void)d.add("b", {});
  (void)d.add("a", view("1"));
  EXPECT_FALSE(a == d);
}

TEST(Headers, AViewOfARecordCopiesNothing) {
  const FromBatch from;
  const Headers h(from.first);
  EXPECT_EQ(shown(h), "a=1 a=null b= ");
  const auto* begin = reinterpret_cast<const char*>(from.bytes.data());
  for (const RecordHeader& x : h) {
    EXPECT_GE(x.name.data(), begin);
    EXPECT_LT(x.name.data(), begin + from.bytes.size());
  }
  EXPECT_EQ(h.last_header("a")->value.data(), nullptr);
  EXPECT_EQ(h.size(), 3u);
}

TEST(Headers, ChangesLeaveTheBytesAlone) {
  const FromBatch from;
  const test::Blob before = from.bytes;
  Headers h(from.first);
  EXPECT_EQ(h.add("c", view("3")), HeadersStatus::ok);
  EXPECT_EQ(h.remove("b"), HeadersStatus::ok);
  EXPECT_EQ(shown(h), "a=1 a=null c=3 ");
  EXPECT_EQ(from.bytes, before);
  EXPECT_EQ(shown(Headers(from.first)), "a=1 a=null b= ");
  const Headers moved = std::move(h);
  EXPECT_EQ(shown(moved), "a=1 a=null c=3 ");
  EXPECT_TRUE(h.empty());  // NOLINT(bugprone-use-after-move): empty, as said
}

// The headers of the vectors rec0 and rec1 stand at their ends.
TEST(Headers, ToAndFromWireBytes) {
  for (const auto& [name, from] : {std::pair{"rec0", 10}, {"rec1", 6}}) {
    const test::Blob record = test::vector(name);
    const Bytes encoded = Bytes(record).subspan(static_cast<std::size_t>(from));
    Error error;
    const auto read = Headers::read(encoded, error);
    ASSERT_TRUE(read) << name_of(error.code);
    Writer lazy, listed;
    read->write(lazy);
    EXPECT_EQ(test::hex(lazy), test::to_hex(encoded));
    Headers built;
    for (const RecordHeader& h : *read) (void)built.add(h);
    built.write(listed);
    EXPECT_EQ(test::hex(listed), test::to_hex(encoded));
    EXPECT_EQ(built, *read);
  }
}

TEST(Headers, BadBytesAreRefused) {
  Error error;
  const auto code = [&](const char* hex) {
    const test::Blob b = test::from_hex(hex);
    return Headers::read(b, error) ? Code::none : error.code;
  };
  EXPECT_EQ(code("00"), Code::none);
  EXPECT_EQ(code(""), Code::truncated);
  EXPECT_EQ(code("01"), Code::badCount);            // -1
  EXPECT_EQ(code("06 02 61 01"), Code::badLength);  // three promised, one there
  EXPECT_EQ(code("02 01 01"), Code::badLength);     // a null name
  EXPECT_EQ(code("02 02 61 04 31"), Code::badLength);
  EXPECT_EQ(code("02 02 61 02 31 00"), Code::surplus);
  EXPECT_EQ(code("ff ff ff ff ff ff"), Code::badVarint);
}

TEST(Headers, AddingManyIsLinear) {
  Headers h;
  for (int i = 0; i < 20'000; ++i) ASSERT_EQ(h.add("name", view("value")), HeadersStatus::ok);
  EXPECT_EQ(h.size(), 20'000u);
  EXPECT_EQ(h.remove("name"), HeadersStatus::ok);
  EXPECT_TRUE(h.empty());
}

}  // namespace
}  // namespace kparse
