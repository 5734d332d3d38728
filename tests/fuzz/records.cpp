// SPDX-License-Identifier: MIT
#include "kparse/records.h"

#include "input.h"
#include "kparse/draft_headers.h"
#include "kparse/json.h"
#include "kparse/record_walk.h"
#include "paper.h"
#include "targets.h"

namespace kparse::fuzz {
namespace {

constexpr std::uint64_t most = 1u << 20;

bool inside(Bytes part, Bytes of) {
  return part.empty() || (part.data() >= of.data() && part.data() + part.size() <= of.data() + of.size());
}

struct Reading : RecordSink {
  explicit Reading(Bytes s) : set(s) {}
  Bytes set;
  std::uint64_t at = 0, records = 0;
  bool open = false, drafts = false;

  bool begin_batch(const Batch& b) noexcept {
    KPARSE_HOLDS(!open && b.position >= at && b.position < set.size());
    KPARSE_HOLDS(inside(b.payload, set));
    at = b.position;
    open = true;
    return true;
  }
  void record(const Batch& b, const Record& r) noexcept {
    ++records;
    const Bytes from = b.codec == Codec::none ? set : b.opened;
    KPARSE_HOLDS(inside(r.key, from) && inside(r.value, from) && (drafts || inside(r.headers, from)));
    HeaderReader reader(r);
    RecordHeader h;
    std::int32_t headers = 0;
    while (reader.next(h)) ++headers;
    KPARSE_HOLDS(headers == r.header_count);
  }
  void end_batch(const Batch& b, const Error&) noexcept {
    KPARSE_HOLDS(b.uncompressed <= std::max<std::uint64_t>(most, set.size()));
    open = false;
  }
  void partial(std::uint64_t bytes, std::uint64_t) noexcept { KPARSE_HOLDS(bytes <= set.size()); }
};

}  // namespace

void records(Bytes input) {
  Input in(input);
  const std::uint8_t how = in.u8();
  const Copy set(in.rest());
  static Scratch scratch;
  static DraftReader drafts[] = {DraftReader(DraftProfile::kip82_any), DraftReader(DraftProfile::kip82_compact),
                                 DraftReader(DraftProfile::kip82_compact_literal), DraftReader(DraftProfile::kip82_map),
                                 DraftReader(DraftProfile::kip82_map_always)};
  DraftReader* draft = (how & 7) > 2 ? &drafts[(how & 7) - 3] : nullptr;
  Reading reading(set);
  reading.drafts = draft != nullptr;
  read_records(set, {.max_batch = most, .verify_crc = (how & 8) == 0, .open = (how & 0x30) != 0, .draft = draft}, scratch, reading);
  KPARSE_HOLDS(!reading.open);

  constexpr std::string_view topics[] = {"", "__consumer_offsets", "__transaction_state", "__cluster_metadata"};
  JsonOptions options;
  options.record_limits = {.max_batch = most, .draft = draft};
  JsonDump dump(options);
  static JsonWriter json;
  json.clear();
  (void)dump.records(json, set, topics[how >> 6]);
  KPARSE_HOLDS(is_json(json.view()));
}

}  // namespace kparse::fuzz
