// SPDX-License-Identifier: MIT
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-APIV-HDR", "KP-TAGBUF", "KP-VARINT-RANGE"};

class NullArray final : public Rule {
 public:
  using Rule::Rule;

  void on_note(const Note& n, Bytes) override {
    if (n.rule != Note::Rule::nullNotAllowed || n.node == no_node || !field(n.node).array) return;
    const std::string what = subject(frames()).text(), where = path(n.node), cause = what + ' ' + where;
    hit({.cause = cause}, [&](Text& t) {
      t << what << ": " << where << " is null but may not be (compact arrays: 0 is null, 1 is empty).";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_null_array, NullArray, .id = "KP-NULL-ARRAY", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "An array's length is null (-1, in compact form 0) where the schema of that version allows none.",
            .why = "Strict readers fail on it. Typical: 0 written for an empty compact array.",
            .fix = "Write 1 for an empty compact array, a 32-bit 0 for a classic one.",
            .example = "ApiVersions v3: apiKeys is null but may not be (compact arrays: 0 is null, 1 is empty).",
            .sources = "KIP-482; kop#665; redpanda#11358; redpanda#296", .instead = instead);

}  // namespace kparse::lint
