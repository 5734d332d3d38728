// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "lint/header_tags.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

/// Where the tag buffer of a request's header is due: after the client id. 0: that isn't there.
std::size_t after_client_id(Bytes frame) {
  if (frame.size() < 10) return 0;
  const auto n = load_be<std::int16_t>(frame.data() + 8);
  const std::size_t at = 10 + static_cast<std::size_t>(n < 0 ? 0 : n);
  return at <= frame.size() ? at : 0;
}

class TagBuffer final : public Rule {
 public:
  using Rule::Rule;

  // Before what the answer says is told to others.
  void on_note(const Note& n, Bytes) override {
    if (n.rule != Note::Rule::surplusBytes) return;
    judged_ = true;
    if (const Request* const r = frames().request) judge(*r);
    if (const Response* const r = frames().response) judge(*r);
  }

  void end_request(const Conn&, const Request& r, const Error& e) override {
    if (!std::exchange(judged_, false) && e) judge(r);
  }
  void end_response(const Conn&, const Response& r, const Error& e) override {
    if (!std::exchange(judged_, false) && e) judge(r);
  }

  // The first byte of the body, read as a number of tags, may make it no frame at all.
  void on_not_a_frame(const Conn& c, const NotAFrame& n) override {
    if (n.from != Side::client || n.bytes.size() < 16) return;
    const auto size = load_be<std::uint32_t>(n.bytes.data());
    const Bytes frame = n.bytes.subspan(4, std::min<std::size_t>(size, n.bytes.size() - 4));
    const std::size_t at = after_client_id(frame);
    const Api* const api = at > 0 ? find_api(load_be<std::int16_t>(frame.data())) : nullptr;
    const int version = at > 0 ? load_be<std::int16_t>(frame.data() + 2) : -1;
    if (!api || !api->request || !api->request->versions.has(version) || request_header_version(*api, version) < 2) return;
    const frame::Fit fits = frame::fit(*api->request, version, frame.subspan(at), size - at);
    if (fits != frame::Fit::exact && !(fits == frame::Fit::so_far && size > frame.size())) return;
    say(api_text(api, api->key) + " v" + std::to_string(version), false, lacks,
        {.api = api->name, .conn = &c, .at = &n.at});
  }

 private:
  void judge(const Request& r) {
    if (!r.known || !r.frame.whole() || !r.api || !r.api->request) return;
    const std::size_t at = after_client_id(r.frame.data);
    if (at > 0) judge(r.frame.data.subspan(at), *r.api->request, r.version, r.header_version >= 2);
  }
  void judge(const Response& r) {
    if (!r.matched || !r.known || !r.frame.whole() || !r.api || !r.api->response || r.api_key == 18) return;
    if (r.frame.data.size() >= 4) judge(r.frame.data.subspan(4), *r.api->response, r.version, r.header_version >= 1);
  }

  /// `rest`: from where the tag buffer is, or isn't.
  void judge(Bytes rest, const Message& m, int version, bool due) {
    const Subject about = subject(frames());
    if (due) {
      if (exactly(m, version, rest)) say(about.text(), about.answer, lacks, {});
    } else if (!rest.empty() && rest[0] == 0 && exactly(m, version, rest.subspan(1))) {
      say(about.text(), about.answer, "has a tag buffer that this version doesn't have", {});
    }
  }

  void say(const std::string& what, bool answer, const char* detail, Place where) {
    where.cause = what;
    hit(where, [&](Text& t) {
      t << what << ": the " << (answer ? "answer's" : "request's") << " header " << detail
        << " (flexible versions need one, others have none).";
    });
  }

  static constexpr const char* lacks = "lacks its tag buffer";
  bool judged_ = false;
};

}  // namespace

KPARSE_RULE(kp_tagbuf, TagBuffer, .id = "KP-TAGBUF", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "A frame that can't be read to its exact end can be with a tag buffer less in its header (in a "
                         "flexible version), or with one more (in another). Not of ApiVersions answers, whose header "
                         "never has one.",
            .why = "Everything after it is shifted by one byte for a strict reader.",
            .fix = "Requests of flexible versions: header version 2, the client id as a classic nullable string, then the "
                   "tag buffer. Their answers: header version 1 with a tag buffer.",
            .example = "Metadata v12: the request's header lacks its tag buffer (flexible versions need one, others have "
                       "none).",
            .sources = "KIP-482; kafkajs#1419; redpanda#6585");

}  // namespace kparse::lint
