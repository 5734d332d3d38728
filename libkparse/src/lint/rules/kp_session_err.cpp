// SPDX-License-Identifier: MIT
#include "kparse/node.h"
#include "lint/error_severity.h"
#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class SessionErr final : public Rule {
 public:
  using Rule::Rule;

  void on_fetch_answered(const FetchAnswered& a) override {
    if (a.error == 70 || a.error == 71 || a.error == 103 || a.error == 106) say(a.error, a.asked_session_id);
  }

  // A share session has no id: it is the member's.
  void on_error(const ErrorSeen& e) override {
    if (e.node != node::share_fetch_response::error_code && e.node != node::share_acknowledge_response::error_code)
      return;
    if (e.code == 122 || e.code == 123 || e.code == 103) say(e.code, -1);
  }

 private:
  void say(std::int16_t code, std::int32_t session) {
    const ErrorAdvice* const a = error_advice(code);
    hit({.cause = a->name}, [&](Text& t) {
      t << who(conn());
      if (session >= 0) {
        t << ": fetch session " << session;
      } else {
        t << ": its share session";
      }
      t << " is gone (" << a->name << ").";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_session_err, SessionErr, .id = "KP-SESSION-ERR", .severity = Severity::notice,
            .scope = RuleScope::client,
            .condition =
                "A Fetch answer's own error code is 70, 71, 103 or 106, or that of ShareFetch or ShareAcknowledge is "
                "122, 123 or 103.",
            .why = "The client makes a full fetch next: costs a round, heals by itself.",
            .fix = "If it comes often raise max.incremental.fetch.session.cache.slots.",
            .example = "10.0.0.1:50000 (\"t1\"): fetch session 7 is gone (FETCH_SESSION_ID_NOT_FOUND).",
            .sources = "sarama#1644; KIP-227", .healthy = true);

}  // namespace kparse::lint
