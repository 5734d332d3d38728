// SPDX-License-Identifier: MIT
#include "lint/big_requests.h"

namespace kparse::lint {
namespace {

class Big final : public BigRequestRule {
 public:
  using BigRequestRule::BigRequestRule;

  void judge(const Conn& c, const BigRequest& b) override {
    if (!b.refused) return;
    hit({.api = b.asked.api ? b.asked.api->name : std::string_view{}, .conn = &c, .at = &b.asked.first}, [&](Text& t) {
      t << "Request " << api_text(b.asked.api, b.asked.api_key) << " of " << b.asked.size
        << " bytes exceeds the broker's socket.request.max.bytes (" << Decimal{option(0), 0}
        << "); the broker closed the connection.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_frame_big_req, Big, .id = "KP-FRAME-BIG-REQ", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "A request's size is above socket-request-max, and the server closes the connection (FIN or RST) "
                         "without an answer to it.",
            .why = "The broker refuses by the size alone, before it reads, so no error code reaches the client. "
                   "message.max.bytes isn't the limit that was hit.",
            .fix = "Lower max.request.size or batch.size in the client, or raise socket.request.max.bytes on the broker.",
            .example = "Request Metadata of 20 bytes exceeds the broker's socket.request.max.bytes (19); the "
                       "broker closed the connection.",
            .sources = "metersphere#33006", .options = big_request_options);

}  // namespace kparse::lint
