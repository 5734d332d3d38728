// SPDX-License-Identifier: MIT
// Every worked example of data/vectors.json in both directions: read to what it says, and what was read written again
// to the same bytes. The parts that have rules of their own have tests of their own; this one sees that none is left
// out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "kparse/crc.h"
#include "kparse/draft_headers.h"
#include "kparse/headers.h"
#include "kparse/record_walk.h"
#include "kparse/record_writer.h"
#include "kparse/wrappers.h"
#include "support.h"

namespace kparse {
namespace {

using test::Blob;

std::string shown(Bytes b) {
  if (!b.data()) return "null";
  const bool plain = std::ranges::all_of(b, [](std::uint8_t c) { return c >= ' ' && c < 127; });
  return plain ? '"' + test::string(b) + '"' : "x" + test::to_hex(b);
}

std::string shown(const Headers& headers) {
  std::string out;
  for (const RecordHeader& h : headers) out += " " + std::string(h.name) + "=" + shown(h.value);
  return out;
}

/// Reads `in` to a text, and writes what it read.
using Way = std::function<std::string(Bytes in, Writer& out)>;

Way draft(DraftProfile profile, DraftForm form) {
  return [=](Bytes in, Writer& out) -> std::string {
    DraftMessage m;
    if (const Error e = read_draft_message(in, profile, m)) return std::string(name_of(e.code));
    std::string text = std::to_string(m.offset) + "@" + std::to_string(m.timestamp) + " " + shown(m.key) + " " +
                       shown(m.value) + " " + std::string(name_of(m.form));
    std::vector<IntHeader> headers;
    IntHeaderReader reader(m);
    for (IntHeader h; reader.next(h);) {
      headers.push_back(h);
      text += " " + std::to_string(h.key) + "=" + shown(h.value);
    }
    return write_draft_message(m, headers, profile, form, out) ? text : "not written";
  };
}

/// Keeps what a set holds, and writes it as one batch.
struct Copy : RecordSink {
  NewBatch batch;
  RecordWriter writer;
  std::string text;
  bool begun = false;

