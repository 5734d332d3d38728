// SPDX-License-Identifier: MIT
// Missing bytes: what is known of them, and how records go on behind them.
#include <gtest/gtest.h>

#include "support.h"

namespace kparse {
namespace {

using test::cat;
using test::Peer;
using test::Talk;

struct Opened {
  explicit Opened(Peer::Options o) : peer(std::move(o)), talk(log) {
    log.add_text(peer.key_log());
    test::say_hello(peer, talk);
  }
  KeyLog log;
  Peer peer;
  Talk talk;
};

const Peer::Options tls13{.suite = 0x1301}, gcm12{.suite = 0xc02f, .tls13 = false},
    chacha12{.suite = 0xcca8, .tls13 = false}, cbc12{.suite = 0xc027, .tls13 = false};

TEST(TlsGap, inside_a_record) {
  for (const auto& [options, size] :
       {std::pair{tls13, "1000 likely"}, {gcm12, "1000 likely"}, {chacha12, "1000 likely"}, {cbc12, "? unknown"}}) {
    Opened o(options);
    o.talk.send(1, o.peer.data(1, "before"));
    const std::string record = o.peer.data(1, std::string(1000, 'x'));
    o.talk.send(1, record.substr(0, 200));
    o.talk.lose(1, 300);
    o.talk.send(1, record.substr(500) + o.peer.data(1, "behind"));
    EXPECT_EQ(o.talk.inner[1], "beforebehind");
    EXPECT_EQ(o.talk.gaps, std::string("1 @6 ") + size + " wire 300; ") << options.suite;
    EXPECT_EQ(o.talk.info().server.found_again, 0u);
  }
}

TEST(TlsGap, many_records_and_parts_of_two) {
  for (const auto& options : {tls13, gcm12, chacha12, cbc12}) {
    Opened o(options);
    const std::string before = o.peer.data(1, "before");
    std::string stream;
    for (int i = 0; i < 50; ++i) stream += o.peer.data(1, std::string(static_cast<std::size_t>(20 + i), 'x'));
    o.talk.send(1, before + stream.substr(0, 70));
    o.talk.lose(1, stream.size() - 130);
    o.talk.send(1, stream.substr(stream.size() - 60));  // ends in the middle of the last one
    o.talk.send(1, cat({o.peer.data(1, "behind"), o.peer.data(1, "!")}));
    const std::string& inner = o.talk.inner[1];
    EXPECT_EQ(inner.substr(inner.size() - 7), "behind!") << options.suite;
    EXPECT_EQ(inner.substr(0, 6), "before");
    EXPECT_EQ(o.talk.info().server.found_again, 1u);
    EXPECT_NE(o.talk.gaps.find("wire " + std::to_string(stream.size() - 130)), std::string::npos) << o.talk.gaps;
    const bool exact = o.talk.gaps.find("likely") != std::string::npos;
    EXPECT_EQ(exact, options.suite != cbc12.suite) << o.talk.gaps;
  }
}

TEST(TlsGap, the_number_of_missing_bytes_is_right_where_nothing_unusual_was_among_them) {
  for (const auto& options : {tls13, gcm12, chacha12}) {
    Opened o(options);
    std::string stream;
    std::size_t inner = 0;
    for (int i = 0; i < 30; ++i) {
      stream += o.peer.data(0, std::string(static_cast<std::size_t>(100 * i + 1), 'x'));
      inner += static_cast<std::size_t>(100 * i + 1);
    }
    o.talk.lose(0, stream.size());
    o.talk.send(0, o.peer.data(0, "behind"));
    EXPECT_EQ(o.talk.inner[0], "behind");
    // Of TLS 1.3 and TLS 1.2 alike: the Finished went before.
    EXPECT_EQ(o.talk.gaps, "0 @0 " + std::to_string(inner) + " likely wire " + std::to_string(stream.size()) + "; ");
  }
}

TEST(TlsGap, lost_key_updates) {
  for (const int updates : {1, 2, 3}) {
    Opened o(tls13);
    o.talk.send(1, o.peer.data(1, "before"));
    std::string lost;
    for (int i = 0; i < updates; ++i) {
      lost += cat({o.peer.data(1, "x"), o.peer.seal(1, 22, Peer::message(24, std::string_view("\0", 1)))});
      o.peer.update_keys(1);
    }
    lost += o.peer.data(1, "y");
    o.talk.lose(1, lost.size());
    o.talk.send(1, o.peer.data(1, "behind"));
    EXPECT_EQ(o.talk.inner[1], "beforebehind") << updates;
    EXPECT_NE(o.talk.gaps.find("unknown"), std::string::npos);
    EXPECT_EQ(o.talk.info().server.key_updates, static_cast<std::uint32_t>(updates));
    std::string more = o.peer.seal(1, 22, Peer::message(24, std::string_view("\0", 1)));
    o.peer.update_keys(1);
    o.talk.send(1, more + o.peer.data(1, "!"));
    EXPECT_EQ(o.talk.inner[1], "beforebehind!");
  }
}

TEST(TlsGap, in_the_handshake_costs_no_data) {
  for (const auto& options : {tls13, gcm12, chacha12, cbc12}) {
    Peer p(options);
    std::vector<std::pair<int, std::string>> flights;
    p.handshake([&](int side, const std::string& f) { flights.emplace_back(side, f); });
    flights.emplace_back(0, p.data(0, "ping"));
    flights.emplace_back(1, p.data(1, "pong"));
    for (std::size_t lost = 0; lost < flights.size(); ++lost) {
      const std::string& f = flights[lost].second;
      const bool hello = lost < 2, data = lost + 2 >= flights.size();
      if (data) continue;
      // All of a flight but what tells of randoms and the suite.
      const std::size_t keep = !hello ? 0 : lost == 0 ? 80 : p.server_hello().size();
      KeyLog log;
      log.add_text(p.key_log());
      Talk t(log);
      for (std::size_t i = 0; i < flights.size(); ++i) {
        const auto& [side, bytes] = flights[i];
        t.send(side, i == lost ? bytes.substr(0, keep) : bytes);
        if (i == lost && f.size() > keep) t.lose(side, f.size() - keep);
      }
      t.finish();
      EXPECT_EQ(t.inner[0], "ping") << options.suite << " without flight " << lost;
      EXPECT_EQ(t.inner[1], "pong") << options.suite << " without flight " << lost;
      EXPECT_EQ(t.gaps.find("likely"), std::string::npos) << t.gaps;
    }
  }
}

TEST(TlsGap, the_server_hello_is_missing) {
  for (const std::uint16_t suite : {0x1301, 0x1302, 0x1303}) {
    Peer p({.suite = suite});
    KeyLog log;
    log.add_text(p.key_log());
    Talk t(log);
    std::vector<std::pair<int, std::string>> flights;
    p.handshake([&](int side, const std::string& f) { flights.emplace_back(side, f); });
    t.send(0, flights[0].second);
    t.lose(1, p.server_hello().size());
    t.send(1, flights[1].second.substr(p.server_hello().size()));
    t.send(0, flights[2].second);
    t.send(0, p.data(0, "ping"));
    t.send(1, p.data(1, "pong"));
    EXPECT_EQ(t.inner[0] + t.inner[1], "pingpong");
    EXPECT_EQ(t.info().version, 0x0304);
    EXPECT_EQ(t.info().suite, suite);
  }
}

TEST(TlsGap, one_direction_only) {
  Peer p({});
  KeyLog log;
  log.add_text(p.key_log());
  Talk t(log);
  p.handshake([&t](int side, const std::string& f) {
    if (side == 0) t.send(side, f);
  });
  t.send(0, p.data(0, "ping"));
  t.finish();
  EXPECT_EQ(t.inner[0], "ping");
}

TEST(TlsGap, at_the_end_is_told) {
  Opened o(tls13);
  o.talk.send(0, o.peer.data(0, "ping"));
  o.talk.lose(1, 500);
  o.talk.finish();
  EXPECT_EQ(o.talk.gaps, "1 @0 ? unknown wire 500; ");
}

TEST(TlsGap, trying_is_bounded) {
  Opened o(tls13);
  o.talk.send(1, o.peer.data(1, "before"));
  std::string last;
  for (int i = 0; i < 70'000; ++i) last = o.peer.data(1, "x");
  o.talk.lose(1, 70'000ull * last.size());
  o.talk.send(1, o.peer.data(1, std::string(16'000, 'y')));  // too far to be found for what has been seen
  EXPECT_EQ(o.talk.inner[1], "before");
  for (int i = 0; i < 1000; ++i) o.talk.send(1, o.peer.data(1, std::string(16'000, 'y')));
  o.talk.finish();
  EXPECT_EQ(o.talk.inner[1], "before");
  EXPECT_EQ(o.talk.info().server.why, TlsSealed::lost);
  EXPECT_GT(o.talk.info().server.sealed, 1'000'000u);
}

TEST(TlsGap, each_byte_knows_its_packet) {
  Opened o(tls13);
  o.talk.carried.clear();
  const std::string record = o.peer.data(1, std::string(1000, 'x'));
  o.talk.send(1, record.substr(0, 3));    // packet 4: after three of the handshake
  o.talk.send(1, record.substr(3, 102));  // header's end and 100 bytes
  o.talk.send(1, record.substr(105, 500));
  o.talk.send(1, record.substr(605));  // 400 bytes, type and tag
  EXPECT_EQ(o.talk.carried, "5:100 6:500 7:400; ");
}

}  // namespace
}  // namespace kparse
