// SPDX-License-Identifier: MIT
#include "report/conversation.h"

#include <algorithm>

namespace kparse::report {

ConversationState::Client& ConversationState::request(const Request& r, ClientTable& table, KeyBuilder& key) {
  if (current_ && (r.same_client || (current_->name.null == r.client_id_null && current_->name.id == r.client_id))) [[likely]]
    return *current_;
  const auto found = std::find_if(clients_.begin(), clients_.end(), [&](const Client& c) {
    return c.name.null == r.client_id_null && c.name.id == r.client_id;
  });
  if (found != clients_.end()) {
    current_ = &*found;
  } else {
    if (clients_.size() == max_clients) {
      for (Client& c : clients_) give(c, {}, table, key);
      forget();
    }
    current_ = &clients_.emplace_back();
    current_->name = {r.client_id_null, std::string(r.client_id)};
  }
  changes_.emplace_back(r.serial, current_);
  if (changes_.size() > max_changes) changes_.pop_front();
  return *current_;
}

const ConversationState::Client* ConversationState::client_of(std::uint64_t serial) const noexcept {
  if (changes_.empty()) return nullptr;
  auto after = std::upper_bound(changes_.begin(), changes_.end(), serial,
                                [](std::uint64_t s, const auto& change) { return s < change.first; });
  return after == changes_.begin() ? after->second : std::prev(after)->second;
}

void ConversationState::software(Client& client, const ClientSoftwareSeen& seen, ClientTable& table, KeyBuilder& key) {
  if (client.software == seen.name && client.software_version == seen.version) return;
  if (!client.software.empty()) give(client, {}, table, key);
  client.software = seen.name;
  client.software_version = seen.version;
}

void ConversationState::give(Client& client, std::string_view proxied, ClientTable& table, KeyBuilder& key) {
  client.settle(0xffffffff);
  ClientRow row;
  row.identity = {client.name, client.software, client.software_version, authenticated, refused, mechanism, principal};
  row.connections = 1;
  row.calls = std::move(client.calls);
  client.calls = {};
  row.hosts.add(host);
  if (!proxied.empty()) row.proxied.add(std::string(host_of(proxied)));
  row.servers.add(server);
  add_client(table, std::move(row), key);
}

void ConversationState::close(std::string_view proxied, ClientTable& table, KeyBuilder& key) {
  for (Client& client : clients_) give(client, proxied, table, key);
  forget();
}

void ConversationState::forget() {
  clients_.clear();
  changes_.clear();
  met_.clear();
  last_met_ = {};
  current_ = nullptr;
}

}  // namespace kparse::report
