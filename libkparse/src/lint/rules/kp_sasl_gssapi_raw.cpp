// SPDX-License-Identifier: MIT
#include "lint/telling.h"

namespace kparse::lint {
namespace {

/// RFC 2743: application tag 0x60 and a DER length; 0x82 announces one of two bytes.
bool gssapi(Bytes b, std::uint32_t size) {
  if (b.size() < 2 || b[0] != 0x60) return false;
  if (b[1] == 0x82) return true;
  if (b[1] < 0x80) return b[1] + 2u == size;
  return b[1] == 0x81 && b.size() > 2 && b[2] + 3u == size;
}

class GssapiRaw final : public Rule {
 public:
  using Rule::Rule;

  void on_sasl(const Conn& c, const SaslToken& t) override {
    if (t.frame.from == Side::client) look(c, t.frame);
  }

  void begin_request(const Conn& c, const Request& r) override {
    // Read as a request its API key is unknown.
    if (r.api) {
      if (r.api_key != 18) later_[c] = true;
    } else {
      look(c, r.frame);
    }
  }

  void on_close(const Conn& c, const Stamp&) override { later_.drop(c); }

 private:
  void look(const Conn& c, const Frame& f) {
    bool& later = later_[c];
    if (later) return;
    later = true;
    if (!gssapi(f.data, f.size)) return;
    hit({.conn = &c, .at = &f.first}, [&](Text& t) {
      t << who(c) << " sends a GSSAPI token without SaslHandshake (read as API key it is "
        << load_be<std::int16_t>(f.data.data()) << ").";
    });
  }

  PerConn<bool> later_;   ///< something else than ApiVersions was sent, a handshake too
};

}  // namespace

KPARSE_RULE(kp_sasl_gssapi_raw, GssapiRaw, .id = "KP-SASL-GSSAPI-RAW", .severity = Severity::error,
            .scope = RuleScope::connection,
            .condition = "A frame of the client begins with 60 82, or with 60 and a DER length that matches, at the "
                         "connection's start or right after ApiVersions, with no SaslHandshake before it.",
            .why = "Only brokers before 4.0 take this; later ones close the connection.",
            .fix = "Update the client; send SaslHandshake first.",
            .example = "10.0.0.1:50000 (\"craft\") sends a GSSAPI token without SaslHandshake (read as API key it is "
                       "24706).",
            .sources = "KIP-896; franz-go#1224; RFC 2743");

}  // namespace kparse::lint
