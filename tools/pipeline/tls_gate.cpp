// SPDX-License-Identifier: MIT
#include "pipeline/tls_gate.h"

#include <algorithm>
#include <utility>

#include "kparse/detect.h"

namespace kparse::cli {
namespace {
constexpr std::size_t most_held = 70u << 10, most_pieces = 4096;
}

void TlsGate::data(int direction, std::uint64_t offset, Bytes b, Stamp carried, Stamp now) {
  if (plain_) return inner_.inner_data(direction, offset, b, carried, now);
  if (tls_) {
    const std::uint64_t proxy = proxy_[direction];
    if (offset < proxy) {
      const std::uint64_t n = std::min<std::uint64_t>(proxy - offset, b.size());
      b = b.subspan(static_cast<std::size_t>(n));
      offset += n;
    }
    if (b.empty()) return;
    tls_->data(direction, offset - proxy, b, carried, now);
    const bool first = offset == proxy;
    if (first && tls_start(b) == TlsStart::no && name_foreign(b).sure) inner_.inner_foreign(direction, b, carried);
    return;
  }
  if (b.empty()) return;
  // Nearly always the first segment tells, and needs no copy.
  if (held_.empty() && tls_start(b) == TlsStart::no && read_proxy_header(b).state == ProxyHeader::State::none) {
    plain_ = true;
    return inner_.inner_data(direction, offset, b, carried, now);
  }
  held_.push_back({Piece::Kind::data, direction, offset, b.size(), false, {b.begin(), b.end()}, carried, now});
  first_[direction].insert(first_[direction].end(), b.begin(), b.end());
  decide(direction);
}

void TlsGate::decide(int direction) {
  const Bytes first = first_[direction];
  TlsStart start = tls_start(first);
  if (start == TlsStart::no) {
    if (const ProxyHeader h = read_proxy_header(first); h.state == ProxyHeader::State::cut) {
      start = TlsStart::maybe;
    } else if (h.state == ProxyHeader::State::whole) {
      start = tls_start(first.subspan(h.length));
      if (start == TlsStart::yes) {
        proxy_[direction] = h.length;
        open();
        if (!h.client.empty()) inner_.inner_proxied(h.client, begun_);
        return replay();
      }
    }
  }
  const bool enough = held_.size() >= most_pieces || first.size() >= most_held;
  if (start == TlsStart::maybe && !enough) return;
  if (start == TlsStart::yes) {
    open();
  } else {
    plain_ = true;
  }
  replay();
}

void TlsGate::open() {
  const auto first =
      std::find_if(held_.begin(), held_.end(), [](const Piece& p) { return p.kind == Piece::Kind::data; });
  begun_ = first->carried;
  tls_ = std::make_unique<TlsDecryptor>(shared_.log(), shared_.scratch, static_cast<TlsHandler&>(*this));
}

void TlsGate::replay() {
  const std::vector<Piece> held = std::exchange(held_, {});
  for (auto& first : first_) first = {};
  for (const Piece& p : held) pass(p);
}

void TlsGate::pass(const Piece& p) {
  switch (p.kind) {
    case Piece::Kind::data:
      return data(p.direction, p.offset, p.data, p.carried, p.now);
    case Piece::Kind::missing:
      return missing(p.direction, p.offset, p.bytes, p.cut, p.carried, p.now);
    case Piece::Kind::end:
      return end(p.direction, p.now);
  }
}

void TlsGate::missing(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown, Stamp now) {
  if (bytes == 0) return;
  if (plain_) return inner_.inner_missing(direction, {offset, bytes, Extent::exact, bytes, cut, shown}, now);
  if (tls_) return tls_->gap(direction, offset - std::min(offset, proxy_[direction]), bytes, cut, shown, now);
  held_.push_back({Piece::Kind::missing, direction, offset, bytes, cut, {}, shown, now});
  if (!first_[direction].empty() || held_.size() >= most_pieces) {  // too little was seen of its beginning
    plain_ = true;
    replay();
  }
}

void TlsGate::end(int direction, Stamp now) {
  if (!plain_ && !tls_) {
    if (!first_[direction].empty()) plain_ = true;
    if (!plain_ && held_.size() < most_pieces) {
      held_.push_back({Piece::Kind::end, direction, 0, 0, false, {}, now, now});
      return;
    }
    plain_ = true;
    replay();
  }
  if (tls_) tls_->end(direction, now);
  inner_.inner_end(direction, now);
}

void TlsGate::finish(Stamp now) {
  if (!plain_ && !tls_) {
    plain_ = true;
    replay();
  }
  if (tls_) tls_->finish(now);
}

void TlsGate::on_tls_client(int direction) { inner_.inner_client(direction, begun_); }
bool TlsGate::on_tls_secret_missing(const TlsRandom&) { return shared_.look_for_more(); }
void TlsGate::on_tls_data(int direction, std::uint64_t offset, Bytes b, Stamp carried, Stamp now) {
  inner_.inner_data(direction, offset, b, carried, now);
}
void TlsGate::on_tls_gap(const TlsGap& g, Stamp now) {
  inner_.inner_missing(g.direction, {g.offset, g.bytes, g.extent, g.wire, g.cut, g.shown}, now);
}
void TlsGate::on_tls_sealed(Stamp now) { inner_.inner_sealed(now); }

}  // namespace kparse::cli
