// SPDX-License-Identifier: MIT
#include "lint/conversations.h"

#include <algorithm>

#include "kparse/node.h"
#include "kparse/walker.h"

namespace kparse::lint {
namespace {

namespace fetch = node::fetch_request;

constexpr std::int16_t key_fetch = 1, key_sasl_handshake = 17, key_sasl_authenticate = 36;

/// Requests that nobody but brokers and controllers send.
bool between_brokers(std::int16_t key) noexcept {
  switch (key) {
    case 4:   // LeaderAndIsr
    case 5:   // StopReplica
    case 6:   // UpdateMetadata
    case 7:   // ControlledShutdown
    case 27:  // WriteTxnMarkers
    case 52:  // Vote
    case 53:  // BeginQuorumEpoch
    case 54:  // EndQuorumEpoch
    case 56:  // AlterPartition
    case 58:  // Envelope
    case 59:  // FetchSnapshot
    case 62:  // BrokerRegistration
    case 63:  // BrokerHeartbeat
    case 67:  // AllocateProducerIds
    case 70:  // ControllerRegistration
    case 73:  // AssignReplicasToDirs
      return true;
    default:
      return false;
  }
}

struct ReplicaSink : Sink {
  std::int64_t replica = -1;
  void integer(NodeId, std::int64_t v, Bytes) noexcept { replica = std::max(replica, v); }
};

Interest replica_interest() {
  Interest i = Interest::nothing();
  i.add(fetch::replica_id);
  i.add(fetch::replica_state::replica_id);
  return i;
}

}  // namespace

Conversations::Conversations() : fetch_replica_(replica_interest()) {}

Held& Conversations::of(const ConversationInfo& info) {
  if (newest_ && newest_->conn.number == info.number) [[likely]]
    return *newest_;
  std::unique_ptr<Held>& h = table_[info.number];
  if (!h) {
    h = std::make_unique<Held>();
    h->conn.info = &info;
    h->conn.number = info.number;
    if (free_slots_.empty()) {
      h->conn.slot = slots_++;
    } else {
      h->conn.slot = free_slots_.back();
      free_slots_.pop_back();
    }
  }
  return *(newest_ = h.get());
}

const Held* Conversations::find(std::uint64_t number) const noexcept {
  const auto at = table_.find(number);
  return at == table_.end() ? nullptr : at->second.get();
}

void Conversations::drop(std::uint64_t number) {
  const auto at = table_.find(number);
  if (at == table_.end()) return;
  free_slots_.push_back(at->second->conn.slot);
  table_.erase(at);
  newest_ = nullptr;
}

void Conversations::segment(Held& h, const SegmentSeen& s) {
  Conn& c = h.conn;
  const auto d = static_cast<std::size_t>(s.direction);
  if (!c.segments) c.opened = s.at;
  c.segments = true;
  c.last = s.at;
  if (!h.started[d]) {
    h.started[d] = true;
    h.syn[d] = s.has(SegmentSeen::syn);
    c.from_syn = h.syn[0] && h.syn[1];
  }
  if (c.end[d] == End::open && (s.has(SegmentSeen::fin) || s.has(SegmentSeen::rst))) {
    c.end[d] = s.has(SegmentSeen::rst) ? End::rst : End::fin;
    c.ended[d] = s.at;
  }
}

void Conversations::learn_replica(Conn& c, const Request& r) {
  ReplicaSink sink;
  (void)walk(fetch_replica_.get(*r.api->request, r.version), r.body, sink);
  c.inter_broker = sink.replica >= 0;
}

void Conversations::request(Held& h, const Request& r) {
  Conn& c = h.conn;
  ++c.requests;
  if (!r.client_id_null || c.requests == 1) {
    c.client_id_null = r.client_id_null;
    if (c.client_id != r.client_id) c.client_id = r.client_id;
  }
  c.inter_broker = c.inter_broker || between_brokers(r.api_key);
  if (r.api_key == key_fetch && !c.inter_broker && r.known) learn_replica(c, r);
  c.sasl_seen = c.sasl_seen || r.api_key == key_sasl_handshake || r.api_key == key_sasl_authenticate;
  if (!r.answer_expected) return;
  if (c.outstanding.size() >= Conn::max_outstanding) {
    h.said_of.forget(c.outstanding.front().serial);
    c.outstanding.pop_front();
  }
  c.outstanding.push_back({.serial = r.serial,
                           .api = r.api,
                           .api_key = r.api_key,
                           .version = r.version,
                           .correlation_id = r.correlation_id,
                           .answer_expected = r.answer_expected,
                           .known = r.known,
                           .whole = r.frame.whole(),
                           .offset = r.frame.offset,
                           .size = r.frame.size,
                           .first = r.frame.first,
                           .completed = r.frame.completed});
}

bool Conversations::take(Held& h, std::uint64_t serial, Asked& out) {
  auto& waiting = h.conn.outstanding;
  const auto at = std::ranges::find(waiting, serial, &Asked::serial);
  if (at == waiting.end()) return false;
  out = *at;
  waiting.erase(at);
  return true;
}

}  // namespace kparse::lint
