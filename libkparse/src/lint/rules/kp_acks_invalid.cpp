// SPDX-License-Identifier: MIT
#include "lint/rule.h"

namespace kparse::lint {
namespace {

class AcksInvalid final : public Rule {
 public:
  using Rule::Rule;

  void on_acks(std::int16_t acks) override {
    const Request* const r = frames().request;
    if (!r || r->version < 2 || (acks >= -1 && acks <= 1)) return;
    const std::string cause = std::to_string(acks);
    hit({.cause = cause}, [&](Text& t) { t << "Produce with acks " << acks << ": only -1 (all), 0 and 1 exist."; });
  }
};

}  // namespace

KPARSE_RULE(kp_acks_invalid, AcksInvalid, .id = "KP-ACKS-INVALID", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "acks in a Produce request of version 2 or later isn't -1, 0 or 1 (before 0.9 larger numbers were "
                         "legal).",
            .why = "The broker answers INVALID_REQUIRED_ACKS (21).", .fix = "Set acks to all, 1 or 0.",
            .example = "Produce with acks 2: only -1 (all), 0 and 1 exist.", .sources = "kop#1875; ProduceRequest.json");

}  // namespace kparse::lint
