// SPDX-License-Identifier: MIT
// Bytes that nobody sane sends. AddressSanitizer is the judge; and nothing that wasn't said may come out.
#include <gtest/gtest.h>

#include <random>

#include "fuzz.h"
#include "support.h"

namespace kparse {
namespace {

using test::Peer;
using test::Talk;

std::vector<std::pair<int, std::string>> conversation(Peer& p) {
  std::vector<std::pair<int, std::string>> all;
  p.handshake([&](int side, const std::string& f) { all.emplace_back(side, f); });
  for (int i = 0; i < 4; ++i) {
    all.emplace_back(0, p.data(0, "request " + std::to_string(i) + ";"));
    all.emplace_back(1, p.data(1, "answer " + std::to_string(i) + ";"));
  }
  return all;
}

TEST(TlsHostile, flipped_bytes_never_give_other_data) {
  for (const std::uint16_t suite : {0x1301, 0xc02f, 0xc027, 0xcca8}) {
    Peer p({.suite = suite, .tls13 = suite == 0x1301});
    const auto flights = conversation(p);
    KeyLog log;
    log.add_text(p.key_log());
    std::mt19937 random(suite);
    for (int round = 0; round < 2000; ++round) {
      auto changed = flights;
      for (unsigned n = random() % 3 + 1; n > 0; --n) {
        std::string& f = changed[random() % changed.size()].second;
        switch (random() % 4) {
          case 0:
            f[random() % f.size()] = static_cast<char>(random());
            break;
          case 1:
            f.resize(random() % f.size() + 1);
            break;
          case 2:
            f.insert(random() % f.size(), std::string(random() % 40, static_cast<char>(random())));
            break;
          default:
            f[random() % std::min<std::size_t>(f.size(), 60)] ^= 0x80;
            break;
        }
      }
      Talk t(log);
      for (const auto& [side, f] : changed) {
        if (random() % 50 == 0) t.lose(side, random() % 2000);
        t.send(side, f);
      }
      t.finish();
      // Only whole pieces, in order.
      for (const int side : {0, 1}) {
        std::size_t at = 0;
        int last = -1;
        const std::string what = side == 0 ? "request " : "answer ", &inner = t.inner[side];
        while (at < inner.size()) {
          ASSERT_EQ(inner.compare(at, what.size(), what), 0) << inner;
          const int n = inner[at + what.size()] - '0';
          ASSERT_GT(n, last) << inner;
          ASSERT_EQ(inner[at + what.size() + 1], ';');
          last = n;
          at += what.size() + 2;
        }
      }
    }
  }
}

TEST(TlsHostile, randoms_through_the_fuzz_targets) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string s(random() % 600, '\0');
    for (char& c : s)
      c = static_cast<char>(random() % 4 == 0 ? random() : "\x16\x03\x03\x00\x17\x14\x01"[random() % 7]);
    fuzz::records(test::bytes(s));
    fuzz::key_log(test::bytes(s));
  }
}

/// What fuzzing found worth keeping: inputs, each behind its length of two bytes.
void replay(const char* corpus, void (*target)(Bytes)) {
  const std::string all = test::read_data(corpus);
  std::size_t inputs = 0;
  for (std::size_t at = 0; at + 2 <= all.size(); ++inputs) {
    const std::size_t n = load_be<std::uint16_t>(test::bytes(all).data() + at);
    ASSERT_LE(at + 2 + n, all.size());
    const std::string input = all.substr(at + 2, n);  // memory of its own: AddressSanitizer sees its end
    target(test::bytes(input));
    at += 2 + n;
  }
  EXPECT_GE(inputs, 100u);
}

TEST(TlsHostile, the_corpus_of_the_fuzz_targets) {
  replay("records.corpus", fuzz::records);
  replay("key_log.corpus", fuzz::key_log);
}

TEST(TlsHostile, a_message_of_sixteen_megabytes_is_not_kept) {
  KeyLog log;
  Talk t(log);
  Peer p({});
  t.send(0, p.client_hello());
  const std::string head = test::unhex("0bffffff");
  t.send(1, Peer::plain(22, head + std::string(16'000, 'c')));
  for (int i = 0; i < 1100; ++i) t.send(1, Peer::plain(22, std::string(16'000, 'c')));
  t.finish();
  EXPECT_EQ(t.inner[1], "");
}

}  // namespace
}  // namespace kparse
