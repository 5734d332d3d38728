// SPDX-License-Identifier: MIT
// What brokers advertise, for rules that need a whole ApiVersions answer.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "lint/rule.h"

namespace kparse::lint {

using Ranges = std::vector<VersionsTold>;

[[nodiscard]] inline const VersionsTold* find_range(const Ranges& all, std::int16_t key) noexcept {
  const auto at = std::ranges::find(all, key, &VersionsTold::api_key);
  return at == all.end() ? nullptr : &*at;
}

/// A rule that is told of every ApiVersions answer with error 0 that could be read to its end. What else it overrides of
/// these events it passes on.
class AdvertisedRule : public Rule {
 public:
  using Rule::Rule;

  void on_versions(const VersionsTold& v) override { told_.push_back(v); }
  void end_response(const Conn& c, const Response& r, const Error& e) override {
    if (told_.empty()) return;
    // The error code is the first field of every version.
    const bool fine = r.api_key == 18 && !e && r.body.size() >= 2 && load_be<std::int16_t>(r.body.data()) == 0;
    if (fine) advertised(c, told_);
    told_.clear();
  }
  virtual void advertised(const Conn&, const Ranges&) = 0;

 private:
  Ranges told_;
};

/// The newest answer of each server.
class Servers {
 public:
  explicit Servers(Rule& r) : room_(r, "brokers' versions") {}

  void put(std::string_view server, const Ranges& r) {
    const auto at = table_.find(server);
    if (at != table_.end()) {
      at->second = r;
    } else if (room_.beside(table_.size())) {
      table_.emplace(std::string(server), r);
    }
  }
  [[nodiscard]] const Ranges* find(std::string_view server) const {
    const auto at = table_.find(server);
    return at == table_.end() ? nullptr : &at->second;
  }
  [[nodiscard]] const VersionsTold* find(std::string_view server, std::int16_t key) const {
    const Ranges* const r = find(server);
    return r ? find_range(*r, key) : nullptr;
  }
  [[nodiscard]] auto begin() const { return table_.begin(); }
  [[nodiscard]] auto end() const { return table_.end(); }

 private:
  std::map<std::string, Ranges, std::less<>> table_;
  Room room_;
};

}  // namespace kparse::lint
