// SPDX-License-Identifier: MIT
#include "frame/dialogue.h"

#include <algorithm>

#include "frame/guess.h"
#include "kparse/detect.h"

namespace kparse::frame {

namespace {
constexpr std::uint32_t largest_token = 64u << 10;
using Edge = ResponseSeeker::Edge;
}

Dialogue::Dialogue(const ConnectionOptions& o, ConnectionHandler& handler, Start client, Start server)
    : handler_(handler),
      tracker_(o.max_pending),
      client_(Side::client, *this, client.offset, client.known, o.max_frame),
      server_(Side::server, *this, server.offset, server.known, o.max_frame),
      max_frame_(o.max_frame),
      start_{client, server},
      edge_{client.known ? Edge::none : Edge::first, server.known ? Edge::none : Edge::first} {}

void Dialogue::begin_missed(Side side) noexcept {
  Framer& framer = side == Side::client ? client_ : server_;
  const auto n = static_cast<int>(side);
  if (!start_[n].known || framer.next_offset() != start_[n].offset) return;  // its data has come
  framer = Framer(side, *this, start_[n].offset, false, max_frame_);
  start_[n].known = false;
  edge_[n] = Edge::first;
}

void Dialogue::data(Side side, std::uint64_t offset, Bytes b, Stamp carried, Stamp now) noexcept {
  if (ended_[static_cast<int>(side)]) return;
  catch_up(now);
  if (side == Side::client) client_heard_ = true;
  (side == Side::client ? client_ : server_).data(offset, b, carried, now);
}

void Dialogue::missing(Side side, const Missing& m, Stamp now) noexcept {
  if (ended_[static_cast<int>(side)]) return;
  catch_up(now);
  if (side == Side::client) client_heard_ = true;
  if (m.wire > 0) handler_.on_gap({side, m.offset, m.wire, m.shown, m.cut});
  if (m.bytes == 0) return;
  tracker_.lost(side);
  (side == Side::client ? client_ : server_).gap(m.offset, m.bytes, m.cut, now, m.extent);
  edge_[static_cast<int>(side)] = Edge::gap;
}

void Dialogue::end(Side side, Stamp now) noexcept {
  if (ended_[static_cast<int>(side)]) return;
  catch_up(now);
  ended_[static_cast<int>(side)] = true;
  (side == Side::client ? client_ : server_).end(now);
}

void Dialogue::settle(Stamp now) noexcept {
  client_.settle(now);
  server_.settle(now);
  release_held(false);
  tell_unanswered();
}

void Dialogue::finish(Stamp now) noexcept {
  if (last_ != Stamp{}) now = last_;
  end(Side::client, now);
  end(Side::server, now);
  release_held(false);
  tracker_.finish();
  tell_unanswered();
}

/// Answers that were passed over may belong to requests that have come since.
void Dialogue::catch_up(Stamp now) noexcept {
  last_ = now;
  while (held_.full(now.time_ns, client_heard_ || start_[static_cast<int>(Side::client)].known)) {
    (void)server_frame(held_.front(), false);
    held_.pop();
  }
  if (!server_.seeking() || searched_requests_ == tracker_.requests() || searched_at_ == now) return;
  searched_requests_ = tracker_.requests();
  searched_at_ = now;
  server_.search_again(now);
}

bool Dialogue::plausible(Side side, Bytes begin) noexcept {
  const auto size = load_be<std::uint32_t>(begin.data());
  return tracker_.plausible(side, size, begin.subspan(4)) && (begin[0] == 0 || !name_foreign(begin).sure);
}

bool Dialogue::begins_frame(Side side, Bytes begin) noexcept {
  return tracker_.continues(side, load_be<std::uint32_t>(begin.data()), begin.subspan(4));
}

Sought Dialogue::seek(Side side, Bytes window, bool last) noexcept {
  const auto n = static_cast<int>(side);
  if (edge_[n] == Edge::gap && window.size() >= 4) {
    const auto size = load_be<std::uint32_t>(window.data());
    const Bytes content = window.subspan(4, std::min<std::size_t>(size, window.size() - 4));
    if (size <= largest_token && content.size() == size && tracker_.token_at(side, content)) return {0, true};
  }
  const Sought r = side == Side::client ? request_seeker_.seek(window, last, tracker_.client_id())
                                        : response_seeker_.seek(window, last, tracker_, !client_heard_, edge_[n]);
  if (r.drop > 0 || r.found || last) edge_[n] = Edge::none;
  return r;
}

void Dialogue::on_lost_place(Side side, Bytes rest, Stamp now) noexcept {
  tracker_.lost(side);
  const Start& start = start_[static_cast<int>(side)];
  const std::uint64_t at = (side == Side::client ? client_ : server_).lost_at();
  handler_.on_not_a_frame({.from = side,
                           .offset = at,
                           .bytes = rest.first(std::min(rest.size(), NotAFrame::most)),
                           .kafka = true,
                           .first = start.known && at == start.offset,
                           .at = now});
  if (named_) return;
  if (const Foreign f = name_foreign(rest); f.sure) {
    named_ = true;
    handler_.on_other(side, f.what, now);
  }
}

void Dialogue::on_found_place(Side side, std::uint64_t skipped, Stamp now) noexcept {
  tracker_.lost(side);
  handler_.on_resync(side, skipped, now);
}

bool Dialogue::on_frame(const Frame& f) noexcept {
  if (f.from == Side::client) {
    client_frame(f);
    return true;
  }
  const Taken taken = server_frame(f, true, true);
  if (taken == Taken::waits) held_.push(f);
  return taken != Taken::denied;
}

void Dialogue::client_frame(const Frame& f) noexcept {
  Request r;
  SaslToken t;
  if (tracker_.client(f, r, t) == Tracker::Got::token) {
    handler_.on_sasl(t);
    if (!held_.empty()) release_held(true);
    tell_unanswered();
    return;
  }
  // What was held and isn't its answer belongs to requests before it, which nobody has seen.
  if (!held_.empty() && r.answer_expected && r.header_whole) {
    const bool answered = held_.has(r.correlation_id);
    const auto awaited = [this](const Frame& held) {  // a held token may be shorter than a correlation id
      return held.data.size() >= 4 && tracker_.awaits(load_be<std::int32_t>(held.data.data()));
    };
    // Requests that were late together come one by one: answers to the later ones go on waiting.
    const auto later = [&r](const Frame& held) {
      if (held.data.size() < 4) return false;
      const std::int64_t ahead = std::int64_t{load_be<std::int32_t>(held.data.data())} - r.correlation_id;
      return ahead > 0 && ahead <= 64;
    };
    while (!held_.empty() && !(answered && awaited(held_.front())) && !later(held_.front())) {
      (void)server_frame(held_.front(), false);
      held_.pop();
    }
  }
  handler_.on_request(r);
  if (!held_.empty()) release_held(true);
  tell_unanswered();
}

// What nobody asked for is an answer whose request is late or lost, or no answer but what a wrong size led to.
Dialogue::Taken Dialogue::server_frame(const Frame& f, bool may_wait, bool may_deny) noexcept {
  Response r;
  SaslToken t;
  const auto denied = [&] {
    return may_deny && client_heard_ && f.whole() && response_seeker_.holds_answer(f.data, tracker_);
  };
  switch (tracker_.server(f, r, t, may_wait)) {
    case Tracker::Got::unclear:
      return denied() ? Taken::denied : Taken::waits;
    case Tracker::Got::token:
      handler_.on_sasl(t);
      break;
    case Tracker::Got::message:
      if (!r.matched && denied()) return Taken::denied;
      if (!r.matched && f.whole() && f.data.size() > 4) r.guess = guess_response(f.data.subspan(4));
      handler_.on_response(r);
      break;
  }
  tell_unanswered();
  return Taken::yes;
}

void Dialogue::release_held(bool may_wait) noexcept {
  while (!held_.empty()) {
    if (server_frame(held_.front(), may_wait) != Taken::yes) return;
    held_.pop();
  }
}

void Dialogue::tell_unanswered() noexcept {
  std::uint64_t serial = 0;
  while (tracker_.take_unanswered(serial)) handler_.on_unanswered(serial);
}

}  // namespace kparse::frame
