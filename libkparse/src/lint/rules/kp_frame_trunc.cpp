// SPDX-License-Identifier: MIT
#include "lint/kafka_servers.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

class Trunc final : public Rule {
 public:
  using Rule::Rule;

  void end_request(const Conn& c, const Request& r, const Error&) override {
    look(c, r.frame, r.api_key < 0 ? "Request" : api_text(r.api, r.api_key));
  }
  void end_response(const Conn& c, const Response& r, const Error&) override {
    look(c, r.frame, r.matched ? api_text(r.api, r.api_key) : "Response");
  }

 private:
  void look(const Conn& c, const Frame& f, const std::string& what) {
    if (f.error.code != Code::cut || c.lost[static_cast<std::size_t>(f.from)]) return;
    hit({.cause = name_of_side(f.from)}, [&](Text& t) {
      t << what << " frame ends early: " << f.size - f.data.size() << " of " << f.size << " bytes never came (";
      const Side other = f.from == Side::client ? Side::server : Side::client;
      if (c.how_ended(f.from) == End::fin) {
        t << "its sender ended the stream";
      } else if (c.how_ended(f.from) == End::rst || c.how_ended(other) == End::rst) {
        t << "the connection was reset";
      } else if (c.how_ended(other) == End::fin) {  // what came after, a closed socket answers with RST
        t << "its receiver had closed";
      } else {
        t << "the capture ends";
      }
      t << ").";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_frame_trunc, Trunc, .id = "KP-FRAME-TRUNC", .severity = Severity::notice, .scope = RuleScope::frame,
            .condition = "FIN, RST or the capture's end comes inside a frame, and none of that direction's bytes before it "
                         "are missing in the capture.",
            .why = "The last frame of a client that closes, or of a capture, is often cut. Its fields behind the cut aren't "
                   "shown.",
            .fix = "Nothing, if the capture just ended; otherwise see who closed.",
            .example = "Metadata frame ends early: 92 of 100 bytes never came (its sender ended the stream).",
            .sources = "librdkafka ends with a partial frame", .healthy = true);

}  // namespace kparse::lint
