// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "dump/json_sink.h"
#include "kparse/payload.h"

namespace kparse {

bool sensitive_config(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 8> words{
      "password", "secret", "jaas", "credential", "token", "private", "keystore.key", "truststore.certificates"};
  // As they are: config names are in lower case. Upper case is in the names of loggers (DelegationTokenManager), whose
  // values are levels.
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return name.find(word) != name.npos; });
}

bool JsonSink::secret_bytes(const Field& f, Bytes v) noexcept {
  if (!f.secret || v.empty()) return false;
  const bool show = shared_.options.show_secrets;
  if (show) {
    out_.base64(v);
  } else {
    secret_ = true;
    (void)out_.string(redacted);
  }
  if (f.mark != Mark::auth_bytes || !to_.siblings || guide_.mechanism().empty()) return true;
  const std::size_t before = out_.size();
  out_.key(f.name, ".decoded");
  if (!write_sasl_token(out_, guide_.mechanism(), v, setup_.message.kind == Kind::request, show)) out_.truncate(before);
  return true;
}

void JsonSink::redact_config() noexcept {
  Scope& s = top();
  if (s.value_to == 0 || shared_.options.show_secrets) return;
  (void)out_.replace(s.value_from, s.value_to, redacted);
  s.value_to = 0;
  secret_ = true;
}

/// The struct has a field that tells whether its config is sensitive, in this version.
bool JsonSink::expects_sensitive(NodeId n) const noexcept {
  for (NodeId i = static_cast<NodeId>(n + 1); i <= n + field(n).below; i = static_cast<NodeId>(i + 1 + field(i).below))
    if (field(i).mark == Mark::config_sensitive && field(i).versions.has(setup_.version)) return true;
  return false;
}

}  // namespace kparse
