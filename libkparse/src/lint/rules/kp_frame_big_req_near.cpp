// SPDX-License-Identifier: MIT
#include "lint/big_requests.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-FRAME-BIG-REQ"};

class Near final : public BigRequestRule {
 public:
  using BigRequestRule::BigRequestRule;

  void judge(const Conn& c, const BigRequest& b) override {
    if (b.refused) return;
    hit({.api = b.asked.api ? b.asked.api->name : std::string_view{}, .conn = &c, .at = &b.asked.first}, [&](Text& t) {
      t << "Request " << api_text(b.asked.api, b.asked.api_key) << " of " << b.asked.size
        << " bytes is larger than the default socket.request.max.bytes (" << Decimal{option(0), 0} << ").";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_frame_big_req_near, Near, .id = "KP-FRAME-BIG-REQ-NEAR", .severity = Severity::warning,
            .scope = RuleScope::frame,
            .condition = "A request's size is above socket-request-max, and it is answered or the connection stays open.",
            .why = "This broker allows it; another, or one with the default, would close the connection.",
            .fix = "Keep requests below 100 MiB unless every broker's limit is raised.",
            .example = "Request Metadata of 20 bytes is larger than the default socket.request.max.bytes (19).",
            .sources = "metersphere#33006", .options = big_request_options, .instead = instead);

}  // namespace kparse::lint
