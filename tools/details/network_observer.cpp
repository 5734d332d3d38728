// SPDX-License-Identifier: MIT
#include "details/network_observer.h"

#include <algorithm>

namespace kparse::details {

namespace {

/// A dead broker speaks nothing, but others of its cluster mostly do, at the same port.
std::string_view port_of(std::string_view endpoint) noexcept { return endpoint.substr(endpoint.rfind(':') + 1); }

}  // namespace

NetworkObserver::Rare& NetworkObserver::State::rare_of(int direction) {
  if (!rare) rare = std::make_unique<std::array<Rare, 2>>();
  return (*rare)[static_cast<std::size_t>(direction)];
}

NetworkObserver::State& NetworkObserver::state_of(const ConversationInfo& c) {
  if (c.slot >= states_.size()) states_.resize(c.slot + std::size_t{1});
  State& state = states_[c.slot];
  if (state.number != c.number) {  // nobody told the end of the one before
    state = {};
    state.number = c.number;
  }
  return state;
}

void NetworkObserver::on_conversation(const ConversationInfo& c) {
  state_of(c).kafka = true;
  if (kafka_ports_.size() < max_rows) kafka_ports_.emplace(port_of(c.server));
}

void NetworkObserver::on_segment(const ConversationInfo& c, const SegmentSeen& s) {
  if (s.duplicate) return;
  State& st = state_of(c);
  const int me = s.direction, peer = 1 - s.direction;
  const auto my_bit = static_cast<std::uint8_t>(1 << me), peer_bit = static_cast<std::uint8_t>(1 << peer);
  Flow& flow = st.flows[static_cast<std::size_t>(me)];
  const bool syn = s.has(SegmentSeen::syn), fin = s.has(SegmentSeen::fin), rst = s.has(SegmentSeen::rst);
  const std::int64_t now = s.at.time_ns;
  const std::int64_t silence = st.last_ns < 0 ? 0 : now - st.last_ns;

  // Nearly all.
  if (!(syn || fin || rst) && s.window != 0 && !s.again && !s.keepalive && !st.rare && st.woken_by < 0 && silence < idle) {
    st.heard |= my_bit;
    if (s.length == 0) return;
    ++flow.segments;
    st.last_ns = now;
    return;
  }
  if (rst) {
    if (!(st.heard & my_bit) && (st.syn & peer_bit) && !st.flows[static_cast<std::size_t>(peer)].segments) {
      st.refused = true;
    } else if (!st.ended) {
      st.reset |= my_bit;
      if (st.woken_by == peer) {
        st.vanished = true;
      } else if (silence >= idle) {
        st.rare_of(me).ended_after_ns = silence;
      }
    }
    st.ended = true;
    return;
  }
  st.heard |= my_bit;
  if (syn) {
    st.syn |= my_bit;
    if (!s.has(SegmentSeen::ack)) st.syn_from = static_cast<std::int8_t>(me);
  }
  if (fin && !s.again) {
    if (!st.ended && silence >= idle && s.length == 0) st.rare_of(me).ended_after_ns = silence;
    st.ended = true;
  }
  if (st.woken_by == peer) st.woken_by = -1;
  if (s.length > 0 && !s.keepalive) {
    ++flow.segments;
    if (s.again) {
      ++flow.again;
      if (st.woken_by == me && st.woken_again < 2) ++st.woken_again;
    } else if (silence >= idle) {
      st.woken_by = static_cast<std::int8_t>(me);
      st.woken_again = 0;
    }
  }
  if (s.has(SegmentSeen::ack) && !syn && !fin) {
    if (s.window == 0) {
      Rare& rare = st.rare_of(me);
      if (rare.full_since < 0) {
        rare.full_since = now;
        ++rare.full;
      }
    } else if (st.rare) {
      Rare& rare = st.rare_of(me);
      if (rare.full_since >= 0) {
        const std::int64_t lasted = std::max<std::int64_t>(0, now - rare.full_since);
        rare.full_ns += lasted;
        rare.longest_full_ns = std::max(rare.longest_full_ns, lasted);
        rare.full_since = -1;
      }
    }
  }
  if (syn || fin || (s.length > 0 && !s.keepalive)) st.last_ns = now;
}

void NetworkObserver::on_close(const ConversationInfo& c, Stamp) {
  if (c.slot >= states_.size() || states_[c.slot].number != c.number) return;
  State st = std::move(states_[c.slot]);
  states_[c.slot] = {};
  if (st.woken_by >= 0 && st.woken_again >= 2) st.vanished = true;

  auto row = rows_.find(c.server);
  if (row == rows_.end()) {
    if (rows_.size() >= max_rows) {
      ++left_out_;
      return;
    }
    row = rows_.emplace(std::string(c.server), NetworkRow{}).first;
  }
  NetworkRow& r = row->second;
  ++r.connections;
  r.kafka = r.kafka || st.kafka;
  const int client = c.client_direction >= 0 ? c.client_direction : std::max<int>(st.syn_from, 0);
  for (const int d : {0, 1}) {
    const Flow& f = st.flows[static_cast<std::size_t>(d)];
    NetworkSide& side = d == client ? r.client : r.server;
    side.segments += f.segments;
    side.again += f.again;
    side.resets += st.reset >> d & 1;
    if (!st.rare) continue;
    const Rare& rare = st.rare_of(d);
    side.full += rare.full;
    side.full_ns += rare.full_ns;
    side.longest_full_ns = std::max(side.longest_full_ns, rare.longest_full_ns);
    if (rare.ended_after_ns < 0) continue;
    side.shortest_idle_ns =
        side.idle_ends == 0 ? rare.ended_after_ns : std::min(side.shortest_idle_ns, rare.ended_after_ns);
    side.longest_idle_ns = std::max(side.longest_idle_ns, rare.ended_after_ns);
    ++side.idle_ends;
  }
  r.refused += st.refused;
  r.vanished += st.vanished;
  r.unheard += (st.syn >> client & 1) && st.flows[static_cast<std::size_t>(client)].segments == 0 &&
               !(st.heard >> (1 - client) & 1) && !st.refused;
}

NetworkObserver::Rows NetworkObserver::finish() {
  std::erase_if(rows_, [this](const auto& row) {
    return row.second.quiet() || (!row.second.kafka && !kafka_ports_.contains(port_of(row.first)));
  });
  return std::move(rows_);
}

}  // namespace kparse::details
