// SPDX-License-Identifier: GPL-2.0-or-later
#include "kept_bytes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace kparse::dissector {

namespace {

constexpr std::uint32_t batch_length_at = 8, magic_at = 16, crc_at = 17, header_bytes = 21;
constexpr std::uint32_t most = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t least_shared = 4096;  // below, looking for it costs more than it saves

std::uint32_t load(const std::uint8_t* p) noexcept {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

}  // namespace

void put_kept(const Kept& kept, std::uint8_t* to) noexcept {
  for (std::uint32_t i = 0; i < kept.part_count; ++i) {
    std::memcpy(to, kept.parts[i].bytes, kept.parts[i].length);
    to += kept.parts[i].length;
  }
}

/// Those whose start is among the first `end` bytes of the frame. The checksum and the length find the one that is alike.
void ByteStore::share_batches(Bytes data, Bytes records, std::uint32_t end) {
  if (records.data() < data.data() || records.data() + records.size() > data.data() + data.size()) return;
  while (records.size() > header_bytes) {
    const std::uint32_t length = load(records.data() + batch_length_at);
    const std::uint64_t whole = std::uint64_t{12} + length;
    const auto at = 4 + static_cast<std::uint32_t>(records.data() - data.data()) + magic_at;
    if (length < least_shared || records[magic_at] != 2) {
      if (whole >= records.size() || length > most) return;
      records = records.subspan(static_cast<std::size_t>(whole));
      continue;
    }
    if (at >= end) return;
    const auto there = static_cast<std::uint32_t>(std::min<std::uint64_t>(whole, records.size())) - magic_at;
    Shared s{at, std::min(there, end - at), nullptr, std::uint64_t{load(records.data() + crc_at)} << 32 | length};
    if (const auto it = batches_.find(s.key); it != batches_.end()) {
      const std::uint32_t common = std::min(s.length, it->second.length);
      if (std::memcmp(it->second.bytes, records.data() + magic_at, common) == 0) {
        s.kept = it->second.bytes;
        s.length = common;
      }
    }
    shared_.push_back(s);
    if (whole >= records.size()) return;
    records = records.subspan(static_cast<std::size_t>(whole));
  }
}

/// The first `end` bytes of the frame, without those that are kept elsewhere.
void ByteStore::copy(std::uint32_t size, Bytes data, std::uint32_t end, Kept& kept) {
  std::sort(shared_.begin(), shared_.end(), [](const Shared& a, const Shared& b) { return a.at < b.at; });
  std::uint32_t own = end, last = 0;
  for (Shared& s : shared_) {
    if (s.at < last) s.length = 0;  // record sets don't overlap
    if (s.kept) own -= s.length;
    last = s.at + s.length;
  }
  auto* to = allocate<std::uint8_t>(own);
  auto* const first = allocate<Part>(1 + 2 * shared_.size());
  Part* part = first;
  std::uint32_t at = 0;
  const auto take = [&](std::uint32_t up_to) {
    if (up_to <= at) return;
    *part++ = {to, up_to - at};
    for (; at < up_to && at < 4; ++at) *to++ = static_cast<std::uint8_t>(size >> (24 - 8 * at));
    if (at == up_to) return;
    std::memcpy(to, data.data() + (at - 4), up_to - at);
    to += up_to - at;
    at = up_to;
  };
  for (const Shared& s : shared_) {
    if (s.length == 0) continue;
    if (s.kept) {
      take(s.at);
      *part++ = {s.kept, s.length};
      at += s.length;
    } else {
      const std::uint8_t* const here = to + (s.at - at);
      take(s.at + s.length);
      batches_.try_emplace(s.key, Batch{here, s.length});
    }
  }
  take(end);
  kept.parts = first;
  kept.part_count = static_cast<std::uint32_t>(part - first);
}

Kept* ByteStore::keep(std::uint32_t size, Bytes data, std::span<const Bytes> record_sets, std::uint32_t here) {
  Kept* const kept = new (allocate<Kept>(1)) Kept;
  const std::uint32_t end = static_cast<std::uint32_t>(4 + data.size()) - here;
  kept->here = here;
  shared_.clear();
  for (const Bytes r : record_sets) share_batches(data, r, end);
  copy(size, data, end, *kept);
  return kept;
}

}  // namespace kparse::dissector