  bool begin_batch(const Batch& b) noexcept {
    batch.magic = b.magic;
    batch.codec = b.codec;
    batch.timestamp_type = b.timestamp_type;
    batch.log_append_time = b.max_timestamp;
    batch.compression.xerial = false;
    return true;
  }
  void record(const Batch&, const Record& r) noexcept {
    if (!begun) batch.base_offset = r.offset;
    if (!begun) writer.begin(batch);
    begun = true;
    std::vector<RecordHeader> headers;
    HeaderReader reader(r);
    for (RecordHeader h; reader.next(h);) headers.push_back(h);
    writer.add({.timestamp = r.timestamp, .key = r.key, .value = r.value, .headers = headers});
    text += std::to_string(r.offset) + "@" + std::to_string(r.timestamp) + " " + shown(r.key) + " " + shown(r.value) +
            shown(Headers(r)) + "; ";
  }
  void end_batch(const Batch& b, const Error& e) noexcept {
    if (e || !b.crc_valid || b.inner_crc_bad) text += "damaged";
  }
};

std::string record_set(Bytes in, Writer& out) {
  Scratch read, write;
  Copy copy;
  read_records(in, {}, read, copy);
  if (copy.writer.finish(write, out)) copy.text += "not written";
  return copy.text;
}

/// As a broker makes it of [v1_wrap] where the topic has LogAppendTime: the outer message alone is touched (KIP-32).
std::string stamped_by_a_broker(Bytes in, Writer& out) {
  Writer unused;
  const std::string text = record_set(in, unused);
  (void)record_set(test::vector("v1_wrap"), out);
  out.patch_be(17, std::uint8_t{0x0a});
  out.patch_be(18, load_be<std::int64_t>(in.data() + 18));
  out.patch_be(12, crc32(out.view().subspan(16)));
  return text;
}

/// One record without a batch: in one whose first record it is, which is what its deltas say or nearly.
std::string lone_record(Bytes in, Writer& out) {
  Record r;
  std::int64_t time = 0;
  std::int32_t offset = 0;
  const std::uint8_t* const end = in.data() + in.size();
  if (detail::read_record(in.data(), end, r, time, offset) != end) return "not one record";
  std::vector<RecordHeader> headers;
  HeaderReader reader(r);
  for (RecordHeader h; reader.next(h);) headers.push_back(h);
  RecordWriter writer;
  Scratch scratch;
  Writer batch;
  writer.begin({.base_timestamp = 0});
  writer.add({.offset = offset, .timestamp = time, .key = r.key, .value = r.value, .headers = headers});
  if (writer.finish(scratch, batch)) return "not written";
  out.bytes(batch.view().subspan(61));
  return "+" + std::to_string(offset) + "@+" + std::to_string(time) + " " + shown(r.key) + " " + shown(r.value) +
         shown(Headers(r));
}

Way packed(Codec codec, CompressOptions options = {}) {
  return [=](Bytes in, Writer& out) -> std::string {
    Scratch read, write;
    const Decompressed d = decompress(codec, in, read, {}, options.lz4_header);
    if (d.error) return std::string(name_of(d.error.code));
    if (compress(codec, d.data, write, out, options)) return "not written";
    std::string text = shown(d.data);
    if (d.xerial) text += " " + std::to_string(d.xerial_version) + "," + std::to_string(d.xerial_compatible);
    if (d.lz4_wrong_header_checksum) text += " wrong header checksum";
    return text;
  };
}

/// Two streams, one behind the other: read as one.
std::string two_streams(Bytes in, Writer& out) {
  Scratch read, write;
  const Decompressed d = decompress(Codec::snappy, in, read);
  if (d.error) return std::string(name_of(d.error.code));
  for (const Bytes half : {d.data.first(5), d.data.subspan(5)})
    if (compress(Codec::snappy, half, write, out)) return "not written";
  return shown(d.data);
}

Way schema_id(SchemaPrefix::Form form, bool indexes) {
  return [=](Bytes in, Writer& out) -> std::string {
    SchemaPrefix p;
    if (!read_schema_prefix(in, form, p)) return "no prefix";
    std::string text = form == SchemaPrefix::Form::confluent ? std::to_string(p.id) : test::to_hex(p.uuid);
    if (!indexes) {
      write_schema_prefix(p, out);
      return text + " " + shown(p.payload);
    }
    MessageIndexes m;
    if (!read_message_indexes(p.payload, m)) return "no indexes";
    const std::span<const std::int32_t> items(m.items.data(), m.count);
    for (const std::int32_t i : items) text += " " + std::to_string(i);
    p.payload = {};
    write_schema_prefix(p, out);
    write_message_indexes(items, out);
    return text;
  };
}

Way embedded(EmbeddedHeaders::Form form) {
  return [=](Bytes in, Writer& out) -> std::string {
    EmbeddedHeaders h;
    if (!read_embedded_headers(in, form, h)) return "none";
    std::string text;
    std::vector<EmbeddedHeaders::Item> items;
    Bytes rest = h.headers;
    for (EmbeddedHeaders::Item i; h.next(rest, i);) {
      items.push_back(i);
      text += std::string(i.name) + "=" + std::string(i.value) + " ";
    }
    return write_embedded_headers(form, items, h.payload, out) ? text + shown(h.payload) : "not written";
  };
}

std::string linkedin(Bytes in, Writer& out) {
  LinkedInHeaders h;
  if (!read_linkedin_headers(in, h)) return "none";
  std::string text;
  std::vector<LinkedInHeaders::Item> items;
  Bytes rest = h.headers;
  for (LinkedInHeaders::Item i; h.next(rest, i);) {
    items.push_back(i);
    text += (h.int_keys ? std::to_string(i.key) : std::string(i.name)) + "=" + shown(i.value) + " ";
  }
  return write_linkedin_headers(h.int_keys, items, h.value, out) ? text + shown(h.value) : "not written";
}

std::string segment_text(const LinkedInSegment& s) {
  return test::to_hex(s.uuid) + " " + std::to_string(s.number) + "/" + std::to_string(s.count) + " of " +
         std::to_string(s.total_size);
}

std::string segment(Bytes in, Writer& out) {
  LinkedInSegment s;
  if (!read_linkedin_segment(in, s)) return "none";
  write_linkedin_segment(s, out);
  return segment_text(s) + " " + shown(s.payload);
}

std::string segment_header(Bytes in, Writer& out) {
  LinkedInSegment s;
  if (!read_linkedin_lm(in, s)) return "none";
  write_linkedin_lm(s, out);
  return segment_text(s) + " type " + std::to_string(s.type);
}

std::string map(Bytes in, Writer& out) {
  StringMap m(in);
  std::string text;
  std::vector<std::pair<std::string_view, std::string_view>> entries;
  for (StringMapEntry e; m.next(e);) {
    entries.emplace_back(e.name, e.value);
    text += std::string(e.name) + "=" + std::string(e.value) + " ";
  }
  write_string_map(m.form(), entries, out);
  return text + std::string(name_of(m.form()));
}

struct Example {
  const char* name;
  std::string text;
  Way way;
};

/// In the file's order.
std::vector<Example> examples() {
  using P = DraftProfile;
  using F = DraftForm;
  const std::string at = "42@1475280000000 ", k1v1 = at + "\"k1\" \"v1\" ";
  const std::string three = "10@1475280000000 null \"a\"; 11@1475280000005 null \"b\"; 12@1475280000003 null \"c\"; ";
  const std::string inner = "0@1475280000000 null \"a\"; 1@1475280000005 null \"b\"; 2@1475280000003 null \"c\"; ";
  const std::string appended =
      "10@1500000000000 null \"a\"; 11@1500000000000 null \"b\"; 12@1500000000000 null \"c\"; ";
  const std::string uuid = "00112233445566778899aabbccddeeff", forty = '"' + std::string(40, 'a') + '"';
  constexpr CompressOptions swapped{.xerial_version = 0x01000000, .xerial_compatible = 0x01000000};
  constexpr CompressOptions broken{.lz4_header = Lz4Header::lenient};
  const auto confluent = SchemaPrefix::Form::confluent;
  return {
      {"draft_noheaders", k1v1 + "messagepack", draft(P::kip82_varint, F::messagepack)},
      {"draft_small", k1v1 + "messagepack 1=\"cli-7\" -5=\"ig\"", draft(P::kip82_varint, F::messagepack)},
      {"draft_mp", k1v1 + "messagepack 1=\"cli-7\" 260=\"nr\" -129=\"x\"", draft(P::kip82_varint, F::messagepack)},
      {"draft_tf", k1v1 + "tfile 1=\"cli-7\" 260=\"nr\" -129=\"x\"", draft(P::kip82_varint, F::tfile)},
      {"draft_tomb", at + "\"k1\" null messagepack 1=\"cli-7\"", draft(P::kip82_varint, F::messagepack)},
      {"draft_i32", k1v1 + "int32 1=\"cli-7\" 1050000=\"ig\"", draft(P::kip82_int32, F::int32)},
      {"fut_nokey", at + "null \"v1\" messagepack", draft(P::kip82_compact, F::messagepack)},
      {"fut_hdr", k1v1 + "messagepack 1=\"cli-7\"", draft(P::kip82_compact, F::messagepack)},
      {"fut_nullvalue", at + "\"k1\" null messagepack", draft(P::kip82_compact, F::messagepack)},
      {"rec0", "+0@+0 \"k1\" \"v1\" a=\"1\" a=null b=\"\"", lone_record},
      {"rec1", "+1@+5 null null", lone_record},
      {"batch", k1v1 + "a=\"1\" a=null b=\"\"; 43@1475280000005 null null; ", record_set},
      {"v0", "7@-1 null \"hi\"; ", record_set},
      {"v1", "7@1475280000000 null \"hi\"; ", record_set},
      {"v1_inner", inner, record_set},
      {"v1_wrap", three, record_set},
      {"v1_wrap_lat", appended, stamped_by_a_broker},
      {"v0_wrap_lz4", "10@-1 null \"a\"; 11@-1 null \"b\"; ", record_set},
      {"lz4_good", forty, packed(Codec::lz4)},
      {"lz4_broken", forty + " wrong header checksum", packed(Codec::lz4, broken)},
      {"lz4_raw", "\"hello\"", packed(Codec::lz4)},
      {"xer", "\"hello\" 1,1", packed(Codec::snappy)},
      {"xer_le", "\"hello\" 16777216,16777216", packed(Codec::snappy, swapped)},
      {"xer_cat", "\"helloworld\"", two_streams},
      {"xer_empty", "\"\" 1,1", packed(Codec::snappy)},
      {"scs", "contentType=\"text/plain\" a=1 \"hi\"", embedded(EmbeddedHeaders::Form::stream)},
      {"xd", "contentType=text/plain \"hi\"", embedded(EmbeddedHeaders::Form::xd)},
      {"li", "a=\"1\" \"hi\"", linkedin},
      {"li_null", "a=\"1\" null", linkedin},
      {"li_int", "1=\"1\" \"hi\"", linkedin},
      {"li_seg", uuid + " 0/2 of 6 \"abc\"", segment},
      {"li_lm", uuid + " 0/2 of 6 type 1", segment_header},
      {"confluent", "42 x024142", schema_id(confluent, false)},
      {"pb0", "42 0", schema_id(confluent, true)},
      {"pb1", "42 1", schema_id(confluent, true)},
      {"pb10", "42 1 0", schema_id(confluent, true)},
      {"guid", uuid + " \"\"", schema_id(SchemaPrefix::Form::confluent_guid, false)},
      {"avro_map", "a=1 b=2 avro", map},
  };
}

/// LZ4's matcher has its freedom: a message of magic 0 with what is inside in place of how it was packed.
std::string opened(Bytes message) {
  Scratch scratch;
  const Decompressed inner = decompress(Codec::lz4, message.subspan(26), scratch, {}, Lz4Header::lenient);
  EXPECT_FALSE(inner.error);
  EXPECT_EQ(load_be<std::uint32_t>(message.data() + 8), message.size() - 12);
  EXPECT_EQ(load_be<std::uint32_t>(message.data() + 12), crc32(message.subspan(16)));
  EXPECT_EQ(load_be<std::uint32_t>(message.data() + 22), message.size() - 26);
  return test::to_hex(message.first(8)) + " " + test::to_hex(message.subspan(16, 6)) + " " +
         test::to_hex(message.subspan(26, 7)) + " " + test::to_hex(inner.data);
}

TEST(Vectors, EveryOneReadAndWritten) {
  std::vector<std::string> names;
  for (const Example& e : examples()) {
    names.emplace_back(e.name);
    const Blob bytes = test::vector(e.name);
    Writer out;
    EXPECT_EQ(e.way(bytes, out), e.text) << e.name;
    if (std::string_view(e.name) == "v0_wrap_lz4") {
      EXPECT_EQ(opened(out.view()), opened(bytes));
    } else {
      EXPECT_EQ(test::hex(out), test::to_hex(bytes)) << e.name;
    }
  }
  EXPECT_EQ(test::vector_names(), names) << "each of the file has its line here";
}

TEST(Vectors, AreThoseOfTheFormatDescription) {
  const char* folder = std::getenv("KPARSE_SHARED");
  const std::filesystem::path theirs =
      std::filesystem::path(folder ? folder : KPARSE_SOURCE_DIR "/../shared") / "formats/vectors.json";
  if (!std::filesystem::exists(theirs)) GTEST_SKIP() << "no " << theirs;
  const auto read = [](const std::filesystem::path& p) {
    std::ifstream in(p, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(read(KPARSE_SOURCE_DIR "/tests/headers/data/vectors.json"), read(theirs));
}

}  // namespace
}  // namespace kparse
