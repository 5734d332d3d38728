// SPDX-License-Identifier: MIT
// Is it the version of a request that a broker doesn't take?
#pragma once

#include <set>
#include <string>

#include "kparse/upgrade.h"
#include "lint/advertised.h"

namespace kparse::lint {

/// Brokers close the connection on a request whose version they don't serve, without a word. What they said and
/// answered tells whether that is likely.
class Refusals {
 public:
  explicit Refusals(Rule& r) : servers_(r), room_(r, "versions that brokers answered", 100'000) {}

  void advertised(std::string_view server, const Ranges& r) { servers_.put(server, r); }
  void answered(std::string_view server, std::int16_t key, std::int16_t version) {
    if (key == last_.key && version == last_.version && server == last_.server) return;   // answers come in runs
    last_ = Entry(server, key, version);
    if (!served_.contains(last_) && room_.beside(served_.size())) served_.insert(last_);
  }
  [[nodiscard]] const Servers& servers() const noexcept { return servers_; }
  /// All that was answered is known.
  [[nodiscard]] bool complete() const noexcept { return room_.left_out() == 0; }

  [[nodiscard]] bool likely(std::string_view server, const Asked& a) const {
    if (served_.contains(Entry(server, a.api_key, a.version))) return false;
    if (!a.api || !a.known) return true;
    const Ranges* const told = servers_.find(server);
    if (!told) return below_kafka4(*a.api, a.version);
    const VersionsTold* const range = find_range(*told, a.api_key);
    if (!range) return true;
    if (a.version < range->lowest || a.version > range->highest) return true;
    // 4.x lists Produce 0 to 2 as well.
    const VersionsTold* const fetch = find_range(*told, 1);
    return advertised_but_refused(a.api_key, a.version) && fetch && fetch->lowest >= 4;
  }

 private:
  struct Entry {
    std::string server;
    std::int16_t key = -1, version = -1;
    Entry() = default;
    Entry(std::string_view s, std::int16_t k, std::int16_t v) : server(s), key(k), version(v) {}
    bool operator==(const Entry&) const = default;
    auto operator<=>(const Entry&) const = default;
  };
  Servers servers_;
  std::set<Entry> served_;
  Room room_;
  Entry last_;
};

}  // namespace kparse::lint
