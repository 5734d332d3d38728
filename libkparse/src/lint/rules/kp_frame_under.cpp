// SPDX-License-Identifier: MIT
#include "lint/rule.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-NULL-ARRAY",   "KP-NULL-STRING", "KP-NULL-RECORDS", "KP-TAGBUF",
                                        "KP-VARINT-RANGE", "KP-APIV-HDR",    "KP-APIV-FALLBACK"};

class Under final : public Rule {
 public:
  using Rule::Rule;

  void end_request(const Conn&, const Request& r, const Error& e) override {
    if (r.frame.whole() && r.known && r.header_whole) look(e);
  }
  void end_response(const Conn&, const Response& r, const Error& e) override {
    if (r.frame.whole() && r.matched && r.known && r.header_whole) look(e);
  }

 private:
  void look(const Error& e) {
    const bool past = e.code == Code::truncated || e.code == Code::badCount || e.code == Code::badLength;
    if (!past || e.need <= e.have) return;
    const Subject s = subject(frames());
    const std::string what = s.text() + (s.answer ? " answer" : ""), cause = what + ' ' + path(e.node);
    hit({.cause = cause}, [&](Text& t) {
      if (e.code == Code::truncated) {
        t << what << " ends " << e.need - e.have << " bytes before field " << path(e.node) << " at offset " << e.offset
          << " is complete.";
      } else {
        t << what << ": field " << path(e.node) << " at offset " << e.offset << " wants to be " << e.need
          << (e.code == Code::badCount ? " elements" : " bytes") << " long, " << e.have << " bytes are left.";
      }
    });
  }
};

}  // namespace

KPARSE_RULE(kp_frame_under, Under, .id = "KP-FRAME-UNDER", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "A field of a whole frame, of an API and version that are known, reaches beyond the frame's end, and "
                         "no rule says more of it.",
            .why = "The sender left out a field or wrote a wrong length, or the answer's version isn't the request's.",
            .fix = "Check the named field in the sender's encoder; for ApiVersions see KP-APIV-FALLBACK.",
            .example = "Heartbeat v0 ends 3 bytes before field memberId at offset 9 is complete.",
            .sources = "Kafka's message schemas", .instead = instead);

}  // namespace kparse::lint
