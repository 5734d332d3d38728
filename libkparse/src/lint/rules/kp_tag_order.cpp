// SPDX-License-Identifier: MIT
#include "lint/header_tags.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class TagOrder final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn&, const Request& r) override { header(header_tags(r)); }
  void begin_response(const Conn&, const Response& r) override { header(header_tags(r)); }

  void on_note(const Note& n, Bytes body) override {
    if (n.rule == Note::Rule::tagOrder && n.offset < body.size())
      say(body.subspan(static_cast<std::size_t>(n.offset)), path(n.node));
  }

 private:
  void header(Bytes tags) {
    if (tags.size() < 5 || tags[0] < 2) return;
    std::int64_t before = -1;
    bool ordered = true;
    (void)each_tag(tags, [&](std::uint32_t tag, Bytes) {
      ordered = ordered && tag > before;
      before = tag;
    });
    if (!ordered) say(tags, "the header");
  }

  void say(Bytes tags, const std::string& where) {
    const std::string what = subject(frames()).text();
    const std::string cause = what + (subject(frames()).answer ? " < " : " > ") + where;
    hit({.cause = cause}, [&](Text& t) {
      t << what << ": tags ";
      int shown = 0;
      (void)each_tag(tags, [&](std::uint32_t tag, Bytes) {
        if (shown < 8) t << (shown > 0 ? ", " : "") << tag;
        if (shown++ == 8) t << ", ...";
      });
      t << " in " << where << " aren't in ascending order.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_tag_order, TagOrder, .id = "KP-TAG-ORDER", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "The numbers of the tagged fields of one struct aren't strictly ascending.",
            .why = "KIP-482 demands ascending, unique tags; strict readers refuse others.",
            .fix = "Sort tagged fields by number when writing.",
            .example = "Metadata v12: tags 5, 1 in MetadataRequest aren't in ascending order.",
            .sources = "KIP-482");

}  // namespace kparse::lint
