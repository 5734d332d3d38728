// SPDX-License-Identifier: MIT
#include "capture/fragments.h"

#include <algorithm>

namespace kparse::capture {
namespace {

constexpr std::int64_t max_age_ns = 30'000'000'000;  // as Linux (net.ipv4.ipfrag_time)
constexpr std::size_t max_pieces = 8192;             // 64 KiB in pieces of 8 bytes

}  // namespace

bool Fragments::add(const FragmentKey& key, const Fragment& f, std::uint8_t first_protocol, std::int64_t time_ns,
                    Whole& out) {
  if (f.offset > 65535 || f.wire_length > 65535) return false;
  auto [at, fresh] = table_.try_emplace(key);
  if (!fresh && (time_ns - at->second.time_ns > max_age_ns || time_ns - at->second.time_ns < -max_age_ns)) {
    drop(at);
    ++given_up_;
    at = table_.try_emplace(key).first;
    fresh = true;
  }
  Datagram& d = at->second;
  if (fresh) {
    d.time_ns = time_ns;
    d.serial = ++serial_;
    order_.emplace_back(d.serial, key);
  }
  if (f.offset == 0) d.protocol = first_protocol;
  if (!f.more && !d.total_known) {
    d.total = f.offset + f.wire_length;
    d.total_known = true;
  }
  put(d, f);
  if (d.total_known && d.covered >= d.total && !d.pieces.empty() && d.pieces.front().offset == 0) {
    out.data.clear();
    out.wire_length = d.total;
    out.protocol = d.protocol;
    for (const Piece& p : d.pieces) {
      if (p.offset != out.data.size()) break;  // what follows a cut has no place
      out.data.insert(out.data.end(), p.data.begin(), p.data.end());
      if (p.data.size() < p.wire_length) break;
    }
    if (out.data.size() > d.total) out.data.resize(d.total);
    drop(at);
    return true;
  }
  make_room();
  return false;
}

void Fragments::put(Datagram& d, const Fragment& f) {
  std::uint32_t from = f.offset;
  const std::uint32_t to = f.offset + f.wire_length;
  while (from < to && d.pieces.size() < max_pieces) {
    const auto next = std::upper_bound(d.pieces.begin(), d.pieces.end(), from,
                                       [](std::uint32_t at, const Piece& p) { return at < p.offset; });
    if (next != d.pieces.begin()) {
      const Piece& before = *std::prev(next);
      if (const std::uint32_t end = before.offset + before.wire_length; end > from) {
        from = end;
        continue;
      }
    }
    const std::uint32_t end = next == d.pieces.end() ? to : std::min(to, next->offset);
    const std::size_t skip = from - f.offset;
    Piece p{from, end - from, {}};
    if (skip < f.data.size()) {
      const Bytes b = f.data.subspan(skip, std::min<std::size_t>(end - from, f.data.size() - skip));
      p.data.assign(b.begin(), b.end());
    }
    d.bytes += p.data.size() + sizeof(Piece);
    bytes_ += p.data.size() + sizeof(Piece);
    d.covered += end - from;
    d.pieces.insert(next, std::move(p));
    from = end;
  }
}

void Fragments::drop(std::map<FragmentKey, Datagram>::iterator at) {
  bytes_ -= at->second.bytes;
  table_.erase(at);
}

void Fragments::make_room() {
  while (!order_.empty()) {
    const auto at = table_.find(order_.front().second);
    const bool there = at != table_.end() && at->second.serial == order_.front().first;
    if (there && table_.size() <= max_datagrams_ && bytes_ <= max_bytes_) return;
    if (there) {
      drop(at);
      ++given_up_;
      ++full_;
    }
    order_.pop_front();
  }
}

}  // namespace kparse::capture
