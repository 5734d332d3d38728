// SPDX-License-Identifier: MIT
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class VersionUnknown final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn&, const Request& r) override {
    if (!r.api || r.known || !r.api->request || r.version <= r.api->request->versions.hi) return;
    const std::string what = subject(frames()).text();
    hit({.cause = what}, [&](Text& t) {
      t << what << " is newer than this program's tables (up to v" << r.api->request->versions.hi
        << "): only its header is shown.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_ver_unknown, VersionUnknown, .id = "KP-VER-UNKNOWN", .severity = Severity::notice,
            .scope = RuleScope::frame,
            .condition = "A request's API is known, but its version is above the newest in the tables.",
            .why = "The layout isn't known, so nothing is guessed.", .fix = "Update kparse.",
            .example = "Metadata v99 is newer than this program's tables (up to v13): only its header is shown.",
            .sources = "KIP-1313");

}  // namespace kparse::lint
