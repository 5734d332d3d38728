// SPDX-License-Identifier: MIT
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-SASL-GSSAPI-RAW"};

class ApiUnknown final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api || !r.header_whole || r.api_key < 0 || r.version < 0) return;
    const std::string what = subject(frames()).text();
    hit({.cause = what}, [&](Text& t) {
      t << "API key " << r.api_key << " v" << r.version << " from " << c.client()
        << " isn't known here: only its header is shown.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_api_unknown, ApiUnknown, .id = "KP-API-UNKNOWN", .severity = Severity::notice, .scope = RuleScope::frame,
            .condition = "A request with a plausible header has an API key that isn't in the tables.",
            .why = "Newer than this program, or a private extension. Framing and latency are still right.",
            .fix = "Update kparse.",
            .example = "API key 120 v0 from 10.0.0.1:50000 isn't known here: only its header is shown.",
            .sources = "kafka#23544", .instead = instead);

}  // namespace kparse::lint
