// SPDX-License-Identifier: MIT
// Draft messages for read_records: their headers in the encoding of shipped ones, so that all who read headers can.
#include <charconv>

#include "headers/draft.h"
#include "kparse/header_register.h"
#include "kparse/wrappers.h"
#include "records/magic_two.h"

namespace kparse {

namespace {

constexpr std::size_t entry_overhead = 12;

void put(std::string_view name, Bytes value, Writer& out) noexcept {
  out.varint(static_cast<std::int32_t>(name.size()));
  out.text(name);
  out.varint(value.data() ? static_cast<std::int32_t>(value.size()) : -1);
  if (value.data()) out.bytes(value);
}

std::int32_t put_int_headers(const DraftMessage& m, Writer& out) noexcept {
  IntHeaderReader reader(m);
  std::int32_t count = 0;
  for (IntHeader h; reader.next(h); ++count) {
    char digits[12];
    const auto end = std::to_chars(digits, digits + sizeof digits, h.key).ptr;
    put({digits, static_cast<std::size_t>(end - digits)}, h.value, out);
  }
  return count;
}

std::int32_t put_map(Bytes map, Writer& out) noexcept {
  StringMap entries(map);
  Writer name, value;
  std::int32_t count = 0;
  for (StringMapEntry e; entries.next(e); ++count) {
    name.clear();
    value.clear();
    unescape(e.name, entries.form(), name);
    unescape(e.value, entries.form(), value);
    static constexpr std::uint8_t nothing = 0;  // an empty value isn't null
    const Bytes bytes = value.size() > 0 ? value.view() : Bytes{&nothing, 0};
    put(text(name.view()), e.null ? Bytes{} : bytes, out);
  }
  return count;
}

}  // namespace

Error DraftReader::read(Bytes body, std::uint64_t base, DraftRecord& out) noexcept {
  DraftMessage m;
  Error e = read_draft_body(body, profile_, m);
  if (e) e.offset += base;
  out = {};
  out.attributes = m.attributes;
  out.timestamp = m.timestamp;
  out.key = m.key;
  out.value = m.value;
  out.form = m.form;
  if (e) return e;
  headers_.clear();
  headers_.be(std::uint8_t{0});  // so that no headers are not null
  out.header_count = int_keys() ? put_int_headers(m, headers_) : put_map(m.headers, headers_);
  if (!headers_.ok()) return {.code = Code::noMemory, .limit = Limit::header, .offset = base};
  out.headers = headers_.view().subspan(1);
  return {};
}

std::string_view DraftReader::key_name(std::string_view digits) const noexcept {
  if (!int_keys()) return {};
  return names_ ? names_->name_of(digits) : HeaderRegister{}.name_of(digits);
}

bool DraftReader::int_keys() const noexcept {
  return profile_ != DraftProfile::kip82_map && profile_ != DraftProfile::kip82_map_always;
}

MagicTwo tell_magic_two(Bytes entry, DraftProfile profile) noexcept {
  if (entry.size() < 17 || entry[16] != 2) return MagicTwo::unknown;
  const auto length = load_be<std::int32_t>(entry.data() + 8);
  const bool fits = length >= smallest_batch;
  if (length < 0 || static_cast<std::uint64_t>(length) > entry.size() - entry_overhead) {
    if (entry.size() < 22) return MagicTwo::unknown;
    return entry[21] == 0 ? MagicTwo::cut_batch : MagicTwo::not_batch;
  }
  entry = entry.first(entry_overhead + static_cast<std::size_t>(length));
  if (entry.size() < 17) return MagicTwo::unknown;
  if (fits && batch_crc_fits(entry)) return MagicTwo::batch;
  if (draft_crc_fits(entry)) return MagicTwo::draft;
  if (fits && looks_like_batch(entry)) return MagicTwo::damaged_batch;
  DraftMessage m;
  return read_draft_message(entry, profile, m) ? MagicTwo::unknown : MagicTwo::damaged_draft;
}

}  // namespace kparse
