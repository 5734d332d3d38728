// SPDX-License-Identifier: MIT
// What SASL tokens say. Source: RFC 4616 (PLAIN), RFC 5802 (SCRAM), RFC 7628 (OAUTHBEARER), KIP-48 (tokenauth).
#include <optional>

#include "dump/shared.h"
#include "kparse/payload.h"

namespace kparse {
namespace {

using Text = std::string_view;

bool is_scram(Text mechanism) noexcept { return mechanism.starts_with("SCRAM"); }

/// The value of "name=..." among the parts of `message`.
std::optional<Text> attribute(Text message, Text name, char between) noexcept {
  while (!message.empty()) {
    const std::size_t end = message.find(between);
    const Text part = message.substr(0, end);
    if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == '=')
      return part.substr(name.size() + 1);
    if (end == Text::npos) break;
    message.remove_prefix(end + 1);
  }
  return std::nullopt;
}

/// What follows the GS2 header "n,a=authzid," of a first message; nothing if it is none.
std::optional<Text> after_gs2(Text token, Text& authzid) noexcept {
  if (token.empty() || (token[0] != 'n' && token[0] != 'y' && token[0] != 'p')) return std::nullopt;
  const std::size_t first = token.find(',');
  const std::size_t second = first == Text::npos ? first : token.find(',', first + 1);
  if (second == Text::npos) return std::nullopt;
  const Text id = token.substr(first + 1, second - first - 1);
  if (id.starts_with("a=")) authzid = id.substr(2);
  return token.substr(second + 1);
}

/// "=2C" is a comma and "=3D" an equals sign in SCRAM names.
std::string unescaped(Text name) {
  std::string out;
  for (std::size_t n = 0; n < name.size(); ++n) {
    if (name.substr(n, 3) == "=2C" || name.substr(n, 3) == "=3D") {
      out += name[n + 2] == 'C' ? ',' : '=';
      n += 2;
    } else {
      out += name[n];
    }
  }
  return out;
}

std::string base64url_decoded(Text in) {
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : in) {
    int v = -1;
    if (c >= 'A' && c <= 'Z') v = c - 'A';
    if (c >= 'a' && c <= 'z') v = c - 'a' + 26;
    if (c >= '0' && c <= '9') v = c - '0' + 52;
    if (c == '-' || c == '+') v = 62;
    if (c == '_' || c == '/') v = 63;
    if (v < 0) break;
    bits = bits << 6 | static_cast<std::uint32_t>(v);
    if ((have += 6) >= 8) out += static_cast<char>(bits >> (have -= 8) & 0xff);
  }
  return out;
}

/// "sub" of the JWT in "auth=Bearer HEADER.CLAIMS.SIGNATURE".
std::string jwt_subject(Text rest) {
  const auto auth = attribute(rest, "auth", '\x01');
  if (!auth) return "";
  const std::size_t first = auth->find('.');
  if (first == Text::npos) return "";
  const std::string claims = base64url_decoded(auth->substr(first + 1, auth->find('.', first + 1) - first - 1));
  std::size_t at = claims.find("\"sub\"");
  if (at == Text::npos) return "";
  at = claims.find_first_not_of(" \t\r\n", at + 5);
  if (at == Text::npos || claims[at] != ':') return "";
  at = claims.find_first_not_of(" \t\r\n", at + 1);
  if (at == Text::npos || claims[at] != '"') return "";
  std::string out;
  for (++at; at < claims.size() && claims[at] != '"'; ++at) {
    if (claims[at] == '\\' && ++at == claims.size()) break;
    out += claims[at];
  }
  return out;
}

struct Plain {
  Text authzid, user, password;
};
std::optional<Plain> plain(Text token) noexcept {
  const std::size_t first = token.find('\0');
  const std::size_t second = first == Text::npos ? first : token.find('\0', first + 1);
  if (second == Text::npos) return std::nullopt;
  return Plain{token.substr(0, first), token.substr(first + 1, second - first - 1), token.substr(second + 1)};
}

class TokenWriter {
 public:
  TokenWriter(JsonWriter& out, Text mechanism, Text message, bool show) noexcept : out_(out), show_(show) {
    out_.begin_object();
    value("mechanism", mechanism);
    value("message", message);
  }
  ~TokenWriter() { out_.end_object(); }
  TokenWriter(const TokenWriter&) = delete;
  TokenWriter& operator=(const TokenWriter&) = delete;

