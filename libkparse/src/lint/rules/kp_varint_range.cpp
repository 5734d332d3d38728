// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/telling.h"

namespace kparse::lint {
namespace {

class VarintRange final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn&, const Request&) override { told_ = nullptr; }
  void begin_response(const Conn&, const Response&) override { told_ = nullptr; }
  void end_request(const Conn&, const Request& r, const Error& e) override { error(e, r.frame.whole(), r.body); }
  void end_response(const Conn&, const Response& r, const Error& e) override { error(e, r.frame.whole(), r.body); }

  void on_overlong(NodeId node, Bytes encoding, Bytes) override {
    if (encoding.size() == 5 && too_big(encoding) && encoding.data() != told_) say(path(node), encoding);
  }

  // Negative, as readers take it.
  void on_note(const Note& n, Bytes body) override {
    if (n.rule != Note::Rule::nullNotAllowed || n.node == no_node) return;
    const Bytes there = from(body, n.offset);
    if (!too_big(there)) return;
    told_ = there.data();  // it comes as what it is read as, too
    say(path(n.node), there.first(5));
  }

  void end_batch(const RecordsSeen& seen, const BatchFacts& b, const Error& e) override {
    if (const OddVarints::Found& f = b.odd_varints.too_big; !f.encoding.empty()) {
      const std::string before = f.record > 0 ? " (" + std::to_string(f.record) + " before it)" : std::string();
      return say(f.where + before, f.encoding, seen.topic, seen.partition);
    }
    if (e.code != Code::badVarint) return;
    // Inside compressed data the place counts from the first byte of what was packed.
    const Bytes all = b.batch.codec == Codec::none ? seen.records : b.batch.opened;
    say("a record (" + std::to_string(b.records) + " before it)", from(all, e.offset), seen.topic, seen.partition);
  }

 private:
  /// Four bits are left for the fifth byte of 32 bits; readers drop the others.
  static bool too_big(Bytes b) noexcept {
    return b.size() >= 5 && (b[0] & b[1] & b[2] & b[3] & 0x80) != 0 && b[4] > 0x0f && b[4] < 0x80;
  }
  static Bytes from(Bytes all, std::uint64_t offset) {
    if (offset >= all.size()) return {};
    const Bytes rest = all.subspan(static_cast<std::size_t>(offset));
    return rest.first(std::min<std::size_t>(rest.size(), 11));
  }

  void error(const Error& e, bool whole, Bytes body) {
    if (whole && e.code == Code::badVarint) say(path(e.node), from(body, e.offset).first(std::min<std::size_t>(6, from(body, e.offset).size())));
  }

  void say(const std::string& where, Bytes bytes, const TopicRef& t = {}, std::int32_t partition = -1) {
    const std::string name = t.id || !t.name.empty() ? topic(t) : std::string();
    const std::string cause = subject(frames()).text() + ' ' + (name.empty() ? where : "record");
    hit({.topic = name, .partition = partition, .cause = cause}, [&](Text& text) {
      text << "Variable-length number at " << where << " doesn't fit its type: " << Hex{bytes} << ".";
    });
  }

  const std::uint8_t* told_ = nullptr;
};

}  // namespace

KPARSE_RULE(kp_varint_range, VarintRange, .id = "KP-VARINT-RANGE", .severity = Severity::error, .scope = RuleScope::frame,
            .condition = "A variable-length number takes more than 5 bytes for 32 bits or 10 for 64, or its value doesn't "
                         "fit (in records: of a batch's first two; after 4096 batches, of one in 16). Numbers of 64 bits "
                         "(timestamp deltas) may take 10.",
            .why = "The reader can't go on; most throw.",
            .fix = "Write standard varints: unsigned in bodies, zig-zag in records, 32 bits, or 64 for timestamp deltas.",
            .example = "Variable-length number at topics doesn't fit its type: ff ff ff ff ff 01.",
            .sources = "franz-go#324; Kafka's ByteUtils");

}  // namespace kparse::lint
