// SPDX-License-Identifier: MIT
#include <array>

#include "lint/rule.h"

namespace kparse::lint {
namespace {

bool closed(TlsSealed why) noexcept {
  return why != TlsSealed::no && why != TlsSealed::noAnswer && why != TlsSealed::plainClient && why != TlsSealed::refused;
}

class Sealed final : public Rule {
 public:
  using Rule::Rule;

  void on_segment(const Conn& c, const SegmentSeen& s) override {
    if (!c.kafka && s.length > 0) state_[c].data[static_cast<std::size_t>(s.direction)] = true;
  }
  void on_other(const Conn& c, Side, std::string_view what, const Stamp& at) override {
    if (what == "TLS") state_[c].begun = at;
  }

  void on_close(const Conn& c, const Stamp&) override {
    const State* const s = state_.find(c);
    const bool both = s && s->begun.packet != 0 && s->data[0] && s->data[1];
    const TlsInfo* const tls = c.info->tls;
    const bool hellos = tls && tls->why() == TlsSealed::no && tls->version != 0 && tls->alert.empty();
    if (both && tls && !tls->opened() && (hellos || closed(tls->why()))) {
      hit({.cause = c.server(), .at = &s->begun}, [&](Text& t) {
        t << "Connection " << c.client() << " to " << c.server() << " is ";
        const std::string version = tls_version_text(tls->version);
        t << (version.empty() ? std::string_view("TLS") : std::string_view(version));
        if (!tls->sni.empty()) t << " (" << Quoted{tls->sni} << ")";
        if (hellos) {
          t << "; no more than its handshake is there.";
        } else if (tls->why() == TlsSealed::noSecret || tls->why() == TlsSealed::noHandshake) {
          t << "; its contents can't be read without a key log.";
        } else {
          t << "; its contents can't be read: " << reason_of(tls->why()) << ".";
        }
      });
    }
    state_.drop(c);
  }

 private:
  struct State {
    Stamp begun;
    std::array<bool, 2> data{};
  };
  PerConn<State> state_;
};

}  // namespace

KPARSE_RULE(kp_tls, Sealed, .id = "KP-TLS", .severity = Severity::info, .scope = RuleScope::connection,
            .condition = "Both directions of a connection are TLS and nothing of it can be opened: the secrets aren't known, "
                         "or don't fit.",
            .why = "What is inside isn't counted anywhere else in the output.",
            .fix = "Give --keylog FILE (SSLKEYLOGFILE format), or a pcapng with embedded secrets.",
            .example = "Connection 10.0.0.1:50000 to 10.0.0.9:9093 is TLS 1.3; its contents can't be read "
                       "without a key log.",
            .sources = "codecentric.de; kapturekafka.dev", .healthy = true);

}  // namespace kparse::lint
