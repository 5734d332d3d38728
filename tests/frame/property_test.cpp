// SPDX-License-Identifier: MIT
// What must hold for any stream: how it is cut into pieces changes nothing; hostile bytes break nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support.h"

using namespace kparse;
using namespace kparse::test;

namespace {

struct Step {
  int direction;
  std::string bytes;
  std::uint64_t gap = 0;
};

/// Cuts each step by `cut(left)`; gaps stay where they are.
template <class Cut>
std::string play(const std::vector<Step>& steps, bool syn, Cut cut) {
  Talk t(syn);
  for (const Step& s : steps) {
    if (s.gap > 0) t.lose(s.direction, s.gap);
    for (std::size_t at = 0; at < s.bytes.size();) {
      const std::size_t n = std::clamp<std::size_t>(cut(s.bytes.size() - at), 1, s.bytes.size() - at);
      t.send(s.direction, std::string_view(s.bytes).substr(at, n));
      at += n;
    }
  }
  return t.finish();
}

/// A search ends when enough is there, which the cut decides: compare what was found, by side, without its place among
/// the gaps.
std::string by_side(const std::string& all) {
  std::vector<std::string> client, server;
  std::string line;
  for (const char c : all) {
    if (c != '\n') {
      line += c;
      continue;
    }
    const bool of_client = line.starts_with("request") || line.find("client") != std::string::npos;
    if (!line.starts_with("unanswered") && !line.starts_with("gap")) (of_client ? client : server).push_back(line);
    line.clear();
  }
  std::string out;
  for (const auto* side : {&client, &server})
    for (const std::string& l : *side) out += l + '\n';
  return out;
}

std::vector<Step> clean_talk() {
  std::vector<Step> steps;
  for (int id = 1; id < 12; ++id) {
    steps.push_back({0, metadata(3 * id) + produce(3 * id + 1, id % 3 ? 1 : 0, static_cast<std::size_t>(id) * 50) +
                            heartbeat(3 * id + 2)});
    steps.push_back(
        {1, metadata_answer(3 * id) + (id % 3 ? produce_answer(3 * id + 1) : "") + heartbeat_answer(3 * id + 2)});
  }
  return steps;
}

}  // namespace

TEST(Property, any_split_gives_the_same_events) {
  const auto steps = clean_talk();
  const std::string whole = play(steps, true, [](std::size_t left) { return left; });
  EXPECT_EQ(play(steps, true, [](std::size_t) { return 1; }), whole);
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(play(steps, true, [&random](std::size_t) { return random() % 40; }), whole);
}

TEST(Property, any_split_gives_the_same_frames_after_loss) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    auto steps = clean_talk();
    for (Step& s : steps) {
      if (random() % 3) continue;
      const std::size_t n = random() % s.bytes.size();
      s.gap = n;
      s.bytes.erase(0, n);
    }
    const bool syn = round % 2 == 0;
    const std::string whole = by_side(play(steps, syn, [](std::size_t left) { return left; }));
    EXPECT_EQ(by_side(play(steps, syn, [](std::size_t) { return 1; })), whole);
    EXPECT_EQ(by_side(play(steps, syn, [&random](std::size_t) { return random() % 30; })), whole);
  }
}

TEST(Property, every_whole_frame_after_loss_is_found_and_none_invented) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    Talk t;
    std::vector<std::string> expected;
    std::uint64_t offset = 0;
    bool lost = false;
    for (int id = 1; id < 40; ++id) {
      const std::string f = id % 3 ? metadata(id) : produce(id, 1, random() % 3000);
      const std::string line =
          (id % 3 ? "request 3 v1 #" : "request 0 v2 #") + std::to_string(id) + " @" + std::to_string(offset);
      if (id > 1 && random() % 3 == 0) {
        const std::size_t from = random() % f.size(), n = 1 + random() % (f.size() - from);
        t.c(f.substr(0, from)).lose_c(n).c(f.substr(from + n));
        lost = true;
      } else {
        t.c(f);
        expected.push_back(line);
      }
      offset += f.size();
    }
    const std::string all = t.finish();
    std::vector<std::string> found;
    for (const std::string& l : t.heard.lines)
      if (l.starts_with("request") && l.find(" lost ") == std::string::npos) found.push_back(l);
    EXPECT_EQ(found, expected) << all;
    EXPECT_TRUE(lost);
  }
}

TEST(Property, random_bytes_break_nothing) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    Talk t(round % 2 == 0, {.trust_port = round % 3 == 0});
    for (int i = 0; i < 60; ++i) {
      std::string s(random() % 200, '\0');
      // Few different bytes, so that small sizes and keys are frequent.
      for (char& c : s) c = static_cast<char>(random() % 4 == 0 ? random() : random() % 3 == 0 ? random() % 32 : 0);
      t.send(static_cast<int>(random() % 2), s);
      if (random() % 16 == 0) t.lose(static_cast<int>(random() % 2), random() % 50 + 1);
    }
    (void)t.finish();
  }
}

TEST(Property, changed_bytes_break_nothing) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    auto steps = clean_talk();
    for (int i = 0; i < 5; ++i) {
      std::string& s = steps[random() % steps.size()].bytes;
      s[random() % s.size()] = static_cast<char>(random() % 3 ? random() : 0);
      if (random() % 4 == 0) s.erase(random() % s.size(), 1 + random() % 3);
    }
    (void)play(steps, round % 2 == 0, [&random](std::size_t) { return random() % 60; });
  }
}

TEST(Property, sasl_and_handshakes_of_random_bytes_break_nothing) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    Talk t;
    t.c(request(17, 0, 1, "test", Out().str("PLAIN").bytes())).s(response(1, Out().i16(0).i32(0).bytes()));
    for (int i = 0; i < 30; ++i) {
      std::string s(random() % 30, '\0');
      for (char& c : s) c = static_cast<char>(random());
      const int direction = static_cast<int>(random() % 2);
      t.send(direction, random() % 8 ? frame(s) : s);
      if (random() % 8 == 0) t.c(metadata(static_cast<int>(random() % 5)));
    }
    (void)t.finish();
  }
}
