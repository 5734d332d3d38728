// SPDX-License-Identifier: MIT
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-APIV-HDR", "KP-TAGBUF", "KP-VARINT-RANGE"};

class NullString final : public Rule {
 public:
  using Rule::Rule;

  void on_note(const Note& n, Bytes) override {
    if (n.rule != Note::Rule::nullNotAllowed || n.node == no_node || field(n.node).array) return;
    const Type type = field(n.node).type;
    if (type != Type::string && type != Type::bytes) return;
    const std::string what = subject(frames()).text(), where = path(n.node), cause = what + ' ' + where;
    hit({.cause = cause}, [&](Text& t) { t << what << ": " << where << " is null but may not be."; });
  }
};

}  // namespace

KPARSE_RULE(kp_null_string, NullString, .id = "KP-NULL-STRING", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "The length of a string or of bytes is null where the schema of that version allows none.",
            .why = "Strict readers fail on it.",
            .fix = "Write an empty string, or use a version in which the field may be null.",
            .example = "Metadata v4: brokers.host is null but may not be.",
            .sources = "redpanda#5451",
            .instead = instead);

}  // namespace kparse::lint
