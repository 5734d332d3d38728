// SPDX-License-Identifier: MIT
#include "lint/finding_table.h"

#include <algorithm>
#include <memory>
#include <tuple>

namespace kparse::lint {
namespace {

bool before(const Stamp& a, const Stamp& b) noexcept {
  return std::tie(a.time_ns, a.file, a.packet) < std::tie(b.time_ns, b.file, b.packet);
}

/// Findings about what one client, group or topic does hold wherever it does it.
bool beyond_connections(RuleScope s) noexcept {
  return s == RuleScope::client || s == RuleScope::group || s == RuleScope::topic;
}

std::string_view host_of(std::string_view endpoint) noexcept { return endpoint.substr(0, endpoint.rfind(':')); }

bool agree(std::string_view a, std::string_view b) noexcept { return a.empty() || b.empty() || a == b; }

}  // namespace

bool FindingTable::add(const RuleInfo& rule, int number, const Place& p, const Conn* conn, std::string_view api,
                       const Stamp& at) {
  key_.assign(1, static_cast<char>(number));
  const auto part = [this](std::string_view s) {
    key_ += s;
    key_ += '\0';
  };
  const Witness* const w = p.witness;
  if (!p.any_client && w) {
    part(host_of(w->client));
    part(w->client_id);
  } else if (!p.any_client && conn) {
    part(conn->client_host());
    part(conn->client_id);
  }
  part(p.topic);
  part(p.group);
  part(p.cause);
  if (const auto known = places_.find(key_); known != places_.end()) {
    Finding& f = rows_[known->second].finding;
    f.count += p.count;
    if (f.places.size() < Finding::max_places && f.places.back() != at) f.places.push_back(at);
    last_ = known->second;
    return p.renewed;
  }
  if (rows_.size() >= limit_) {
    left_out_ += p.count;
    last_ = rows_.size();
    return false;
  }
  last_ = rows_.size();
  places_.emplace(key_, last_);
  Row& r = rows_.emplace_back();
  r.number = number;
  r.instead = p.instead ? p.instead : &rule.instead;
  Finding& f = r.finding;
  f.rule = &rule;
  f.order = last_;
  f.count = p.count;
  f.places.push_back(at);
  f.api = p.api.empty() ? api : p.api;
  f.topic = p.topic;
  f.group = p.group;
  f.partition = p.partition;
  if (w) {
    f.in_conversation = true;
    f.conversation = w->conversation;
    f.client = w->client;
    f.server = w->server;
    f.client_id = w->client_id;
    r.host = host_of(w->client);
  } else if (conn) {
    f.in_conversation = true;
    f.conversation = conn->number;
    f.client = conn->client();
    f.server = conn->server();
    f.client_id = conn->client_id;
    r.host = conn->client_host();
  }
  return true;
}

namespace {

/// Where a finding that is better than others of its topic and group holds.
struct Better {
  std::vector<const Finding*> anywhere;                                 ///< of no connection
  std::unordered_multimap<std::uint64_t, const Finding*> by_conversation;
  std::unordered_multimap<std::string, const Finding*> by_client;      ///< by host and client id
  std::vector<const Finding*> all;
};

std::string client_of(const std::string& host, const Finding& f) { return host + '\0' + f.client_id; }

}  // namespace

// Of the rules that are named as better, at most a few: found by what has to be the same, since a capture may have as
// many findings as connections.
std::vector<char> FindingTable::explained() const {
  std::vector<std::unique_ptr<Better>> better(max_rules);
  for (const Row& r : rows_)
    for (const std::string_view id : *r.instead)
      if (const int n = rule_number(id); n >= 0 && !better[static_cast<std::size_t>(n)])
        better[static_cast<std::size_t>(n)] = std::make_unique<Better>();
  for (const Row& r : rows_) {
    Better* const mine = better[static_cast<std::size_t>(r.number)].get();
    if (!mine) continue;
    const Finding* const f = &r.finding;
    mine->all.push_back(f);
    if (!f->in_conversation) {
      mine->anywhere.push_back(f);
      continue;
    }
    mine->by_conversation.emplace(f->conversation, f);
    mine->by_client.emplace(client_of(r.host, *f), f);
  }
  std::vector<char> gone(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Finding& b = rows_[i].finding;
    const auto same_place = [&](const Finding* a) { return agree(a->topic, b.topic) && agree(a->group, b.group); };
    const bool beyond = beyond_connections(b.rule->scope);
    const auto explains = [&](const Better& by) {
      if (!b.in_conversation) return std::ranges::any_of(by.all, same_place);
      if (std::ranges::any_of(by.anywhere, same_place)) return true;
      const auto [first, last] = by.by_conversation.equal_range(b.conversation);
      if (std::any_of(first, last, [&](const auto& a) { return same_place(a.second); })) return true;
      const auto [one, end] = by.by_client.equal_range(client_of(rows_[i].host, b));
      return std::any_of(one, end, [&](const auto& a) {
        return (beyond || beyond_connections(a.second->rule->scope)) && same_place(a.second);
      });
    };
    for (const std::string_view id : *rows_[i].instead) {
      const int n = rule_number(id);
      gone[i] = n >= 0 && explains(*better[static_cast<std::size_t>(n)]);
      if (gone[i]) break;
    }
  }
  return gone;
}

std::vector<Finding> FindingTable::take() {
  const std::vector<char> gone = explained();
  std::vector<Finding> all;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!gone[i]) all.push_back(std::move(rows_[i].finding));
  rows_.clear();
  places_.clear();
  std::ranges::stable_sort(all, [](const Finding& a, const Finding& b) {
    if (a.rule->severity != b.rule->severity) return a.rule->severity > b.rule->severity;
    if (a.places.front() != b.places.front()) return before(a.places.front(), b.places.front());
    return std::tie(a.rule->id, a.message) < std::tie(b.rule->id, b.message);
  });
  return all;
}

}  // namespace kparse::lint
