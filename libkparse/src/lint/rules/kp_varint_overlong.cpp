// SPDX-License-Identifier: MIT
#include "lint/header_tags.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class VarintOverlong final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn&, const Request& r) override { header(header_tags(r)); }
  void begin_response(const Conn&, const Response& r) override { header(header_tags(r)); }

  void on_overlong(NodeId node, Bytes encoding, Bytes) override {
    if (encoding.size() > 1 && encoding.back() == 0) say(path(node), encoding);
  }

  void end_batch(const RecordsSeen& seen, const BatchFacts& b, const Error&) override {
    const OddVarints::Found& f = b.odd_varints.overlong;
    if (f.encoding.empty()) return;
    const std::string name = topic(seen.topic);
    say(f.where, f.encoding, name, seen.partition);
  }

 private:
  /// Only their count: what tags say is nobody's business here.
  void header(Bytes tags) {
    if (tags.size() < 2 || tags[0] < 0x80) return;
    std::size_t n = 1;
    while (n < tags.size() && n < 5 && tags[n - 1] >= 0x80) ++n;
    if (tags[n - 1] == 0) say("the header", tags.first(n));
  }

  void say(const std::string& where, Bytes encoding, std::string_view topic_name = {}, std::int32_t partition = -1) {
    std::size_t needed = encoding.size() - 1;
    while (needed > 1 && (encoding[needed - 1] & 0x7f) == 0) --needed;
    const std::string cause = subject(frames()).text() + ' ' + where;
    hit({.topic = topic_name, .partition = partition, .cause = cause}, [&](Text& t) {
      t << "Variable-length number at " << where << " is written with " << encoding.size() << " bytes where " << needed
        << (needed == 1 ? " does." : " do.");
    });
  }
};

}  // namespace

KPARSE_RULE(kp_varint_overlong, VarintOverlong, .id = "KP-VARINT-OVERLONG", .severity = Severity::notice,
            .scope = RuleScope::frame,
            .condition = "A variable-length number has more bytes than it needs: its last byte is 0 and isn't its only one. In "
                         "records: of a batch's first two; after 4096 batches, of one in 16.",
            .why = "Legal for readers, but no known Kafka software writes it.", .fix = "Write varints as short as they go.",
            .example = "Variable-length number at topics is written with 2 bytes where 1 does.",
            .sources = "Protocol Buffers' encoding, which Kafka's varints follow");

}  // namespace kparse::lint
