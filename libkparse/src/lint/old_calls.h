// SPDX-License-Identifier: MIT
// Which versions a connection's client used: judged when it closes, since only then it is known who the client is. A
// follower asks for epochs before its first Fetch says that it is one.
#pragma once

#include <string>
#include <vector>

#include "lint/keys.h"
#include "lint/telling.h"

namespace kparse::lint {

class OldCallRule : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (!r.api || !r.header_whole || c.inter_broker || !is_old(*r.api, r.version)) return;
    std::vector<Call>& calls = calls_[c];
    for (Call& k : calls) {
      if (k.api != r.api || k.version != r.version) continue;
      ++k.count;
      return;
    }
    calls.push_back({r.api, r.version, 1, r.frame.first});
  }

  void on_close(const Conn& c, const Stamp&) override {
    if (const std::vector<Call>* const calls = calls_.find(c); calls && !c.inter_broker) {
      for (const Call& k : *calls) {
        const std::string what = api_text(k.api, k.api->key) + " v" + std::to_string(k.version);
        Total* const all = totals_.get(joined({client_key(c), what}), room_);
        if (!all) continue;
        if (all->count == 0) all->who = witness_of(c, k.first);
        all->count += k.count;
        hit({.api = k.api->name, .cause = what, .conn = &c, .at = &k.first, .count = k.count, .renewed = true},
            [&](Text& t) { tell(t << who(all->who) << " sends " << what, *k.api, all->count); });
      }
    }
    calls_.drop(c);
  }

 protected:
  [[nodiscard]] virtual bool is_old(const Api&, int version) const = 0;
  /// What comes after "... sends Fetch v3".
  virtual void tell(Text&, const Api&, std::uint64_t times) const = 0;

 private:
  struct Call {
    const Api* api = nullptr;
    std::int16_t version = -1;
    std::uint64_t count = 0;
    Stamp first;
  };
  struct Total {
    std::uint64_t count = 0;
    Witness who;
  };
  Room room_{*this, "clients' old versions"};
  PerConn<std::vector<Call>> calls_;
  Bounded<std::string, Total> totals_;
};

}  // namespace kparse::lint
