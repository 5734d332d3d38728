// SPDX-License-Identifier: MIT
#include "frame/guess.h"

#include "frame/fit.h"
#include "kparse/crc.h"
#include "kparse/decode.h"
#include "kparse/varint.h"

namespace kparse::frame {

namespace {

constexpr std::int16_t fetch = 1, api_versions = 18;

/// Triples of key, lowest and highest version, ascending by key.
bool ascending_triples(const std::uint8_t* at, const std::uint8_t* end, std::uint32_t count,
                       std::size_t step) noexcept {
  if (count == 0 || static_cast<std::size_t>(end - at) / step < count) return false;
  int before = -1;
  for (; count > 0; --count, at += step) {
    const int key = load_be<std::int16_t>(at), lo = load_be<std::int16_t>(at + 2), hi = load_be<std::int16_t>(at + 4);
    if (key <= before || lo < 0 || hi < lo || hi > 100) return false;
    before = key;
  }
  return true;
}

bool is_api_versions(Bytes b) noexcept {
  if (b.size() < 9) return false;
  const auto error = load_be<std::int16_t>(b.data());
  if (error != 0 && error != 35) return false;
  const std::uint8_t* const end = b.data() + b.size();
  const Api& api = *find_api(api_versions);
  int layout = 0;
  if (ascending_triples(b.data() + 6, end, load_be<std::uint32_t>(b.data() + 2), 6))
    for (const int version : {0, 1})
      if (fit_response(api, version, b, b.size(), layout) == Fit::exact) return true;
  std::uint32_t count = 0;
  const std::uint8_t* at = read_uvarint(b.data() + 2, end, count);
  return at && count > 1 && ascending_triples(at, end, count - 1, 7) &&
         fit_response(api, 3, b, b.size(), layout) == Fit::exact;
}

/// Looks for a record batch or message whose checksum is right.
struct Batches : Sink {
  bool found = false;
  void records(NodeId, Bytes b, Bytes) noexcept {
    constexpr std::size_t header2 = 61, header0 = 26;  // of magic 2 (KIP-98), and of the older ones
    if (found || b.size() < header0) return;
    const std::uint8_t magic = b[16];
    const std::uint64_t length = load_be<std::uint32_t>(b.data() + 8);
    if (magic > 2 || length < (magic == 2 ? header2 : header0) - 12 || length + 12 > b.size()) return;
    const Bytes all = b.first(static_cast<std::size_t>(length) + 12);
    // The checksum covers what follows it.
    found = magic == 2 ? crc32c(all.subspan(21)) == load_be<std::uint32_t>(b.data() + 17)
                       : crc32(all.subspan(16)) == load_be<std::uint32_t>(b.data() + 12);
  }
};

bool is_fetch(Bytes b) noexcept {
  const Message& m = *find_api(fetch)->response;
  thread_local ProgramSet programs(Interest::everything());
  if (b.size() < 26) return false;
  for (int version = m.versions.hi; version >= m.versions.lo; --version) {
    const bool flexible = m.flexible.has(version);
    if (flexible && b[0] != 0) continue;
    Batches sink;
    if (!walk(programs.get(m, version), flexible ? b.subspan(1) : b, sink) && sink.found) return true;
  }
  return false;
}

}  // namespace

std::int16_t guess_response(Bytes b) noexcept {
  if (is_api_versions(b)) return api_versions;
  if (is_fetch(b)) return fetch;
  return -1;
}

}  // namespace kparse::frame
