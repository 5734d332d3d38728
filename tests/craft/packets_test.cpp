// SPDX-License-Identifier: MIT
// The packets of crafted captures: checksums, segments, and what goes wrong on purpose.
#include <gtest/gtest.h>

#include <string>

#include "../cli/captures.h"
#include "../cli/process.h"
#include "capture/decoder.h"
#include "capture/source.h"

namespace kparse::test {
namespace {

struct Seen {
  std::size_t packets = 0, data = 0, largest = 0, bytes = 0, wrong_ip = 0, wrong_tcp = 0, syns = 0, cut = 0;
  std::vector<std::int64_t> times;
};

std::uint32_t add(Bytes b, std::uint32_t s) {
  for (std::size_t i = 0; i < b.size(); ++i) s += i % 2 == 0 ? b[i] << 8 : b[i];
  return s;
}
bool folds_to_ones(std::uint32_t s) {
  while (s >> 16) s = (s & 0xffff) + (s >> 16);
  return s == 0xffff;
}

/// By RFC 1071: what a checksum covers, itself included, adds up to ones.
void check_sums(Bytes p, Seen& seen) {
  const bool v6 = p[0] >> 4 == 6;
  const std::size_t header = v6 ? 40 : 20;
  if (!v6 && !folds_to_ones(add(p.first(20), 0))) ++seen.wrong_ip;
  const Bytes tcp = p.subspan(header), addresses = v6 ? p.subspan(8, 32) : p.subspan(12, 8);
  if (!folds_to_ones(add(tcp, add(addresses, static_cast<std::uint32_t>(tcp.size() + 6))))) ++seen.wrong_tcp;
}

Seen look(const fs::path& name) {
  Seen seen;
  capture::Source source(name.string(), 0);
  EXPECT_TRUE(source.open());
  capture::Decoder decoder;
  capture::Packet p;
  capture::Segment s;
  while (source.next(p)) {
    EXPECT_EQ(decoder.decode(p, s), capture::Decoded::tcp);
    ++seen.packets;
    seen.times.push_back(p.stamp.time_ns);
    if (p.wire_length > p.data.size()) {
      ++seen.cut;
    } else {
      check_sums(p.data, seen);
    }
    if (s.has(capture::Segment::syn)) ++seen.syns;
    if (s.payload.empty()) continue;
    ++seen.data;
    seen.largest = std::max(seen.largest, s.payload.size());
    seen.bytes += s.payload.size();
  }
  EXPECT_FALSE(source.info().damage.has_value());
  return seen;
}

std::string big(const std::string& settings) {
  return settings + "steps:\n  - request: Produce\n    version: 7\n    body:\n      acks: 1\n      topicData:\n        - name: t\n"
                    "          partitionData: [{records: [{records: [{value: {text: abcdefghij, times: 2000}}]}]}]\n    answer: {}\n"
                    "  - {request: Heartbeat, version: 0, body: {groupId: g}, answer: {}}\n";
}

Seen craft(const Folder& folder, const std::string& script) {
  write_file(folder / "s.yaml", script);
  const Result r = run({"craft", (folder / "s.yaml").string(), "-o", (folder / "x.pcapng").string()});
  EXPECT_EQ(r.status, 0) << r.err;
  return look(folder / "x.pcapng");
}
std::string report(const Folder& folder) { return run({"report", "--format", "json", (folder / "x.pcapng").string()}).out; }

TEST(CraftedPackets, SegmentsAndChecksums) {
  for (const char* server : {"10.0.0.9:9092", "'[2001:db8::9]:9092'"}) {
    const Folder folder;
    const Seen s = craft(folder, big(std::string("mss: 1000\nserver: ") + server + "\n"));
    EXPECT_EQ(s.largest, 1000u);
    EXPECT_GT(s.data, 20u);
    EXPECT_EQ(s.syns, 2u);
    EXPECT_EQ(s.wrong_ip, 0u);
    EXPECT_EQ(s.wrong_tcp, 0u);
    EXPECT_TRUE(std::is_sorted(s.times.begin(), s.times.end()));
    EXPECT_NE(report(folder).find("\"lostBytes\":0"), std::string::npos);
  }
}

TEST(CraftedPackets, TroubleIsWhatItSays) {
  const Folder folder;
  const Seen whole = craft(folder, big("mss: 100\n"));
  const Seen lossy = craft(folder, big("mss: 100\nseed: 5\ntrouble: {loss: 0.2}\n"));
  EXPECT_LT(lossy.data, whole.data);
  EXPECT_GT(lossy.data, whole.data / 2);
  EXPECT_EQ(report(folder).find("\"lostBytes\":0,"), std::string::npos);

  const Seen twice = craft(folder, big("mss: 100\ntrouble: {duplicate: 1}\n"));
  EXPECT_EQ(twice.data, 2 * whole.data);
  EXPECT_NE(report(folder).find("\"duplicatePackets\":" + std::to_string(whole.data)), std::string::npos);

  const Seen again = craft(folder, big("mss: 100\ntrouble: {retransmit: 1}\n"));
  EXPECT_EQ(again.data, 2 * whole.data);
  EXPECT_NE(report(folder).find("\"lostBytes\":0"), std::string::npos);

  const Seen mixed = craft(folder, big("mss: 100\nseed: 9\ntrouble: {reorder: 0.3}\n"));
  EXPECT_EQ(mixed.bytes, whole.bytes);
  EXPECT_NE(report(folder).find("\"undecoded\":0"), std::string::npos);
  EXPECT_NE(read_file(folder / "x.pcapng"), "");
}

TEST(CraftedPackets, TheSameScriptGivesTheSameBytes) {
  const Folder folder;
  const std::string script = big("mss: 100\nseed: 5\ntrouble: {loss: 0.1, reorder: 0.2, duplicate: 0.1}\n");
  craft(folder, script);
  const std::string first = read_file(folder / "x.pcapng");
  craft(folder, script);
  EXPECT_EQ(read_file(folder / "x.pcapng"), first);
  craft(folder, big("mss: 100\nseed: 6\ntrouble: {loss: 0.1, reorder: 0.2, duplicate: 0.1}\n"));
  EXPECT_NE(read_file(folder / "x.pcapng"), first);
}

TEST(CraftedPackets, LeftOutAndCut) {
  const Folder folder;
  const Seen whole = craft(folder, big("mss: 1000\n"));
  const Seen less = craft(folder, big("mss: 1000\nlose: [5, 6]\n"));
  EXPECT_EQ(less.packets + 2, whole.packets);
  EXPECT_NE(report(folder).find("\"lostBytes\":2000"), std::string::npos);
  const Seen cut = craft(folder, big("mss: 1000\nsnaplen: 96\n"));
  EXPECT_EQ(cut.packets, whole.packets);
  EXPECT_GT(cut.cut, 10u);
}

TEST(CraftedPackets, Ends) {
  const Folder folder;
  EXPECT_EQ(craft(folder, "handshake: false\nclose: open\nacks: false\nsteps: [{request: Metadata, version: 1, answer: {}}]\n").packets, 2u);
  EXPECT_EQ(craft(folder, "handshake: false\nclose: reset\nacks: false\nsteps: [{request: Metadata, version: 1, answer: {}}]\n").packets, 3u);
  EXPECT_EQ(craft(folder, "steps: []\n").packets, 6u);
}

}  // namespace
}  // namespace kparse::test