  void value(Text name, std::optional<Text> v) noexcept {
    if (!v) return;
    out_.key(name);
    (void)out_.string(*v);
  }
  void secret(Text name, std::optional<Text> v) noexcept {
    value(name, v && !show_ ? std::optional<Text>(redacted) : v);
  }

 private:
  JsonWriter& out_;
  bool show_;
};

bool write_scram(JsonWriter& out, Text mechanism, Text token, bool from_client, bool show) {
  Text authzid;
  if (from_client) {
    if (const auto bare = after_gs2(token, authzid); bare && !attribute(token, "p", ',')) {
      TokenWriter w(out, mechanism, "client-first", show);
      if (const auto user = attribute(*bare, "n", ',')) w.value("user", Text(unescaped(*user)));
      if (!authzid.empty()) w.value("authzid", authzid);
      w.secret("nonce", attribute(*bare, "r", ','));
      w.value("tokenauth", attribute(*bare, "tokenauth", ','));
      return true;
    }
    if (!attribute(token, "p", ',')) return false;
    TokenWriter w(out, mechanism, "client-final", show);
    w.secret("nonce", attribute(token, "r", ','));
    w.secret("proof", attribute(token, "p", ','));
    return true;
  }
  if (attribute(token, "s", ',')) {
    TokenWriter w(out, mechanism, "server-first", show);
    w.secret("nonce", attribute(token, "r", ','));
    w.secret("salt", attribute(token, "s", ','));
    w.value("iterations", attribute(token, "i", ','));
    return true;
  }
  const auto failed = attribute(token, "e", ','), proof = attribute(token, "v", ',');
  if (!failed && !proof) return false;
  TokenWriter w(out, mechanism, "server-final", show);
  w.value("error", failed);
  w.secret("verifier", proof);
  return true;
}

bool write_oauth(JsonWriter& out, Text mechanism, Text token, bool from_client, bool show) {
  if (token == "\x01") {
    TokenWriter w(out, mechanism, "client-abort", show);
    return true;
  }
  if (!from_client) {
    TokenWriter w(out, mechanism, "server-error", show);
    w.value("text", token);
    return true;
  }
  Text authzid;
  const auto rest = after_gs2(token, authzid);
  if (!rest) return false;
  TokenWriter w(out, mechanism, "client-first", show);
  const std::string subject = jwt_subject(*rest);
  w.value("user", authzid.empty() ? Text(subject) : authzid);
  w.secret("token", attribute(*rest, "auth", '\x01'));
  return true;
}

}  // namespace

std::string sasl_user(Text mechanism, Bytes bytes) {
  const Text token = text(bytes);
  if (mechanism == "PLAIN") {
    const auto parts = plain(token);
    return parts ? std::string(parts->user) : "";
  }
  Text authzid;
  const auto rest = after_gs2(token, authzid);
  if (!rest) return "";
  if (is_scram(mechanism)) {
    if (attribute(*rest, "tokenauth", ',') == "true") return "";  // then the name is a delegation token's id
    const auto user = attribute(*rest, "n", ',');
    return user ? unescaped(*user) : "";
  }
  if (mechanism == "OAUTHBEARER") return authzid.empty() ? jwt_subject(*rest) : std::string(authzid);
  return "";
}

bool write_sasl_token(JsonWriter& out, Text mechanism, Bytes bytes, bool from_client, bool show) noexcept {
  const Text token = text(bytes);
  if (token.empty()) return false;
  if (mechanism == "PLAIN") {
    const auto parts = from_client ? plain(token) : std::nullopt;
    if (!parts) return false;
    TokenWriter w(out, mechanism, "client-first", show);
    if (!parts->authzid.empty()) w.value("authzid", parts->authzid);
    w.value("user", parts->user);
    w.secret("password", parts->password);
    return true;
  }
  if (is_scram(mechanism)) return write_scram(out, mechanism, token, from_client, show);
  if (mechanism == "OAUTHBEARER") return write_oauth(out, mechanism, token, from_client, show);
  if (mechanism == "GSSAPI") {
    // RFC 4121: the first token of each side is an ASN.1 application tag; the last pair is wrapped and says the layer
    // chosen.
    const bool initial = bytes[0] == 0x60;
    TokenWriter w(out, mechanism, initial ? "context" : "security-layer", show);
    return true;
  }
  return false;
}

}  // namespace kparse
