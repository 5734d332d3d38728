// SPDX-License-Identifier: MIT
// Whatever the bytes are: JSON comes out, and what was read before an error stays.
#include <gtest/gtest.h>

#include "json_check.h"
#include "kparse/payload.h"

namespace kparse::test {
namespace {

Bytes first(const Blob& b, std::size_t n) { return Bytes(b).first(n); }

TEST(Damage, EveryPrefixIsJson) {
  JsonOptions options;
  options.unknown_tags = true;
  JsonDump dumper(options);
  JsonWriter out;
  for (const Vector& v : vectors_of(data_file("decode/data/messages.jsonl"))) {
    for (std::size_t size = 0; size < v.body.size(); size += 1 + v.body.size() / 60) {
      const Blob prefix(v.body.begin(), v.body.begin() + static_cast<std::ptrdiff_t>(size));
      out.clear();
      (void)dumper.body(out, *v.message, v.version, prefix);
      ASSERT_TRUE(valid_json(out.view()))
          << v.message->name << " v" << v.version << " cut to " << size << ": " << out.view();
    }
  }
}

TEST(Damage, EveryFlippedByteIsJson) {
  JsonDump dumper{JsonOptions{}};
  JsonWriter out;
  for (const Vector& v : vectors_of(data_file("decode/data/messages.jsonl"))) {
    if (v.body.size() > 150) continue;
    for (std::size_t at = 0; at < v.body.size(); ++at) {
      for (const std::uint8_t flip : {0x01, 0x7f, 0xff}) {
        Blob damaged = v.body;
        damaged[at] ^= flip;
        out.clear();
        (void)dumper.body(out, *v.message, v.version, damaged);
        ASSERT_TRUE(valid_json(out.view()))
            << v.message->name << " v" << v.version << ", byte " << at << ": " << out.view();
      }
    }
  }
}

TEST(Damage, WhatWasReadStays) {
  const Dumped d = dump("HeartbeatRequest", 0, from_hex("0001 67  00000005  0007 6d31"));
  EXPECT_EQ(d.json, R"({"groupId":"g","generationId":5})");
  JsonWriter out;
  write_error(out, d.error);
  EXPECT_EQ(out.view(), R"({"code":"truncated","field":"memberId","offset":9,"need":7,"have":2,"limit":"frame"})");
}

TEST(Damage, EveryPrefixOfAPayloadIsJson) {
  for (const std::string& line : lines_of(data_file("dump/data/embedded.jsonl"))) {
    rapidjson::Document row;
    row.Parse(line.c_str());
    const Blob whole = from_hex(row["hex"].GetString());
    const std::string_view kind = row["kind"].GetString();
    for (std::size_t size = 0; size <= whole.size(); size += 1 + whole.size() / 40) {
      const Blob prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const std::string json = payload(kind, prefix, row["version"].GetInt(), 1);
      ASSERT_TRUE(json.empty() || valid_json(json)) << kind << " cut to " << size << ": " << json;
    }
  }
}

TEST(Damage, EveryFlippedByteOfAPayloadIsJson) {
  for (const std::string& line : lines_of(data_file("dump/data/embedded.jsonl"))) {
    rapidjson::Document row;
    row.Parse(line.c_str());
    const Blob whole = from_hex(row["hex"].GetString());
    if (whole.size() > 120) continue;
    const std::string_view kind = row["kind"].GetString();
    for (std::size_t at = 0; at < whole.size(); ++at) {
      Blob damaged = whole;
      damaged[at] ^= 0xff;
      const std::string json = payload(kind, damaged, row["version"].GetInt(), 1);
      ASSERT_TRUE(json.empty() || valid_json(json)) << kind << ", byte " << at << ": " << json;
    }
  }
}

TEST(Damage, AnyBytesAsAnyPayload) {
  std::uint32_t state = 12345;
  for (int round = 0; round < 200; ++round) {
    Blob bytes(static_cast<std::size_t>(round));
    for (auto& b : bytes)
      b = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> (round % 2 ? 24 : 29));
    for (const std::string_view kind : payload_kinds()) {
      const std::string json = payload(kind, first(bytes, bytes.size()), round % 5, round % 7);
      ASSERT_TRUE(json.empty() || valid_json(json)) << kind << ": " << json;
    }
  }
}

/// A body of a few megabytes of the smallest elements is read in one go, without a blow-up.
TEST(Damage, LargeHostileBodies) {
  Blob body = from_hex("003fffff");
  body.resize(4 + 0x3fffff);  // MetadataRequest v0: as many topics as there are bytes left
  const Dumped d = dump("MetadataRequest", 0, body);
  EXPECT_EQ(d.error.code, Code::truncated);
  EXPECT_TRUE(valid_json(d.json));
}

}  // namespace
}  // namespace kparse::test
