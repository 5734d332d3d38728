// SPDX-License-Identifier: MIT
#include "lint/header_tags.h"

namespace kparse::lint {
namespace {

class ApiVersionsHeader final : public Rule {
 public:
  using Rule::Rule;

  void begin_response(const Conn& c, const Response& r) override {
    if (r.api_key != 18 || !r.matched || r.request_version < 3 || !r.frame.whole() || r.frame.data.size() < 6) return;
    const Message& m = *r.api->response;
    const Bytes rest = r.frame.data.subspan(4);
    if (exactly(m, r.version, rest) || exactly(m, r.request_version, rest)) return;
    if (rest[0] != 0 || !exactly(m, r.request_version, rest.subspan(1))) return;
    hit({.cause = c.server(), .any_client = true}, [&](Text& t) {
      t << c.server() << " wrote a tag buffer into the header of its ApiVersions v" << r.request_version << " answer.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_apiv_hdr, ApiVersionsHeader, .id = "KP-APIV-HDR", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "An ApiVersions answer of version 3 or later can be read to its exact end only with a tag buffer in "
                         "its header, though this API's answers always have header version 0.",
            .why = "Clients read the error code one byte too early and fail to start.",
            .fix = "Server: write response header version 0 for ApiVersions in every version.",
            .example = "10.0.0.9:9092 wrote a tag buffer into the header of its ApiVersions v3 answer.",
            .sources = "KIP-511; kayrock#48");

}  // namespace kparse::lint
