// SPDX-License-Identifier: MIT
#include "details/network_observer.h"

#include <algorithm>

namespace kparse::details {

namespace {

/// A dead broker speaks nothing, but others of its cluster mostly do, at the same port.
std::string_view port_of(std::string_view endpoint) noexcept { return endpoint.substr(endpoint.rfind(':') + 1); }

}  // namespace

NetworkObserver::State& NetworkObserver::state_of(const ConversationInfo& c) {
  if (!last_ || last_number_ != c.number) {
    last_ = &states_[c.number];
    last_number_ = c.number;
  }
  return *last_;
}

void NetworkObserver::on_conversation(const ConversationInfo& c) {
  state_of(c).kafka = true;
  if (kafka_ports_.size() < max_rows) kafka_ports_.emplace(port_of(c.server));
}

void NetworkObserver::on_segment(const ConversationInfo& c, const SegmentSeen& s) {
  if (s.duplicate) return;
  State& st = state_of(c);
  Flow& me = st.flows[static_cast<std::size_t>(s.direction)];
  Flow& peer = st.flows[static_cast<std::size_t>(1 - s.direction)];
  const bool syn = s.has(SegmentSeen::syn), fin = s.has(SegmentSeen::fin), rst = s.has(SegmentSeen::rst);
  const std::int64_t now = s.at.time_ns;
  const std::int64_t silence = st.last_ns < 0 ? 0 : now - st.last_ns;

  if (rst) {
    if (!me.heard && peer.syn && !peer.segments) {
      st.refused = true;
    } else if (!st.ended) {
      me.reset = true;
      if (st.woken_by == 1 - s.direction) {
        st.vanished = true;
      } else if (silence >= idle) {
        me.ended_after_ns = silence;
      }
    }
    st.ended = true;
    return;
  }
  me.heard = true;
  if (syn) {
    me.syn = true;
    if (!s.has(SegmentSeen::ack)) st.syn_from = s.direction;
  }
  if (fin && !s.again) {
    if (!st.ended && silence >= idle && s.length == 0) me.ended_after_ns = silence;
    me.fin = st.ended = true;
  }
  if (st.woken_by == 1 - s.direction) st.woken_by = -1;
  if (s.length > 0 && !s.keepalive) {
    ++me.segments;
    if (s.again) {
      ++me.again;
      if (st.woken_by == s.direction) ++st.woken_again;
    } else if (silence >= idle) {
      st.woken_by = s.direction;
      st.woken_again = 0;
    }
  }
  if (s.has(SegmentSeen::ack) && !syn && !fin) {
    if (s.window == 0) {
      if (me.full_since < 0) {
        me.full_since = now;
        ++me.full;
      }
    } else if (me.full_since >= 0) {
      const std::int64_t lasted = std::max<std::int64_t>(0, now - me.full_since);
      me.full_ns += lasted;
      me.longest_full_ns = std::max(me.longest_full_ns, lasted);
      me.full_since = -1;
    }
  }
  if (syn || fin || (s.length > 0 && !s.keepalive)) st.last_ns = now;
}

void NetworkObserver::on_close(const ConversationInfo& c, Stamp) {
  const auto it = states_.find(c.number);
  if (it == states_.end()) return;
  State st = it->second;
  states_.erase(it);
  last_ = nullptr;
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
  const int client = c.client_direction >= 0 ? c.client_direction : std::max(st.syn_from, 0);
  for (const int d : {0, 1}) {
    const Flow& f = st.flows[static_cast<std::size_t>(d)];
    NetworkSide& side = d == client ? r.client : r.server;
    side.segments += f.segments;
    side.again += f.again;
    side.full += f.full;
    side.full_ns += f.full_ns;
    side.longest_full_ns = std::max(side.longest_full_ns, f.longest_full_ns);
    side.resets += f.reset;
    if (f.ended_after_ns < 0) continue;
    side.shortest_idle_ns = side.idle_ends == 0 ? f.ended_after_ns : std::min(side.shortest_idle_ns, f.ended_after_ns);
    side.longest_idle_ns = std::max(side.longest_idle_ns, f.ended_after_ns);
    ++side.idle_ends;
  }
  r.refused += st.refused;
  r.vanished += st.vanished;
  const Flow& caller = st.flows[static_cast<std::size_t>(client)];
  const Flow& called = st.flows[static_cast<std::size_t>(1 - client)];
  r.unheard += caller.syn && caller.segments == 0 && !called.heard && !st.refused;
}

NetworkObserver::Rows NetworkObserver::finish() {
  std::erase_if(rows_, [this](const auto& row) {
    return row.second.quiet() || (!row.second.kafka && !kafka_ports_.contains(port_of(row.first)));
  });
  return std::move(rows_);
}

}  // namespace kparse::details
