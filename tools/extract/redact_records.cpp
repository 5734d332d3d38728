// SPDX-License-Identifier: MIT
#include "extract/redact_records.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kparse/crc.h"
#include "kparse/record_walk.h"

namespace kparse::cli {
namespace {

constexpr std::size_t batch_header = 61, batch_crc = 17, batch_checked = 21;  // of magic 2
constexpr std::size_t message_crc = 12, message_checked = 16;                 // of magic 0 and 1
constexpr std::size_t common = 17;  // offset, length, epoch or checksum, magic: what all formats begin with
constexpr std::size_t draft_header = 26;  // offset, length, checksum, magic, attributes, timestamp
constexpr std::uint64_t dense_from = 512u << 10;

std::uint8_t* writable(Bytes b) noexcept { return const_cast<std::uint8_t*>(b.data()); }

void put32(std::uint8_t* at, std::uint32_t v) noexcept {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(v >> 8 * (3 - i));
}

/// The batches of a set, closed.
struct Entries : RecordSink {
  std::vector<Batch> all;
  std::uint64_t partial_bytes = 0;
  bool begin_batch(const Batch& b) noexcept {
    all.push_back(b);
    return false;
  }
  void partial(std::uint64_t bytes, std::uint64_t) noexcept { partial_bytes = bytes; }
};

std::size_t header_of(const Batch& b) noexcept {
  return b.magic == 2 ? batch_header : b.magic == 1 ? 26 : 18;
}

bool plausible_time(const std::uint8_t* at) noexcept {
  const auto ms = load_be<std::int64_t>(at);
  return ms >= -1 && ms < 4'102'444'800'000;  // the year 2100
}

/// Is this the start of an entry of any format? No text passes for it.
bool plausible(Bytes entry) noexcept {
  if (entry.size() < common) return false;
  const auto offset = load_be<std::int64_t>(entry.data());
  return offset >= -1 && offset < std::int64_t{1} << 56 && load_be<std::int32_t>(entry.data() + 8) > 0 && entry[16] < 32;
}

/// The same for all of its header, where the checksum doesn't vouch for it.
bool plausible_header(Bytes entry, const Batch& b) noexcept {
  if (!plausible(entry)) return false;
  const std::uint8_t* const at = entry.data();
  if (b.magic == 1) return plausible_time(at + 18);
  if (b.magic == 0) return true;
  const auto producer = load_be<std::int64_t>(at + 43);
  const auto count = load_be<std::int32_t>(at + 57), delta = load_be<std::int32_t>(at + 23);
  return at[21] == 0 && plausible_time(at + 27) && plausible_time(at + 35) && producer >= -1 && producer < std::int64_t{1} << 48 &&
         count >= 0 && count < 1 << 24 && delta >= -1 && delta < 1 << 24;
}

/// Do key and value fill [at, end)?
bool exact(const std::uint8_t* at, const std::uint8_t* end) noexcept {
  for (int part = 0; part < 2; ++part) {
    if (end - at < 4) return false;
    const auto length = load_be<std::int32_t>(at);
    at += 4;
    if (length > end - at || length < -1) return false;
    at += std::max(length, 0);
  }
  return at == end;
}

void mend(std::uint8_t* entry, std::size_t size, bool two, bool was_right) noexcept {
  const std::size_t at = two ? batch_crc : message_crc, from = two ? batch_checked : message_checked;
  if (size < from) return;
  const Bytes checked(entry + from, size - from);
  put32(entry + at, (two ? crc32c(checked) : crc32(checked)) ^ (was_right ? 0u : 1u));
}

}  // namespace

void RecordRedactor::fill(std::uint8_t* at, std::uint8_t* end) noexcept {
  if (!dense_) {
    std::fill(at, end, filling);
    return;
  }
  // Large batches of one letter would compress so well that readers refuse them.
  for (; at < end; ++at) {
    noise_ ^= noise_ << 13;
    noise_ ^= noise_ >> 17;
    noise_ ^= noise_ << 5;
    *at = static_cast<std::uint8_t>("abcdefghijklmnopqrstuvwxyz234567"[noise_ >> 27]);
  }
}
void RecordRedactor::fill(Bytes b) noexcept {
  if (b.data() != nullptr) fill(writable(b), writable(b) + b.size());
}

void RecordRedactor::records(std::uint8_t* at, std::uint8_t* end, const Batch& b, bool trusted) {
  for (std::int32_t i = 0; i < b.count && at < end; ++i) {
    Record r;
    std::int64_t timestamp = 0;
    std::int32_t offset = 0;
    const std::uint8_t* const next = detail::read_record(at, end, r, timestamp, offset);
    if (next == nullptr) break;
    // The key of a control record is version and type; the value of a transaction marker version and epoch.
    const bool control = trusted && b.control && r.key.size() == 4 && r.key[0] == 0 && r.key[2] == 0;
    if (!control || r.key[3] > 1 || r.value.size() > 6) fill(r.value);
    if (!control) fill(r.key);
    HeaderReader headers(r);
    for (RecordHeader h; headers.next(h);) {
      fill(h.value);
      if (!trusted) {
        fill(Bytes(reinterpret_cast<const std::uint8_t*>(h.name.data()), h.name.size()));
      } else if (names_ != nullptr) {
        names_->replace(const_cast<char*>(h.name.data()), h.name.size());
      }
    }
    at = const_cast<std::uint8_t*>(next);
  }
  fill(at, end);  // what is no record
}

void RecordRedactor::key_and_value(std::uint8_t* at, std::uint8_t* end, bool trusted) {
  if (!trusted && !exact(at, end)) return fill(at, end);
  for (int part = 0; part < 2; ++part) {
    if (end - at < 4) break;
    const auto length = load_be<std::int32_t>(at);
    at += 4;
    if (length < 0) continue;
    std::uint8_t* const stop = at + std::min<std::ptrdiff_t>(length, end - at);
    fill(at, stop);
    at = stop;
  }
  fill(at, end);
}

void RecordRedactor::messages(std::uint8_t* at, std::uint8_t* end) {
  while (end - at >= 18) {
    const auto length = load_be<std::int32_t>(at + 8);
    if (length < 6 || length > end - at - 12) break;
    const std::size_t size = 12 + static_cast<std::size_t>(length);
    const bool right = load_be<std::uint32_t>(at + message_crc) == crc32({at + message_checked, size - message_checked});
    const std::size_t head = at[16] == 0 ? 18 : 26;
    const bool believed = right || (plausible({at, size}) && (at[16] == 0 || (size >= head && plausible_time(at + 18))));
    if (at[16] > 1 || size < head || !believed) {
      fill(at, at + size);
      break;  // where the next one begins is not sure
    }
    key_and_value(at + head, at + size, right);
    mend(at, size, false, right);
    at += size;
  }
  fill(at, end);
}

void RecordRedactor::closed(Bytes entry, Writer& out) {
  const std::size_t start = out.size();
  out.bytes(entry);
  if (!out.ok()) return;
  std::uint8_t* const copy = writable(out.view()) + start;
  fill(copy + (plausible(entry) ? common : 0), copy + entry.size());
}

template <class F>
bool RecordRedactor::reopened(Bytes payload, const Batch& b, F inside, Writer& out) {
  const Lz4Header header = b.magic == 0 ? Lz4Header::lenient : Lz4Header::checked;
  const Decompressed d = decompress(b.codec, payload, scratch_, {.max_out = limits_.max_batch, .max_ratio = limits_.max_ratio}, header);
  if (d.error) return false;
  opened_.clear();
  opened_.bytes(d.data);
  if (!opened_.ok()) return false;
  dense_ = d.data.size() > dense_from;
  inside(writable(opened_.view()), writable(opened_.view()) + opened_.size());
  dense_ = false;
  CompressOptions how{.xerial = d.xerial};
  if (d.xerial) {
    how.xerial_version = d.xerial_version;
    how.xerial_compatible = d.xerial_compatible;
  }
  how.lz4_header = d.lz4_wrong_header_checksum ? Lz4Header::lenient : Lz4Header::checked;
  if (compress(b.codec, opened_.view(), scratch_, out, how)) return false;
  ++recompressed_;
  return true;
}

void RecordRedactor::batch(Bytes entry, const Batch& b, Writer& out) {
  const std::size_t start = out.size();
  const bool right = load_be<std::uint32_t>(entry.data() + batch_crc) == crc32c(entry.subspan(batch_checked));
  out.bytes(entry.first(batch_header));
  const Bytes payload = entry.subspan(batch_header);
  const auto inside = [&](std::uint8_t* at, std::uint8_t* end) { records(at, end, b, right); };
  const bool known = static_cast<unsigned>(b.attributes & 7) <= 4;
  if (b.codec == Codec::none || payload.empty() || !known || !reopened(payload, b, inside, out)) {
    out.bytes(payload);
    if (!out.ok()) return;
    std::uint8_t* const at = writable(out.view()) + start + batch_header;
    if (b.codec == Codec::none && known) {
      inside(at, at + payload.size());
    } else {
      closed_ += payload.empty() ? 0 : 1;
      fill(at, at + payload.size());
    }
  }
  if (!out.ok()) return;
  const std::size_t size = out.size() - start;
  out.patch_be(start + 8, static_cast<std::int32_t>(size - 12));
  mend(writable(out.view()) + start, size, true, right);
}

void RecordRedactor::message(Bytes entry, const Batch& b, Writer& out) {
  const std::size_t start = out.size(), head = header_of(b);
  const bool right = load_be<std::uint32_t>(entry.data() + message_crc) == crc32(entry.subspan(message_checked));
  const bool known = (b.attributes & 7) <= 3;
  bool done = false;
  if (b.codec != Codec::none && known && entry.size() >= head + 8 && b.payload.data() != nullptr) {
    // Key, then the length of the value: copied as far as the value, whose length changes.
    const std::size_t value_at = static_cast<std::size_t>(b.payload.data() - entry.data());
    out.bytes(entry.first(value_at));
    if (out.ok()) {
      std::uint8_t* const copy = writable(out.view()) + start;
      fill(copy + head + 4, copy + value_at - 4);  // a key of a wrapper, which Kafka never has
      done = reopened(b.payload, b, [this](std::uint8_t* at, std::uint8_t* end) { messages(at, end); }, out);
      if (done) out.patch_be(start + value_at - 4, static_cast<std::int32_t>(out.size() - start - value_at));
    }
    if (!done) {
      out.truncate(start);
      ++closed_;
    }
  }
  if (!done) {
    out.bytes(entry);
    if (!out.ok()) return;
    std::uint8_t* const copy = writable(out.view()) + start;
    key_and_value(copy + std::min(head, entry.size()), copy + entry.size(), right);
  }
  if (!out.ok()) return;
  const std::size_t size = out.size() - start;
  out.patch_be(start + 8, static_cast<std::int32_t>(size - 12));
  mend(writable(out.view()) + start, size, false, right);
}

// Its checksum fits, else it wouldn't have been taken for one.
void RecordRedactor::draft(std::uint8_t* entry, std::size_t size) {
  DraftMessage m;
  if (limits_.draft && !read_draft_message({entry, size}, *limits_.draft, m)) {
    if (m.form == DraftForm::none) fill(m.headers);  // a map, or none
    IntHeaderReader headers(m);
    for (IntHeader h; headers.next(h);) fill(h.value);
    fill(m.key);
    fill(m.value);
  } else {
    ++closed_;
    fill(entry + draft_header, entry + size);
  }
  mend(entry, size, false, true);
}

void RecordRedactor::redact(Bytes set, Writer& out) {
  Entries entries;
  read_records(set, {.verify_crc = true, .open = false}, scratch_, entries);
  std::uint64_t at = 0;
  for (const Batch& b : entries.all) {
    at = b.position;
    const std::uint64_t size = std::min<std::uint64_t>(12 + static_cast<std::uint64_t>(std::max(b.batch_length, 0)), set.size() - at);
    const Bytes entry = set.subspan(at, size);
    at += size;
    const bool known = b.readable && !b.draft && b.magic >= 0 && b.magic <= 2 && size >= header_of(b);
    if (entry.size() >= draft_header && entry[16] == 2 && plausible(entry) &&
        load_be<std::uint32_t>(entry.data() + message_crc) == crc32(entry.subspan(message_checked))) {
      const std::size_t start = out.size();
      out.bytes(entry);
      if (out.ok()) draft(writable(out.view()) + start, size);
    } else if (!known || !(b.crc_valid || plausible_header(entry, b))) {
      closed(entry, out);
      ++closed_;
    } else if (b.magic == 2) {
      batch(entry, b, out);
    } else {
      message(entry, b, out);
    }
  }
  closed(set.subspan(at), out);
}

}  // namespace kparse::cli
