// SPDX-License-Identifier: MIT
#include <algorithm>

#include "kparse/text.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::string_view instead[] = {"KP-TAGBUF"};

class Utf8 final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn&, const Request& r) override {
    if (r.client_id.empty() || r.client_id.find('\0') != r.client_id.npos || plain_utf8(r.client_id)) return;
    say("clientId", {reinterpret_cast<const std::uint8_t*>(r.client_id.data()), r.client_id.size()});
  }

  bool wants_header(std::string_view name) override {
    return !name.empty() && name.find('\0') == name.npos && !plain_utf8(name);
  }
  void on_header(const RecordsSeen& seen, const Batch&, const HeaderSeen& h) override {
    const std::string name = topic(seen.topic);
    const std::string_view header = h.header.name;
    say("a record header's name", {reinterpret_cast<const std::uint8_t*>(header.data()), header.size()}, name,
        seen.partition);
  }

  void on_note(const Note& n, Bytes body) override {
    if (n.rule != Note::Rule::badUtf8 || n.node == no_node) return;
    // The note tells where the value begins with its length, and the bytes of text in it.
    const std::size_t at = std::min<std::size_t>(body.size(), static_cast<std::size_t>(n.offset));
    Bytes value = body.subspan(at);
    const std::size_t prefix = prefix_of(value, static_cast<std::size_t>(n.have));
    value = value.subspan(std::min(prefix, value.size()));
    say(path(n.node), value.first(std::min<std::size_t>(value.size(), static_cast<std::size_t>(n.have))));
  }

 private:
  /// A length of two bytes, or a varint of it and one more.
  static std::size_t prefix_of(Bytes b, std::size_t size) {
    if (b.size() >= 2 && load_be<std::uint16_t>(b.data()) == size && size + 1 != b[0]) return 2;
    std::size_t n = 1;
    while (n < b.size() && n < 5 && b[n - 1] >= 0x80) ++n;
    return n;
  }

  void say(const std::string& where, Bytes value, std::string_view topic_name = {}, std::int32_t partition = -1) {
    const std::string what = subject(frames()).text(), cause = what + ' ' + where;
    hit({.topic = topic_name, .partition = partition, .cause = cause},
        [&](Text& t) { t << what << ": " << where << " isn't valid UTF-8: " << Hex{value, 32} << "."; });
  }
};

}  // namespace

KPARSE_RULE(kp_utf8, Utf8, .id = "KP-UTF8", .severity = Severity::warning, .scope = RuleScope::frame,
            .condition = "A string field (not bytes; of records the names of headers only) isn't valid UTF-8.",
            .why = "Java reads it with replacement characters, others throw; names no longer match.",
            .fix = "Write UTF-8.",
            .example = "Metadata v4: topics.name isn't valid UTF-8: 6f 72 64 e9 72 73.",
            .sources = "Kafka's protocol guide: strings are UTF-8", .instead = instead);

}  // namespace kparse::lint
