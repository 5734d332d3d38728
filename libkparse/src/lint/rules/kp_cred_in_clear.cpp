// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "lint/telling.h"

namespace kparse::lint {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// password, secret, jaas, sasl.*token; without the names that only look so.
bool secret_name(std::string_view given) {
  std::string name(given.substr(0, 256));
  std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (name.starts_with("password.encoder.") && !name.ends_with("secret")) return false;
  if (name.ends_with(".url") || name.ends_with(".class") || name.ends_with(".ms")) return false;
  if (has(name, "password") || has(name, "secret") || has(name, "jaas")) return true;
  const std::size_t sasl = name.find("sasl");
  return sasl != name.npos && name.find("token", sasl + 4) != name.npos;
}

bool hidden(std::string_view value) {
  return value.empty() || value == "[hidden]" || value == "hidden" || value.find_first_not_of('*') == value.npos;
}

/// SASL tokens have a rule of their own; a salt alone opens nothing.
bool secret_field(NodeId n) { return field(n).secret && field(n).mark != Mark::auth_bytes && field(n).name != "salt"; }

Interest interest() {
  Interest i = Interest::nothing();
  for (const Message& m : messages()) {
    if (m.kind != Kind::request && m.kind != Kind::response) continue;
    for (int n = m.root + 1; n <= m.root + field(m.root).below; ++n)
      if (secret_field(static_cast<NodeId>(n))) i.add(static_cast<NodeId>(n));
  }
  i.add(Mark::config_name);
  i.add(Mark::config_value);
  i.add(Mark::config_sensitive);
  return i;
}

/// By root row: messages with such a field.
std::vector<bool> carriers(const Interest& wanted) {
  std::vector<bool> out(fields().size());
  for (const Message& m : messages())
    for (int n = m.root + 1; n <= m.root + field(m.root).below; ++n)
      if (wanted.wants(static_cast<NodeId>(n))) out[m.root] = true;
  return out;
}

/// The first secret of a body.
struct SecretSink : Sink {
  NodeId found = no_node;
  std::string_view config;   ///< the name of a config that is one

  void bytes(NodeId n, Bytes v, Bytes) noexcept {
    if (!v.empty()) keep(n, {});
  }
  void string(NodeId n, std::string_view v, Bytes) noexcept {
    if (field(n).mark == Mark::config_name) {
      flush();
      name = v;
    } else if (!hidden(v)) {
      value = n;
    }
  }
  // A broker that says it is none knows better.
  void boolean(NodeId, bool sensitive, Bytes) noexcept {
    if (!sensitive) value = no_node;
    flush();
  }
  void end_struct(NodeId, const std::uint8_t*) noexcept { flush(); }

  void flush() noexcept {
    if (value != no_node && secret_name(name)) keep(value, name);
    value = no_node;
  }
  void keep(NodeId n, std::string_view of) noexcept {
    if (found != no_node) return;
    found = n;
    config = of;
  }

 private:
  std::string_view name;
  NodeId value = no_node;
};

class CredInClear final : public Rule {
 public:
  CredInClear(Desk& d, const RuleInfo& i, const double* o)
      : Rule(d, i, o), carriers_(carriers(interest())), programs_(interest()) {}

  void begin_request(const Conn& c, const Request& r) override {
    if (r.known && r.header_whole && c.in_clear()) look(*r.api->request, r.version, r.body, *r.api);
  }
  void begin_response(const Conn& c, const Response& r) override {
    if (r.matched && r.known && r.header_whole && c.in_clear()) look(*r.api->response, r.version, r.body, *r.api);
  }

 private:
  void look(const Message& m, int version, Bytes body, const Api& api) {
    if (!carriers_[m.root]) return;
    SecretSink sink;
    (void)walk(programs_.get(m, version), body, sink);
    if (sink.found == no_node) return;
    const std::string what = sink.config.empty() ? path(sink.found) : std::string(sink.config);
    const std::string cause = std::string(api.name) + ' ' + what;
    hit({.cause = cause}, [&](Text& t) { t << api.name << " carries a secret in clear (" << Quoted{what} << ")."; });
  }

  std::vector<bool> carriers_;
  ProgramSet programs_;
};

}  // namespace

KPARSE_RULE(kp_cred_in_clear, CredInClear, .id = "KP-CRED-IN-CLEAR", .severity = Severity::warning,
            .scope = RuleScope::frame,
            .condition = "On a connection without TLS: a salted password of AlterUserScramCredentials, a delegation token's "
                         "HMAC, or the value, neither null nor hidden, of a config whose name has password, secret, jaas, or "
                         "sasl and then token. Values are never printed.",
            .why = "Whoever can capture can use it.", .fix = "Use a TLS listener for administration.",
            .example = "IncrementalAlterConfigs carries a secret in clear (listener.name.sasl.ssl.keystore.password).",
            .sources = "KIP-554; KIP-48; Kafka's message schemas", .healthy = true);

}  // namespace kparse::lint
