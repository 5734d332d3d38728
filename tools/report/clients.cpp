// SPDX-License-Identifier: MIT
#include "report/clients.h"

namespace kparse::report {

void Calls::add(std::uint32_t api, std::uint64_t times) {
  total_ += times;
  const auto found = counts_.find(api);
  if (found != counts_.end()) {
    found->second += times;
  } else if (counts_.size() < limit) {
    counts_.emplace(api, times);
  }
}

void Calls::merge(const Calls& other) {
  const std::uint64_t total = total_ + other.total_;
  for (const auto& [api, times] : other.counts_) add(api, times);
  total_ = total;
}

absl::btree_map<std::int16_t, absl::btree_map<std::int16_t, std::uint64_t>> Calls::by_api() const {
  absl::btree_map<std::int16_t, absl::btree_map<std::int16_t, std::uint64_t>> out;
  for (const auto& [api, times] : counts_) out[key_of(api)][version_of(api)] += times;
  return out;
}

void ClientRow::merge(ClientRow&& o) {
  if (weight() == 0) {
    *this = std::move(o);
    return;
  }
  connections += o.connections;
  calls.merge(o.calls);
  hosts.merge(o.hosts);
  proxied.merge(o.proxied);
  servers.merge(o.servers);
}

void add_client(ClientTable& table, ClientRow&& from, KeyBuilder& key) {
  if (from.weight() == 0) return;
  const ClientIdentity& who = from.identity;
  key.clear().optional(who.name.null, who.name.id).text(who.software).text(who.software_version);
  key.optional(!who.authenticated, who.principal).text(who.mechanism).number(who.refused);
  if (ClientTable::Slot* slot = table.find_or_add(key.view(), from.weight())) slot->row.merge(std::move(from));
}

}  // namespace kparse::report
