// SPDX-License-Identifier: MIT
#include "audit/audit_observer.h"

#include <algorithm>
#include <utility>

#include "story/people.h"

namespace kparse::audit {
namespace {

constexpr std::int16_t key_api_versions = 18;

void add(Calls& to, const Call& from, std::size_t most, std::uint64_t& left_out) {
  const auto key = std::pair(from.api_key, from.version);
  auto at = to.find(key);
  if (at == to.end()) {
    if (to.size() >= most) {
      left_out += from.count;
      return;
    }
    to.emplace(key, from);
    return;
  }
  Call& c = at->second;
  c.count += from.count;
  if (story::earlier(from.first, c.first)) c.first = from.first;
  if (story::earlier(c.last, from.last)) c.last = from.last;
  c.brokers_limit = c.brokers_limit && from.brokers_limit;
}

}  // namespace

bool between_brokers(std::int16_t key) noexcept {
  // LeaderAndIsr, StopReplica, UpdateMetadata, ControlledShutdown; WriteTxnMarkers; the quorum's own; AlterPartition;
  // Envelope, FetchSnapshot; BrokerRegistration, BrokerHeartbeat; AllocateProducerIds; ControllerRegistration;
  // AssignReplicasToDirs; the state of share groups; UpdateRaftVoter.
  constexpr std::int16_t keys[] = {4, 5, 6, 7, 27, 52, 53, 54, 56, 58, 59, 62, 63, 67, 70, 73, 82, 83, 84, 85, 86, 87};
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

AuditObserver::Speaker* AuditObserver::speaker(Open& open, const Request& r) {
  const auto key = std::pair(!r.client_id_null, story::clipped(r.client_id));
  const auto at = open.speakers.find(key);
  if (at != open.speakers.end()) return &at->second;
  if (open.speakers.size() >= max_ids_of_a_connection) return nullptr;
  return &open.speakers[key];
}

void AuditObserver::begin_request(const ConversationInfo& c, const Request& r) {
  Open& open = open_[c.number];
  at_ = &open;
  says_ = nullptr;
  if (!open.requests && r.frame.offset == 0 && r.frame.offset_exact) open.from_start = true;
  open.requests = true;
  if (!r.header_whole) {
    ++unseen_.other_requests;
    return;
  }
  says_ = speaker(open, r);
  if (!says_) {
    ++unseen_.calls_left_out;
    return;
  }
  if (between_brokers(r.api_key)) open.inter_broker = true;
  if (r.api_key == key_api_versions) says_->asked_versions = true;
  const Stamp at = story::time_of(r.frame);
  Stamp first = r.frame.first;
  first.time_ns = at.time_ns;
  Call call{.api_key = r.api_key, .version = r.version, .count = 1, .first = first, .last = first, .brokers_limit = true};
  // What the broker told by the time of the call: answers come before what they lead to.
  const Cluster::Advertised* range = cluster_.advertised(c.server, r.api_key);
  call.brokers_limit = range && r.version >= range->highest;
  add(says_->calls, call, max_calls, unseen_.calls_left_out);
}

void AuditObserver::begin_response(const ConversationInfo& c, const Response&) {
  Open& open = open_[c.number];
  at_ = &open;
  says_ = nullptr;
  open.responses = true;
}

void AuditObserver::on_client_software(const ClientSoftwareSeen& s) {
  if (!says_) return;
  says_->software = story::clipped(s.name);
  says_->software_version = story::clipped(s.version);
}

void AuditObserver::on_principal(const PrincipalSeen& p) {
  if (at_ && at_->principal.empty()) at_->principal = story::clipped(p.user);
}

void AuditObserver::on_fetch_asked(const FetchAsked& f) {
  if (at_ && f.replica_id >= 0) at_->inter_broker = true;
}

void AuditObserver::on_sasl(const ConversationInfo& c, const SaslToken&) {
  at_ = &open_[c.number];
  says_ = nullptr;
}

void AuditObserver::on_gap(const ConversationInfo&, const Gap& g) { unseen_.lost_bytes += g.bytes; }

void AuditObserver::merge(const ConversationInfo& c, Open& open) {
  const std::string host(story::host_of(c.proxied.empty() ? c.client : c.proxied));
  for (auto& [id, s] : open.speakers) {
    const Identity who{.inter_broker = open.inter_broker, .client_id = id.second, .client_id_null = !id.first,
                       .software = s.software, .software_version = s.software_version, .principal = open.principal};
    auto at = clients_.find({who, host});
    if (at == clients_.end()) {
      if (clients_.size() >= max_clients) {
        ++unseen_.clients_left_out;
        continue;
      }
      at = clients_.emplace(std::pair(who, host), Client{.who = who, .hosts = {host}, .negotiates = false, .calls = {}}).first;
    }
    at->second.negotiates = at->second.negotiates || s.asked_versions;
    for (const auto& [key, call] : s.calls) add(at->second.calls, call, max_calls, unseen_.calls_left_out);
  }
}

void AuditObserver::on_close(const ConversationInfo& c, Stamp) {
  at_ = nullptr;
  says_ = nullptr;
  if (c.tls && !c.tls->opened()) ++unseen_.tls;
  const auto at = open_.find(c.number);
  if (at == open_.end()) return;
  Open& open = at->second;
  if (!open.requests) ++unseen_.answers_only;
  if (!open.responses) ++unseen_.requests_only;
  if (open.requests && !open.from_start) ++unseen_.begun_before;
  merge(c, open);
  open_.erase(at);
}

Seen AuditObserver::finish() {
  // A software that one connection told is that of the same client id at the same host, if it told just one.
  std::map<std::pair<std::string, std::string>, std::set<std::pair<std::string, std::string>>> software;
  for (const auto& [key, client] : clients_)
    if (!client.who.software.empty())
      software[{key.second, client.who.client_id}].emplace(client.who.software, client.who.software_version);
  std::map<Identity, Client> rows;
  for (auto& [key, client] : clients_) {
    Identity who = client.who;
    if (who.software.empty()) {
      const auto told = software.find({key.second, who.client_id});
      if (told != software.end() && told->second.size() == 1)
        std::tie(who.software, who.software_version) = *told->second.begin();
    }
    Client& row = rows[who];
    row.who = who;
    for (const std::string& host : client.hosts)
      if (row.hosts.size() < max_hosts) row.hosts.insert(host);
    row.negotiates = row.negotiates || client.negotiates;
    for (const auto& [name, call] : client.calls) add(row.calls, call, max_calls, unseen_.calls_left_out);
  }
  Seen seen;
  seen.unseen = unseen_;
  for (auto& [who, row] : rows) seen.clients.push_back(std::move(row));
  return seen;
}

}  // namespace kparse::audit
