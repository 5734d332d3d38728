// SPDX-License-Identifier: MIT
// Requests above the broker's limit, and what became of them.
#pragma once

#include <vector>

#include "lint/rule.h"
#include "lint/telling.h"

namespace kparse::lint {

inline constexpr RuleOption big_request_options[] = {
    {"socket-request-max", 104857600, "bytes", "the broker's socket.request.max.bytes"}};

struct BigRequest {
  Asked asked;
  bool refused = false;   ///< the server ended the connection without an answer
};

class BigRequestRule : public Rule {
 public:
  using Rule::Rule;
  virtual void judge(const Conn&, const BigRequest&) = 0;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.frame.size <= option(0)) return;
    std::vector<Asked>& open = open_[c];
    if (!room_.beside(open.size())) return;
    open.push_back({.serial = r.serial,
                    .api = r.api,
                    .api_key = r.api_key,
                    .version = r.version,
                    .answer_expected = r.answer_expected,
                    .size = r.frame.size,
                    .first = r.frame.first,
                    .completed = r.frame.completed});
  }
  void begin_response(const Conn& c, const Response& r) override {
    if (!r.matched) return;
    std::vector<Asked>* const open = open_.find(c);
    if (!open) return;
    std::erase_if(*open, [&](const Asked& a) {
      if (a.serial != r.serial) return false;
      judge(c, {a, false});
      return true;
    });
  }
  void on_close(const Conn& c, const Stamp&) override {
    if (const std::vector<Asked>* const open = open_.find(c)) {
      const bool refused = ended_first(c, Side::server) && !c.lost[static_cast<std::size_t>(Side::server)];
      for (const Asked& a : *open) judge(c, {a, refused && a.answer_expected});
    }
    open_.drop(c);
  }

 private:
  Room room_{*this, "a connection's big requests without an answer", 64};
  PerConn<std::vector<Asked>> open_;
};

}  // namespace kparse::lint
