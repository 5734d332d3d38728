// SPDX-License-Identifier: MIT
// Record sets. Their description, which Records.java prints in the same way:
//   batch MAGIC CODEC TIMESTAMPTYPE FIRST LAST MAXTIMESTAMP PRODUCERID EPOCH SEQUENCE LEADEREPOCH FLAGS
//   record OFFSET TIMESTAMP KEY VALUE NAME=VALUE...
// with bytes as hex digits, - for null.
#include <vector>

#include "files.h"
#include "kparse/record_walk.h"
#include "kparse/record_writer.h"

namespace kparse::interop {
namespace {

std::string hex(Bytes b) {
  if (!b.data()) return "-";
  std::string out;
  for (const std::uint8_t v : b) {
    out += "0123456789abcdef"[v >> 4];
    out += "0123456789abcdef"[v & 15];
  }
  return out;
}

struct Describer : RecordSink {
  std::string text, records;
  std::int64_t first = 0, last = 0;
  bool wrong = false;

  bool begin_batch(const Batch&) noexcept {
    records.clear();
    return true;
  }
  void record(const Batch&, const Record& r) noexcept {
    if (records.empty()) first = r.offset;
    last = r.offset;
    records += "record " + std::to_string(r.offset) + " " + std::to_string(r.timestamp) + " " + hex(r.key) + " " +
               hex(r.value);
    HeaderReader headers(r);
    for (RecordHeader h; headers.next(h);) records += " " + hex(bytes(h.name)) + "=" + hex(h.value);
    records += "\n";
  }
  void end_batch(const Batch& b, const Error& e) noexcept {
    wrong = wrong || e || !b.crc_valid || b.inner_crc_bad > 0;
    if (b.magic == 2) {
      first = b.base_offset;
      last = b.base_offset + b.last_offset_delta;
    }
    text += "batch " + std::to_string(b.magic);
    for (const std::string_view s : {name_of(b.codec), name_of(b.timestamp_type)}) text += " " + std::string(s);
    for (const std::int64_t n : {first, last, b.max_timestamp, b.producer_id, std::int64_t{b.producer_epoch},
                                 std::int64_t{b.base_sequence}, std::int64_t{b.partition_leader_epoch}})
      text += " " + std::to_string(n);
    text += std::string(" ") + (b.transactional ? "t" : "") + (b.control ? "c" : "") +
            (b.has_delete_horizon ? "h" : "") + "\n" + records;
  }
  void partial(std::uint64_t, std::uint64_t) noexcept { wrong = true; }
};

struct Writing {
  fs::path folder;
  RecordWriter writer;
  Scratch scratch;
  Writer out;

