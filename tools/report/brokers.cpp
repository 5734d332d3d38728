// SPDX-License-Identifier: MIT
#include "report/brokers.h"

#include <algorithm>
#include <set>

namespace kparse::report {
namespace {

bool loopback(std::string_view host) noexcept { return host.starts_with("127.") || host == "::1"; }

bool same_place(const EndpointRow& endpoint, const ServerRow& server) {
  const std::string_view address = server.address, host = host_of(address);
  const std::string port = std::to_string(endpoint.port);
  if (!address.ends_with(":" + port)) return false;
  return endpoint.host == host || (endpoint.host == "localhost" && loopback(host));
}

}  // namespace

void ServerRow::merge(ServerRow&& o) {
  if (connections == 0) {
    *this = std::move(o);
    return;
  }
  connections += o.connections;
  requests += o.requests;
  responses += o.responses;
  request_bytes += o.request_bytes;
  response_bytes += o.response_bytes;
}

void EndpointRow::merge(EndpointRow&& o) {
  if (mentions == 0) {
    *this = std::move(o);
    return;
  }
  mentions += o.mentions;
  told_by.merge(o.told_by);
}

std::vector<NamedBroker> named_brokers(const ServerTable& servers, const EndpointTable& endpoints) {
  std::vector<NamedBroker> out;
  std::set<const ServerRow*> named;
  const auto server_slots = servers.sorted();
  for (const EndpointTable::Slot* slot : endpoints.sorted()) {
    const EndpointRow& e = slot->row;
    NamedBroker broker{.id = e.id, .host = e.host, .port = e.port, .server = nullptr};
    for (const ServerTable::Slot* s : server_slots) {
      if (!same_place(e, s->row)) continue;
      broker.server = &s->row;
      named.insert(&s->row);
      out.push_back(broker);
    }
    if (!broker.server) out.push_back(broker);
  }
  std::stable_sort(out.begin(), out.end(), [](const NamedBroker& a, const NamedBroker& b) { return a.id < b.id; });
  for (const ServerTable::Slot* s : server_slots) {
    if (!named.contains(&s->row)) out.push_back({.id = {}, .host = {}, .port = -1, .server = &s->row});
  }
  return out;
}

}  // namespace kparse::report
