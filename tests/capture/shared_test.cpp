// SPDX-License-Identifier: MIT
// Real captures, damaged on purpose, with a known answer (KPARSE_SHARED/captures/mangled).
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/istreamwrapper.h>

#include "capture/decoder.h"
#include "capture/tcp.h"
#include "capture/timeline.h"

namespace kparse::capture {
namespace {

struct Seen {
  std::string ends[2];
  std::uint64_t bytes[2] = {0, 0}, missing[2] = {0, 0};
  std::uint64_t hash[2] = {0, 0};
};

struct Collect : StreamHandler {
  std::map<std::uint64_t, Seen> all;
  bool tiled = true;
  void on_open(Conn& c, const Stamp&) override {
    for (int d = 0; d < 2; ++d) all[c.number()].ends[d] = c.sender(d).text();
  }
  void on_data(Conn& c, int d, std::uint64_t offset, Bytes b, const Stamp&, const Stamp&) override {
    Seen& s = all[c.number()];
    tiled = tiled && offset == s.bytes[d];
    s.bytes[d] += b.size();
    for (const std::uint8_t x : b) s.hash[d] = s.hash[d] * 1099511628211u + x;
  }
  void on_gap(Conn& c, int d, std::uint64_t offset, std::uint64_t n, bool, const Stamp&, const Stamp&) override {
    Seen& s = all[c.number()];
    tiled = tiled && offset == s.bytes[d];
    s.bytes[d] += n;
    s.missing[d] += n;
  }
};

Collect run(const std::vector<std::string>& files, TcpStats* stats = nullptr) {
  Collect c;
  TcpTable table(c);
  Decoder decoder;
  Timeline t(files);
  t.open();
  Segment s;
  while (const Packet* p = t.next()) {
    if (decoder.decode(*p, s) == Decoded::tcp) table.add(s, p->stamp);
  }
  table.finish();
  if (stats != nullptr) *stats = table.stats();
  return c;
}

std::filesystem::path captures() {
  const char* shared = std::getenv("KPARSE_SHARED");
  return std::filesystem::path(shared != nullptr ? shared : KPARSE_SOURCE_DIR "/../shared") / "captures";
}

TEST(SharedMangled, BytesAndLossesOfEveryConversation) {
  const auto dir = captures() / "mangled";
  if (!std::filesystem::exists(dir)) GTEST_SKIP() << dir << " is not there";
  for (const auto& entry : std::filesystem::directory_iterator(dir)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".truth.json")) continue;
    std::ifstream in(entry.path());
    rapidjson::IStreamWrapper wrapper(in);
    rapidjson::Document truth;
    truth.ParseStream(wrapper);
    std::vector<std::string> files;
    for (const auto& f : truth["files"].GetArray()) files.push_back(dir / f.GetString());
    std::set<std::string> transforms;
    for (const auto& t : truth["transforms"].GetArray()) transforms.insert(t[0].GetString());
    TcpStats stats;
    const Collect c = run(files, &stats);
    EXPECT_TRUE(c.tiled) << name;
    ASSERT_EQ(c.all.size(), truth["conversations"].Size()) << name;
    // What begins or ends in the middle has bytes that nothing tells of.
    if (transforms.contains("midstream") || transforms.contains("head")) continue;
    std::map<std::pair<std::string, std::string>, std::vector<const Seen*>> by_ends;
    for (const auto& [n, s] : c.all) by_ends[std::minmax(s.ends[0], s.ends[1])].push_back(&s);
    std::map<std::pair<std::string, std::string>, std::size_t> taken;
    for (const auto& t : truth["conversations"].GetArray()) {
      const std::string client = t["client"].GetString(), server = t["server"].GetString();
      const std::pair<std::string, std::string> ends = std::minmax(client, server);
      ASSERT_LT(taken[ends], by_ends[ends].size()) << name << client;
      const Seen& s = *by_ends[ends][taken[ends]++];
      const int d = s.ends[0] == client ? 0 : 1;
      EXPECT_EQ(s.missing[d], t["lostBytes"]["client"].GetUint64()) << name << client;
      EXPECT_EQ(s.missing[1 - d], t["lostBytes"]["server"].GetUint64()) << name << client;
      EXPECT_EQ(s.bytes[d], t["streamBytes"]["client"].GetUint64()) << name << client;
      EXPECT_EQ(s.bytes[1 - d], t["streamBytes"]["server"].GetUint64()) << name << client;
    }
    if (transforms == std::set<std::string>{"dup"}) {
      EXPECT_EQ(stats.duplicate_packets, truth["markedPackets"]["dup"].Size()) << name;
    }
  }
}

TEST(SharedMangled, ReorderingChangesNoByte) {
  const auto dir = captures() / "mangled";
  if (!std::filesystem::exists(dir)) GTEST_SKIP() << dir << " is not there";
  const auto source = captures() / "mock" / "mock-snappy.pcap";
  if (!std::filesystem::exists(source)) GTEST_SKIP() << source << " is not there";
  const Collect a = run({dir / "reorder-3.pcap"}), b = run({source});
  ASSERT_EQ(a.all.size(), b.all.size());
  for (const auto& [n, s] : b.all) {
    for (int d = 0; d < 2; ++d) {
      const Seen& o = a.all.at(n);
      EXPECT_EQ(o.hash[o.ends[0] == s.ends[0] ? d : 1 - d], s.hash[d]) << n;
    }
  }
}

}  // namespace
}  // namespace kparse::capture
