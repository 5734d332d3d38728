// SPDX-License-Identifier: MIT
#include <iterator>
#include <map>
#include <string>

#include "kparse/connection.h"
#include "talk.h"
#include "targets.h"

namespace kparse::fuzz {
namespace {

/// What was heard, without the packets: in how many pieces the bytes came must not matter.
class Heard final : public ConnectionHandler {
 public:
  std::string all;
  bool searched = false;  ///< for a frame: when that ends is decided by what is there by then

  void on_resync(Side, std::uint64_t, Stamp) override { searched = true; }
  void on_not_a_frame(const NotAFrame& n) override { searched = searched || n.kafka; }

  void on_request(const Request& r) override {
    frame("request", r.frame);
    number(r.api_key), number(r.version), number(r.correlation_id), number(static_cast<std::int64_t>(r.serial));
    KPARSE_HOLDS(inside(r.body, r.frame.data));
    KPARSE_HOLDS(inside({reinterpret_cast<const std::uint8_t*>(r.client_id.data()), r.client_id.size()}, r.frame.data));
  }
  void on_response(const Response& r) override {
    frame("response", r.frame);
    number(r.matched), number(r.api_key), number(r.version), number(r.correlation_id);
    KPARSE_HOLDS(inside(r.body, r.frame.data));
  }
  void on_sasl(const SaslToken& t) override { frame("sasl", t.frame); }
  void on_gap(const Gap& g) override {
    all += "\ngap";
    number(g.from == Side::client), number(static_cast<std::int64_t>(g.offset)), number(static_cast<std::int64_t>(g.bytes)), number(g.cut);
  }
  void on_other(Side from, std::string_view what, Stamp) override {
    // Once it is Kafka, only what the first piece shows of another protocol gives it a name.
    if (ends_[0].empty() && ends_[1].empty()) (all += "\nother ") += what, number(from == Side::client);
  }
  void on_unanswered(std::uint64_t serial) override { all += "\nunanswered", number(static_cast<std::int64_t>(serial)); }
  void on_oriented(int client, bool guessed) override { all += "\nclient", number(client), number(guessed); }

 private:
  static bool inside(Bytes part, Bytes of) {
    return part.empty() || (part.data() >= of.data() && part.data() + part.size() <= of.data() + of.size());
  }
  void number(std::int64_t n) { (all += ' ') += std::to_string(n); }
  void frame(const char* what, const Frame& f) {
    (all += '\n') += what;
    number(f.from == Side::client), number(static_cast<std::int64_t>(f.offset)), number(f.size);
    number(static_cast<std::int64_t>(f.data.size())), number(static_cast<std::int64_t>(f.error.code));
    KPARSE_HOLDS(f.data.size() <= f.size);
    KPARSE_HOLDS(!f.whole() || f.data.size() == f.size);
    // Not always in order: an answer may wait for its request. But never over one another.
    auto& ends = ends_[f.from == Side::client];
    const auto after = ends.lower_bound(f.offset);
    KPARSE_HOLDS(after == ends.end() || after->first >= f.offset + 4 + f.data.size());
    KPARSE_HOLDS(after == ends.begin() || std::prev(after)->second <= f.offset);
    ends[f.offset] = f.offset + 4 + f.data.size();
  }
  std::map<std::uint64_t, std::uint64_t> ends_[2];
};

/// `piece`: 0 as they come.
Heard play(const Talk& talk, std::size_t piece) {
  Heard heard;
  Connection connection({.trust_port = talk.trust_port, .max_frame = 1u << 20, .max_pending = 64}, heard);
  Stamp now{.time_ns = 1, .packet = 0};
  std::uint64_t offset[2] = {};
  if (talk.syn) connection.syn_from(0);
  connection.set_higher_port(0);
  for (const Step& step : talk.steps) {
    now.time_ns += 1000;
    ++now.packet;
    std::uint64_t& at = offset[step.direction];
    switch (step.kind) {
      case Step::Kind::data:
        for (std::size_t from = 0; from < step.bytes.size();) {
          const std::string some = step.bytes.substr(from, piece == 0 ? std::string::npos : piece);  // its own memory
          connection.data(step.direction, at, {reinterpret_cast<const std::uint8_t*>(some.data()), some.size()}, now, now);
          at += some.size();
          from += some.size();
        }
        break;
      case Step::Kind::gap:
      case Step::Kind::cut:
        connection.gap(step.direction, at, step.size, step.kind == Step::Kind::cut, now);
        at += step.size;
        break;
      case Step::Kind::end:
        connection.end(step.direction, now);
        break;
      case Step::Kind::settle:
        connection.settle(now);
    }
  }
  connection.finish(now);
  return heard;
}

}  // namespace

namespace {

void same(const Heard& pieces, const Heard& whole) {
  if (pieces.all == whole.all || pieces.searched || whole.searched) return;
  std::fprintf(stderr, "in pieces:%s\n\nas it came:%s\n", pieces.all.c_str(), whole.all.c_str());
  KPARSE_HOLDS(pieces.all == whole.all);
}

}  // namespace

void frames(Bytes input) {
  const Talk talk = read_talk(input);
  const Heard whole = play(talk, 0);
  if (!talk.syn) {  // where a packet begins and ends then tells what the bytes are
    (void)play(talk, 7);
    return;
  }
  if (input.size() <= 4096) same(play(talk, 1), whole);
  same(play(talk, 7), whole);
}

}  // namespace kparse::fuzz
