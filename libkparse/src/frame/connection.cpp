// SPDX-License-Identifier: MIT
#include "kparse/connection.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "frame/dialogue.h"
#include "frame/prelude.h"

namespace kparse {

using frame::Dialogue;
using frame::Prelude;

struct Connection::Impl {
  enum class Phase : std::uint8_t { undecided, kafka, other };

  Impl(const ConnectionOptions& o, ConnectionHandler& h)
      : options(o), handler(h), prelude(std::make_unique<Prelude>()) {
    prelude->trust_port = o.trust_port;
  }

  ConnectionOptions options;
  ConnectionHandler& handler;
  Phase phase = Phase::undecided;
  std::unique_ptr<Prelude> prelude;  // until decided
  std::optional<Dialogue> dialogue;  // afterwards
  int client = 0;
  bool told[2] = {false, false};     // other: how this direction begins
  bool ended[2] = {false, false};    // undecided: what comes after is no part of the stream

  [[nodiscard]] Side side(int direction) const noexcept { return direction == client ? Side::client : Side::server; }

  void decide(bool last, Stamp now) noexcept {
    const Prelude::Decision d = prelude->decide(last);
    if (d.what == Prelude::Decision::What::wait) return;
    client = d.client;
    handler.on_oriented(client, d.guessed);
    if (d.what == Prelude::Decision::What::other) {
      phase = Phase::other;
      for (const int direction : {d.client, 1 - d.client}) {
        const std::uint64_t proxy = prelude->proxy_length(direction);
        begins(direction, prelude->first_offset(direction) + proxy, prelude->beginning(direction),
               prelude->place_known(direction), now);
      }
      handler.on_other(side(d.foreign_direction), d.foreign, now);
      prelude.reset();
      return;
    }
    phase = Phase::kafka;
    const std::unique_ptr<Prelude> p = std::move(prelude);
    const auto start = [&p](int direction) {
      return Dialogue::Start{p->first_offset(direction) + p->proxy_length(direction), p->place_known(direction)};
    };
    dialogue.emplace(options, handler, start(client), start(1 - client));
    if (p->proxy_length(client) > 0 && !p->proxied().empty()) handler.on_proxied(p->proxied(), now);
    for (const Prelude::Piece& x : p->pieces()) replay(*p, x);
  }

  void begins(int direction, std::uint64_t offset, Bytes b, bool first, Stamp now) noexcept {
    if (b.empty()) return;
    told[direction] = true;
    handler.on_not_a_frame({.from = side(direction),
                            .offset = offset,
                            .bytes = b.first(std::min(b.size(), NotAFrame::most)),
                            .kafka = false,
                            .first = first,
                            .at = now});
  }

  void replay(const Prelude& p, const Prelude::Piece& x) noexcept {
    switch (x.kind) {
      case Prelude::Piece::Kind::data:
        dialogue->data(side(x.direction), x.offset, p.bytes(x), x.carried, x.now);
        break;
      case Prelude::Piece::Kind::lost:
      case Prelude::Piece::Kind::cut:
        dialogue->missing(side(x.direction),
                          {x.offset, x.bytes, x.extent, x.wire, x.kind == Prelude::Piece::Kind::cut, x.carried}, x.now);
        break;
      case Prelude::Piece::Kind::end:
        dialogue->end(side(x.direction), x.now);
        break;
    }
  }
};

Connection::Connection(const ConnectionOptions& o, ConnectionHandler& h) : impl_(std::make_unique<Impl>(o, h)) {}
Connection::~Connection() = default;
Connection::Connection(Connection&&) noexcept = default;

void Connection::syn_from(int direction) noexcept {
  if (impl_->phase == Impl::Phase::undecided) impl_->prelude->syn_from = direction;
}

void Connection::begin_missed(int direction) noexcept {
  Impl& i = *impl_;
  if (i.phase == Impl::Phase::undecided) i.prelude->begin_missed(direction);
  if (i.phase == Impl::Phase::kafka) i.dialogue->begin_missed(i.side(direction));
}

void Connection::set_higher_port(int direction) noexcept {
  if (impl_->phase == Impl::Phase::undecided) impl_->prelude->higher_port = direction;
}

void Connection::data(int direction, std::uint64_t offset, Bytes b, Stamp carried, Stamp now) noexcept {
  Impl& i = *impl_;
  if (i.phase == Impl::Phase::kafka) {
    i.dialogue->data(i.side(direction), offset, b, carried, now);
  } else if (i.ended[direction]) {
    return;
  } else if (i.phase == Impl::Phase::undecided && !b.empty()) {
    i.prelude->data(direction, offset, b, carried, now);
    i.decide(false, now);
  } else if (!i.told[direction] && !b.empty()) {
    i.begins(direction, offset, b, offset == 0, now);
  }
}

void Connection::gap(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown,
                     Stamp now) noexcept {
  if (bytes > 0) missing(direction, {offset, bytes, Extent::exact, bytes, cut, shown}, now);
}

void Connection::missing(int direction, const Missing& m, Stamp now) noexcept {
  Impl& i = *impl_;
  if (i.phase == Impl::Phase::kafka) {
    i.dialogue->missing(i.side(direction), m, now);
  } else if (i.phase == Impl::Phase::undecided && !i.ended[direction]) {
    i.prelude->missing(direction, m, now);
    i.decide(false, now);
  }
}

void Connection::end(int direction, Stamp now) noexcept {
  Impl& i = *impl_;
  if (i.phase == Impl::Phase::kafka) {
    i.dialogue->end(i.side(direction), now);
  } else if (i.phase == Impl::Phase::undecided) {
    i.ended[direction] = true;
    i.prelude->end(direction, now);
    i.decide(false, now);
  }
}

void Connection::settle(Stamp now) noexcept {
  Impl& i = *impl_;
  if (i.phase == Impl::Phase::undecided) i.decide(true, now);
  if (i.phase == Impl::Phase::kafka) i.dialogue->settle(now);
}

void Connection::finish(Stamp now) noexcept {
  Impl& i = *impl_;
  if (i.phase == Impl::Phase::undecided) i.decide(true, now);
  if (i.phase == Impl::Phase::kafka) i.dialogue->finish(now);
  i.phase = Impl::Phase::other;
}

}  // namespace kparse