  void add(const NewBatch& batch, std::span<const NewRecord> records) {
    writer.begin(batch);
    for (const NewRecord& r : records) writer.add(r);
    finish();
  }
  void finish() {
    if (writer.finish(scratch, out)) std::fprintf(stderr, "interop: a batch was refused\n");
  }
  /// `bad`: Kafka has to refuse it.
  void save(const std::string& name, bool bad = false) {
    write_file(folder / (name + ".bin"), text(out.view()));
    Describer d;
    kparse::read_records(out.view(), {}, scratch, d);
    write_file(folder / (name + ".txt"), bad ? "refused\n" : d.text);
    out.clear();
  }
};

constexpr std::int64_t when = 1'475'280'000'000;

void write_kinds(Writing& w) {
  std::string large;
  for (int i = 0; large.size() < 150'000; ++i) large += std::to_string(i * 7919 % 10'007);
  const RecordHeader headers[] = {
      {"trace", bytes("1")}, {"trace", bytes("")}, {"", {}}, {"gr\u00f6\u00dfe", bytes("\xff\x00raw")}};
  for (std::int8_t magic = 0; magic <= 2; ++magic) {
    for (const Codec codec : {Codec::none, Codec::gzip, Codec::snappy, Codec::lz4, Codec::zstd}) {
      if (codec == Codec::zstd && magic < 2) continue;
      const std::span<const RecordHeader> h = magic == 2 ? std::span(headers) : std::span<const RecordHeader>();
      const NewRecord records[] = {
          {.timestamp = when, .key = bytes("k"), .value = bytes(large), .headers = h},
          {.offset = 1009, .timestamp = when - 10, .key = {}, .value = bytes("")},
          {.timestamp = when + 20, .key = bytes(""), .value = {}, .headers = h.first(h.size() / 2)}};
      const std::string name = "magic" + std::to_string(magic) + "-" + std::string(name_of(codec));
      w.add({.magic = magic, .codec = codec, .base_offset = 1000}, records);
      w.add({.magic = magic, .codec = codec, .base_offset = 2000}, std::span(records).last(1));
      w.save(name);
      if (magic > 0) {
        w.add({.magic = magic,
               .codec = codec,
               .timestamp_type = TimestampType::LogAppendTime,
               .log_append_time = when + 5000,
               .base_offset = 1000},
              records);
        w.save(name + "-logappend");
      }
      if (codec != Codec::snappy) continue;
      w.add({.magic = magic, .codec = codec, .compression = {.xerial = false}, .base_offset = 1000}, records);
      w.add({.magic = magic, .codec = codec, .compression = {.xerial_block = 1024}, .base_offset = 1010}, records);
      w.save(name + "-raw-and-1K");
    }
  }
}

void write_magic_two(Writing& w) {
  const NewRecord abc[] = {{.timestamp = when, .value = bytes("a")},
                           {.timestamp = when + 5, .value = bytes("b")},
                           {.timestamp = when + 3, .value = bytes("c")}};
  w.add({.base_offset = 9,
         .partition_leader_epoch = 3,
         .producer_id = 9'000'000'000,
         .producer_epoch = 7,
         .base_sequence = 2'147'483'646,
         .transactional = true},
        abc);
  for (const bool commit : {true, false}) {
    w.writer.begin(
        {.base_offset = 12, .producer_id = 9'000'000'000, .producer_epoch = 7, .transactional = true, .control = true});
    w.writer.add_end_transaction(commit, 5, when);
    w.finish();
  }
  w.save("transaction");
  w.add({.codec = Codec::gzip, .base_offset = 20, .max_timestamp = when, .last_offset_delta = 2}, {});
  w.save("emptied");
  w.add({.base_offset = 30, .delete_horizon = when + 86'400'000}, abc);
  w.save("delete-horizon");
  std::vector<NewRecord> many(5000, NewRecord{.timestamp = when, .value = bytes("x")});
  w.add({.codec = Codec::zstd}, many);
  w.save("many");

  const std::pair<const char*, WrongBatch> wrongs[] = {{"crc", {.crc_xor = 1}},
                                                       {"count-more", {.count = 4}},
                                                       {"count-less", {.count = 2}},
                                                       {"surplus", {.surplus = bytes("x")}},
                                                       {"magic", {.magic = 9}}};
  for (const auto& [name, wrong] : wrongs) {
    w.add({.wrong = wrong}, abc);
    w.save(std::string("wrong-") + name, true);
  }
}

}  // namespace

void write_records(const fs::path& folder) {
  Writing w{.folder = folder, .writer = {}, .scratch = {}, .out = {}};
  write_kinds(w);
  write_magic_two(w);
}

void read_records(const fs::path& folder, Tally& tally) {
  Scratch scratch;
  for (const auto& e : fs::directory_iterator(folder)) {
    if (e.path().extension() != ".bin") continue;
    const std::string set = read_file(e.path()), theirs = read_file(fs::path(e.path()).replace_extension(".txt"));
    Describer d;
    kparse::read_records(bytes(set), {}, scratch, d);
    tally.expect(
        !d.wrong && d.text == theirs && !theirs.empty(),
        e.path().filename().string() + "\n  ours   " + d.text.substr(0, 400) + "\n  theirs " + theirs.substr(0, 400));
  }
}

}  // namespace kparse::interop
