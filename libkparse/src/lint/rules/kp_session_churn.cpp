// SPDX-License-Identifier: MIT
#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"session-churn-min", 3, "fetches", "in a row that each open a session"}};

class SessionChurn final : public Rule {
 public:
  using Rule::Rule;

  void on_fetch_answered(const FetchAnswered& a) override {
    State& s = states_[conn()];
    const bool opens = a.asked_known && a.asked_session_id == 0 && a.asked_session_epoch == 0 && a.error == 0 &&
                       a.session_id != 0 && (s.row == 0 || a.session_id != s.session);
    s.row = opens ? s.row + 1 : 0;
    s.session = a.session_id;
    if (static_cast<double>(s.row) < option(0)) return;
    hit({.count = s.row == static_cast<std::uint64_t>(option(0)) ? s.row : 1},
        [&](Text& t) { t << who(conn()) << " opens a new fetch session with every Fetch (" << s.row << ")."; });
  }

  void on_close(const Conn& c, const Stamp&) override { states_.drop(c); }

 private:
  struct State {
    std::uint64_t row = 0;
    std::int32_t session = 0;
  };
  PerConn<State> states_;
};

}  // namespace

KPARSE_RULE(
    kp_session_churn, SessionChurn, .id = "KP-SESSION-CHURN", .severity = Severity::warning, .scope = RuleScope::client,
    .condition =
        "session-churn-min or more Fetches in a row of one connection with session id 0 and epoch 0 are each answered "
        "with another session id that isn't 0. Epoch -1 asks for none, and id 0 in the answer is a full cache.",
    .why = "It pushes other clients' sessions out of the broker's cache.",
    .fix = "Use the session id of the answer, or send epoch -1.",
    .example = "10.0.0.1:50000 (\"t1\") opens a new fetch session with every Fetch (3).",
    .sources = "sarama#1644; KAFKA-9137; KIP-227", .options = options);

}  // namespace kparse::lint
