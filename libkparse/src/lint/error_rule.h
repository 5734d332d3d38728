// SPDX-License-Identifier: MIT
// KP-ERR-REFUSED, -DEGRADED, -RETRY, -NORMAL: the same rule for the four severities of error_severity.txt.
#pragma once

#include "lint/error_severity.h"
#include "lint/rule.h"
#include "lint/subject.h"

namespace kparse::lint {

/// All that the table names, so that those rules are called first; which of them count depends on the code.
inline constexpr std::string_view error_rules_instead[] = {
    "KP-ACKS-INVALID",    "KP-APIV-FALLBACK", "KP-BATCH-COUNT",     "KP-BATCH-LOD",
    "KP-COORD-LOOP",      "KP-CRC",           "KP-CTRL-CLIENT",     "KP-JOIN-GHOST",
    "KP-JOIN-LOOP",       "KP-LZ4-DEP",       "KP-NOTLEADER-LOOP",  "KP-PRODUCE-MAGIC",
    "KP-PRODUCE-MULTI",   "KP-REC-HDR",       "KP-REC-LEN",         "KP-REC-ODELTA",
    "KP-SASL-FAIL",       "KP-SASL-MECH",     "KP-SASL-STATE",      "KP-SEQ",
    "KP-SEQ-NEG",         "KP-SESSION-ERR",   "KP-STATIC-FENCED",   "KP-TOO-LARGE",
    "KP-TOO-LARGE-SPLIT", "KP-TOPIC-ID-ZERO", "KP-TOPIC-RECREATED", "KP-ZSTD-VER"};

/// A code that a newer Kafka, or none, defines.
inline constexpr ErrorAdvice unknown_error{0,
                                           "unknown error",
                                           Severity::warning,
                                           "unknown",
                                           "",
                                           {},
                                           "No Kafka up to 4.4 has this code: see the server's documentation."};

template <Severity severity>
class ErrorRule : public Rule {
 public:
  using Rule::Rule;

  void on_error(const ErrorSeen& e) override {
    const Response* const r = frames().response;
    if (!r || !r->matched) return;
    const std::string api = api_text(r->api, r->api_key);
    const ErrorAdvice* known = error_advice(e.code);
    const ErrorAdvice& a = known ? *known : unknown_error;
    if (a.in(api) != severity) return;
    const bool has_topic = !e.topic.name.empty() || e.topic.id;
    const std::string name = has_topic ? topic(e.topic) : std::string();
    const std::string cause = api + ' ' + std::to_string(e.code);
    hit({.topic = name, .partition = e.partition, .group = e.group, .api = api, .cause = cause, .instead = &a.instead},
        [&](Text& t) {
          t << api << " to " << conn().server() << " answered " << a.name << " (" << e.code << ") for "
            << About{name, e.partition, e.group} << ": " << a.advice;
        });
  }
};

}  // namespace kparse::lint
