// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/rule.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::string_view better[] = {"KP-APIV-HDR", "KP-TAGBUF"};

class Trail final : public Rule {
 public:
  using Rule::Rule;

  void on_note(const Note& n, Bytes body) override {
    if (n.rule != Note::Rule::surplusBytes || n.have == 0 || n.have > body.size()) return;
    const Bytes rest = body.last(static_cast<std::size_t>(n.have));
    const Subject s = subject(frames());
    const bool zeros = rest.size() == 4 && std::all_of(rest.begin(), rest.end(), [](std::uint8_t b) { return b == 0; });
    if (s.api_key == 18 && s.version == 0 && !s.answer && zeros) return;   // librdkafka 0.11
    const std::string what = s.text(), cause = what + (s.answer ? " answer" : "");
    hit({.cause = cause}, [&](Text& t) {
      t << what << (s.answer ? " answer" : "") << " has " << rest.size() << " bytes left over after its last field: "
        << Hex{rest} << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_frame_trail, Trail, .id = "KP-FRAME-TRAIL", .severity = Severity::warning, .scope = RuleScope::frame,
            .condition = "A whole frame has bytes behind its last field. Not an ApiVersions v0 request with four zero bytes "
                         "(librdkafka 0.11), nor a SASL token.",
            .why = "The sender encodes another version than it announces, or adds something. Brokers ignore it in "
                   "requests, other readers may not.",
            .fix = "Compare the sender's encoder with the schema of that version.",
            .example = "Heartbeat v0 has 3 bytes left over after its last field: 01 02 03.",
            .sources = "librdkafka 0.11: ApiVersions v0", .instead = better);

}  // namespace kparse::lint
