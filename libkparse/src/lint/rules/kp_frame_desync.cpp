// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/kafka_servers.h"
#include "lint/rule.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"max-frame", 104857600, "bytes", "a larger size field of printable letters is text"}};
constexpr std::string_view instead[] = {"KP-FRAME-HTTP", "KP-FRAME-TLS"};

class Desync final : public Rule {
 public:
  using Rule::Rule;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.frame.whole()) good_[c][0] = {r.api, r.api_key, r.version, r.frame.first.packet};
  }
  void begin_response(const Conn& c, const Response& r) override {
    if (r.frame.whole()) good_[c][1] = {r.api, r.api_key, r.request_version, r.frame.first.packet};
  }
  void on_resync(const Conn& c, Side s, std::uint64_t) override { good_[c][static_cast<std::size_t>(s)].lost = true; }

  void on_not_a_frame(const Conn& c, const NotAFrame& n) override {
    const Good& last = good_[c][static_cast<std::size_t>(n.from)];
    if (!n.kafka || last.packet == 0 || last.lost || c.lost[static_cast<std::size_t>(n.from)] || n.bytes.size() < 4) return;
    const auto size = load_be<std::int32_t>(n.bytes.data());
    const bool letters =
        std::all_of(n.bytes.begin(), n.bytes.begin() + 4, [](std::uint8_t b) { return b >= 0x20 && b < 0x7f; });
    if (size >= 0 && (size <= option(0) || !letters)) return;
    hit({.cause = name_of_side(n.from), .at = &n.at}, [&](Text& t) {
      t << "Frame alignment of " << name_of_side(n.from) << " " << address_of(c, n.from) << " lost at stream offset "
        << n.offset << ": size field is " << size;
      if (letters) t << " (\"" << Quoted{text(n.bytes.first(4))} << "\")";
      t << "; the last good frame is ";
      if (last.key >= 0) {
        t << api_text(last.api, last.key) << " v" << last.version;
      } else {
        t << "an answer to an unknown request";
      }
      t << " in packet " << last.packet << ".";
    });
  }
  void on_close(const Conn& c, const Stamp&) override { good_.drop(c); }

 private:
  struct Good {
    const Api* api = nullptr;
    std::int16_t key = -1, version = -1;
    std::uint64_t packet = 0;
    bool lost = false;
  };
  PerConn<std::array<Good, 2>> good_;
};

}  // namespace

KPARSE_RULE(kp_frame_desync, Desync, .id = "KP-FRAME-DESYNC", .severity = Severity::error,
            .scope = RuleScope::connection,
            .condition = "After at least one good frame of that direction, and with nothing of it missing in the capture, the "
                         "size field is negative, or above max-frame with four printable letters that are no word of "
                         "KP-FRAME-HTTP.",
            .why = "Payload stands where a length should be: the sender wrote fewer or more bytes than it announced, or two "
                   "threads wrote at once.",
            .fix = "Look at the last good frame: its announced size and its real end differ. Report it to the sender's "
                   "library.",
            .example = "Frame alignment of client 10.0.0.1:50000 lost at stream offset 24: size field is "
                       "1819239265 (\"loca\"); the last good frame is Metadata v4 in packet 4.",
            .sources = "librdkafka#1955", .options = options, .instead = instead);

}  // namespace kparse::lint
