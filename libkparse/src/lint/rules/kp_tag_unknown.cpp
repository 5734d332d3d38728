// SPDX-License-Identifier: MIT
#include "lint/header_tags.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class TagUnknown final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn&, const Request& r) override { header(header_tags(r)); }
  void begin_response(const Conn&, const Response& r) override { header(header_tags(r)); }

  void on_unknown_tag(NodeId node, std::uint32_t tag, Bytes value, Bytes) override {
    if (repeated(node, tag, subject(frames()).version)) return;
    say(tag, value.size(), path(node));
  }

 private:
  void header(Bytes tags) {
    if (tags.size() < 3) return;   // no header has a tag in its schema
    (void)each_tag(tags, [&](std::uint32_t tag, Bytes value) { say(tag, value.size(), "the header"); });
  }

  /// One that the schema has comes this way where it stands twice.
  static bool repeated(NodeId node, std::uint32_t tag, int version) {
    const Field& s = field(node);
    for (int n = node + 1; n <= node + s.below; ++n) {
      const Field& f = field(static_cast<NodeId>(n));
      if (f.parent == node && f.tag >= 0 && static_cast<std::uint32_t>(f.tag) == tag && f.tagged.has(version)) return true;
    }
    return false;
  }

  void say(std::uint32_t tag, std::size_t size, const std::string& where) {
    const std::string what = subject(frames()).text();
    const std::string cause = what + (subject(frames()).answer ? " < " : " > ") + where + ' ' + std::to_string(tag);
    hit({.cause = cause}, [&](Text& t) {
      t << what << " has an unknown tagged field " << tag << " of " << size << " bytes in " << where << ".";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_tag_unknown, TagUnknown, .id = "KP-TAG-UNKNOWN", .severity = Severity::info, .scope = RuleScope::frame,
            .condition = "A tagged field's number isn't in the schema of that version.",
            .why = "Legal: readers skip it. The peer is newer than this program, or uses a private extension.",
            .fix = "Nothing.",
            .example = "Metadata v12 has an unknown tagged field 7 of 3 bytes in MetadataRequest.",
            .sources = "KIP-482",
            .healthy = true);

}  // namespace kparse::lint
