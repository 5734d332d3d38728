// SPDX-License-Identifier: MIT
// The same captures with packets missing: nothing false comes out, and all records that are whole do.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "streams.h"

namespace kparse::test {
namespace {

struct Capture {
  std::string file, log;
};

/// Those whose every connection can be opened.
std::vector<Capture> captures() {
  const std::string folder = shared_folder() + "/captures/tls/";
  std::vector<Capture> all;
  rapidjson::Document manifest;
  manifest.Parse(read_text(folder + "manifest.json").c_str());
  if (!manifest.IsArray()) return all;
  for (const auto& e : manifest.GetArray())
    if (e.HasMember("keylog") && e["keylog"].IsString() && e["complete"].IsTrue())
      all.push_back({folder + e["file"].GetString(), folder + e["keylog"].GetString()});
  return all;
}

std::map<std::uint64_t, Inner> open(const Capture& c, const Drop& drop = {}) {
  KeyLog log;
  log.add_text(read_text(c.log));
  return open_capture(c.file, log, drop);
}

/// Each stretch between two holes is in the true stream, behind the one before. Returns how much there is.
std::size_t compare(const Inner& damaged, const std::string& truth, int side, const std::string& what) {
  std::size_t from = 0, place = 0;
  const auto stretch = [&](std::size_t to) {
    const std::string part = damaged.bytes[side].substr(from, to - from);
    from = to;
    if (part.empty()) return;
    const std::size_t found = truth.find(part, place);
    EXPECT_NE(found, std::string::npos) << what << ": " << part.size() << " bytes that nobody sent here";
    if (found != std::string::npos) place = found + part.size();
  };
  for (const Inner::Hole& h : damaged.holes[side]) stretch(h.at);
  stretch(damaged.bytes[side].size());
  return damaged.bytes[side].size();
}

struct Outcome {
  std::size_t opened = 0;
  std::size_t possible = 0;  ///< of records whose packets are all there, in connections whose hellos are
};

Outcome run(const Capture& c, const std::map<std::uint64_t, Inner>& truth, const Drop& drop, const std::string& what) {
  Outcome o;
  std::map<std::string, const Inner*> by_client;
  for (const auto& [n, i] : truth) by_client[i.client] = &i;
  const auto damaged = open(c, drop);
  for (const auto& [n, i] : truth) {
    if (drop(i.hellos[0]) || drop(i.hellos[1])) continue;
    for (const auto& steps : i.steps)
      for (const Inner::Step& s : steps)
        if (!drop(s.now) && std::none_of(s.packets.begin(), s.packets.end(), drop)) o.possible += s.bytes;
  }
  for (const auto& [n, i] : damaged) {
    const auto t = by_client.find(i.client);
    if (t == by_client.end()) continue;
    for (const int side : {0, 1}) o.opened += compare(i, t->second->bytes[side], side, what);
  }
  return o;
}

TEST(TlsLoss, random_packets) {
  const auto all = captures();
  if (all.empty()) GTEST_SKIP();
  for (const Capture& c : all) {
    const auto truth = open(c);
    for (const int percent : {1, 5, 20}) {
      for (unsigned seed = 0; seed < 10; ++seed) {
        const std::string what = c.file + ", " + std::to_string(percent) + " %, seed " + std::to_string(seed);
        const Outcome o = run(
            c, truth,
            [&](std::uint64_t n) {
              return std::mt19937(static_cast<unsigned>(n * 1000 + seed))() % 100 < static_cast<unsigned>(percent);
            },
            what);
        EXPECT_GE(o.opened, o.possible) << what;
      }
    }
  }
}

TEST(TlsLoss, each_packet_once) {
  const auto all = captures();
  if (all.empty()) GTEST_SKIP();
  for (const Capture& c : all) {
    const auto truth = open(c);
    std::vector<std::uint64_t> segments;
    (void)open(c, [&](std::uint64_t n) {
      segments.push_back(n);
      return false;
    });
    if (segments.size() > 450) continue;  // that takes long
    for (const std::uint64_t i : segments) {
      const Outcome o = run(
          c, truth, [&](std::uint64_t n) { return n == i; }, c.file + ", without segment " + std::to_string(i));
      EXPECT_GE(o.opened, o.possible) << c.file << ", without packet " << i;
    }
  }
}

}  // namespace
}  // namespace kparse::test
