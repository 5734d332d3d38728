// SPDX-License-Identifier: MIT
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_api_versions = 18, unsupported_version = 35;

class Fallback final : public Rule {
 public:
  using Rule::Rule;

  // The body is of version 0 then, whatever was asked; its error code stands first.
  void end_response(const Conn& c, const Response& r, const Error&) override {
    if (r.api_key != key_api_versions || !r.matched || r.body.size() < 2) return;
    if (load_be<std::int16_t>(r.body.data()) == unsupported_version) refused_[c] = {r.request_version, r.frame.first};
  }

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key == key_api_versions && r.header_whole) tell(c, r.version);
  }

  void on_close(const Conn& c, const Stamp&) override { tell(c, -1); }

 private:
  struct Refused {
    std::int16_t version = -1;
    Stamp at;
  };

  void tell(const Conn& c, int retry) {
    const Refused* const r = refused_.find(c);
    if (!r) return;
    const std::string cause = std::string(c.server()) + ' ' + std::to_string(r->version);
    hit({.api = "ApiVersions", .cause = cause, .conn = &c, .at = &r->at}, [&](Text& t) {
      t << c.server() << " doesn't know ApiVersions v" << r->version << "; the client ";
      if (retry >= 0) {
        t << "went on with v" << retry << ".";
      } else {
        t << "didn't ask again.";
      }
    });
    refused_.drop(c);
  }

  PerConn<Refused> refused_;
};

}  // namespace

KPARSE_RULE(kp_apiv_fallback, Fallback, .id = "KP-APIV-FALLBACK", .severity = Severity::info,
            .scope = RuleScope::connection,
            .condition = "An ApiVersions answer has error 35: its body is version 0 whatever was asked, with no entry or one "
                         "for ApiVersions.",
            .why = "Normal when a newer client meets an older broker. If it falls back to version 0, brokers don't learn "
                   "the client's software name and version.",
            .fix = "Nothing; readers must decode the body as version 0.",
            .example = "10.0.0.9:9092 doesn't know ApiVersions v4; the client went on with v3.",
            .sources = "KIP-511; sarama#3328", .healthy = true);

}  // namespace kparse::lint
