// SPDX-License-Identifier: MIT
#include "lint/finding_table.h"

#include <algorithm>
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
    return false;
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

bool FindingTable::explains(const Row& better, const Row& r) noexcept {
  const Finding &a = better.finding, &b = r.finding;
  if (!agree(a.topic, b.topic) || !agree(a.group, b.group)) return false;
  if (!a.in_conversation || !b.in_conversation) return true;
  if (a.conversation == b.conversation) return true;
  return (beyond_connections(a.rule->scope) || beyond_connections(b.rule->scope)) && better.host == r.host &&
         a.client_id == b.client_id;
}

std::vector<Finding> FindingTable::take() {
  std::vector<std::vector<const Row*>> by_rule(max_rules);
  for (const Row& r : rows_) by_rule[static_cast<std::size_t>(r.number)].push_back(&r);
  std::vector<char> gone(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (const std::string_view id : *rows_[i].instead) {
      const int n = rule_number(id);
      if (n < 0) continue;
      gone[i] = std::ranges::any_of(by_rule[static_cast<std::size_t>(n)],
                                    [&](const Row* better) { return explains(*better, rows_[i]); });
      if (gone[i]) break;
    }
  }
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
