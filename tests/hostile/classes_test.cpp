// SPDX-License-Identifier: MIT
// What broke other programs that read Kafka's protocol, class by class: Wireshark's dissector was freed twice by LZ4
// (CVE-2020-17498), leaked (CVE-2020-26418) and looped over claimed counts (CVE-2021-4190).
#include <gtest/gtest.h>

#include "kparse/crc.h"
#include "kparse/encode.h"
#include "kparse/json.h"
#include "kparse/record_walk.h"
#include "kparse/saturate.h"
#include "kparse/tree.h"

namespace kparse {
namespace {

/// A batch of magic 2 around any bytes, its CRC right.
void put_batch(Writer& out, Codec codec, std::int32_t count, Bytes payload) {
  Writer after;
  after.be(static_cast<std::uint16_t>(codec)), after.be(static_cast<std::uint32_t>(count) - 1);
  for (int i = 0; i < 2; ++i) after.be(std::uint64_t{1'700'000'000'000});
  after.be(~std::uint64_t{0}), after.be(std::uint16_t{0xffff}), after.be(~std::uint32_t{0});
  after.be(static_cast<std::uint32_t>(count));
  after.bytes(payload);
  out.be(std::uint64_t{0}), out.be(static_cast<std::uint32_t>(9 + after.size())), out.be(std::uint32_t{0}), out.be(std::uint8_t{2});
  out.be(crc32c(after.view()));
  out.bytes(after.view());
}

struct Tally : RecordSink {
  std::uint64_t batches = 0, records = 0;
  std::vector<Error> errors;
  void record(const Batch&, const Record&) noexcept { ++records; }
  void end_batch(const Batch&, const Error& e) noexcept {
    ++batches;
    if (e) errors.push_back(e);
  }
};

Tally read(Bytes set, Scratch& scratch, const RecordOptions& options = {}) {
  Tally t;
  read_records(set, options, scratch, t);
  return t;
}

Writer records(int count) {
  Writer out;
  for (int i = 0; i < count; ++i) {
    Writer r;
    r.be(std::uint8_t{0}), r.varlong(0), r.varint(i), r.varint(-1), r.varint(5), r.text("value"), r.varint(0);
    out.varint(static_cast<std::int32_t>(r.size()));
    out.bytes(r.view());
  }
  return out;
}

Writer compressed(Codec codec, Bytes in) {
  Scratch scratch;
  Writer out;
  EXPECT_FALSE(compress(codec, in, scratch, out));
  return out;
}

TEST(HostileClass, DamagedCompressionBetweenSoundOnesNeitherLeaksNorFreesTwice) {
  Scratch scratch;
  const Writer plain = records(100);
  for (const Codec codec : {Codec::gzip, Codec::snappy, Codec::lz4, Codec::zstd}) {
    const Writer packed = compressed(codec, plain.view());
    for (std::size_t cut = 0; cut < packed.size(); ++cut) {
      Writer set;
      put_batch(set, codec, 100, packed.view().first(cut));
      put_batch(set, codec, 100, packed.view());
      const Tally t = read(set.view(), scratch);
      ASSERT_EQ(t.batches, 2u) << name_of(codec) << ' ' << cut;
      ASSERT_EQ(t.errors.size(), 1u) << name_of(codec) << ' ' << cut;
      ASSERT_GE(t.records, 100u);
    }
  }
}

TEST(HostileClass, NothingToDecompress) {
  Scratch scratch;
  for (const Codec codec : {Codec::gzip, Codec::snappy, Codec::lz4, Codec::zstd}) {
    Writer set;
    put_batch(set, codec, 5, {});
    const Tally t = read(set.view(), scratch);
    ASSERT_EQ(t.errors.size(), 1u) << name_of(codec);
    EXPECT_EQ(t.records, 0u);
  }
}

TEST(HostileClass, XerialHeaderWithoutAChunk) {
  Scratch scratch;
  const std::uint8_t header[] = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1};
  Writer set;
  put_batch(set, Codec::snappy, 3, header);
  const Tally t = read(set.view(), scratch);
  ASSERT_EQ(t.errors.size(), 1u);
  EXPECT_EQ(t.errors[0].code, Code::truncated);
  EXPECT_EQ(t.records, 0u);
}

/// Zstd blocks of 4 bytes that stand for 128 KiB, and no end.
TEST(HostileClass, EndlessOutput) {
  Writer bomb;
  bomb.be(std::uint32_t{0x28b52ffd}), bomb.be(std::uint16_t{0x0058});
  for (int i = 0; i < 80'000; ++i) bomb.be(std::uint32_t{0x02001000});
  Scratch scratch;
  Writer set;
  put_batch(set, Codec::zstd, 5, bomb.view());
  EXPECT_EQ(read(set.view(), scratch, {.max_batch = 1u << 30}).errors.at(0).code, Code::tooDense);
  const Error e = read(set.view(), scratch, {.max_batch = 32u << 20, .max_ratio = 1u << 31}).errors.at(0);
  EXPECT_EQ(e.code, Code::tooLarge);
  EXPECT_EQ(e.need, 32u << 20);
}

TEST(HostileClass, RecordsThatAreClaimedAndNotThere) {
  Scratch scratch;
  for (const std::int32_t count : {1, 1 << 20, 0x7fffffff, -1, static_cast<std::int32_t>(0x80000000)}) {
    Writer set;
    put_batch(set, Codec::none, count, {});
    const Tally t = read(set.view(), scratch);
    EXPECT_EQ(t.records, 0u);
    EXPECT_EQ(t.errors.size(), 1u) << count;
  }
}

TEST(HostileClass, MessagesInsideMessagesInsideMessages) {
  Writer set;
  set.be(std::uint64_t{0}), set.be(std::uint32_t{15}), set.be(std::uint32_t{0}), set.be(std::uint8_t{1}), set.be(std::uint8_t{0});
  set.be(std::uint64_t{0}), set.be(~std::uint32_t{0}), set.be(~std::uint32_t{0});
  Scratch scratch;
  for (int depth = 0; depth < 500; ++depth) {
    const Writer packed = compressed(Codec::gzip, set.view());
    Writer message;
    message.be(std::uint64_t{0}), message.be(static_cast<std::uint32_t>(22 + packed.size())), message.be(std::uint32_t{0});
    message.be(std::uint8_t{1}), message.be(std::uint8_t{1}), message.be(std::uint64_t{0}), message.be(~std::uint32_t{0});
    message.be(static_cast<std::uint32_t>(packed.size())), message.bytes(packed.view());
    set = std::move(message);
  }
  const Tally t = read(set.view(), scratch, {.verify_crc = false});
  EXPECT_EQ(t.batches, 1u);
  EXPECT_LE(t.records, 1u);
}

TEST(HostileClass, EnvelopesInsideEnvelopes) {
  const Api& api = *find_api("Envelope");
  Writer body;
  for (int depth = 0; depth < 3000; ++depth) {
    Writer request;
    if (depth > 0) write_request_header(api, 0, depth, "c", request);
    request.bytes(body.view());
    body.clear();
    body.uvarint(static_cast<std::uint32_t>(request.size() + 1)), body.bytes(request.view());
    body.uvarint(0), body.uvarint(5), body.be(std::uint32_t{0x0a000001}), body.uvarint(0);
  }
  JsonDump dump({});
  JsonWriter json;
  (void)dump.body(json, *api.request, 0, body.view());
  EXPECT_LT(json.size(), 20u * body.size());
}

/// Bodies of nothing but one kind of claim: largest and negative counts and lengths, varints that never end, tags of no
/// size. Every message in every version; no more is told than there are bytes.
TEST(HostileClass, LargestClaimsInEveryFieldOfEveryMessage) {
  ProgramSet programs(Interest::everything());
  Tree tree;
  JsonDump dump({});
  JsonWriter json;
  constexpr std::string_view patterns[] = {std::string_view("\0", 1),   "\x7f", "\x80", "\xff", std::string_view("\x7f\xff\xff\xff", 4),
                                           std::string_view("\x80\0\0\0", 4), "\xff\xff\xff\xff\x0f", "\x80\x80\x80\x80\x08",
                                           std::string_view("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11),
                                           std::string_view("\0\1", 2), std::string_view("\x02\0", 2)};
  for (const std::string_view pattern : patterns) {
    Writer body;
    while (body.size() < 1000) body.text(pattern);
    for (const Message& m : messages()) {
      for (int version = m.versions.lo; version <= m.versions.hi; ++version) {
        const Error e = tree.fill(programs, {.message = &m, .version = version}, body.view());
        ASSERT_LE(e.offset, body.size());
        ASSERT_LE(tree.nodes().size(), 12 * body.size()) << m.name << ' ' << version;
        json.clear();
        (void)dump.body(json, m, version, body.view());
        ASSERT_LE(json.size(), 1000 * body.size()) << m.name << ' ' << version;
      }
    }
  }
}

/// Share groups and commits at the last offset there can be: ranges and "the next one" overflowed.
TEST(HostileClass, OffsetsAtTheEndOfInt64) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  static_assert(saturated_sum(most, 1) == most && saturated_sum(least, -1) == least && saturated_sum(most - 1, 1) == most);
  static_assert(saturated_sum(least, most) == -1 && saturated_sum(-5, 3) == -2);
  static_assert(saturated_difference(most, -1) == most && saturated_difference(least, 1) == least && saturated_difference(3, 5) == -2);
  static_assert(offsets_in(5, 4) == 0 && offsets_in(5, 5) == 1 && offsets_in(0, most) == std::uint64_t{1} << 63);
}

}  // namespace
}  // namespace kparse
