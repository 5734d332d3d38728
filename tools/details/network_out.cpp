// SPDX-License-Identifier: MIT
#include "details/network_out.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "output/human.h"

namespace kparse::details {
namespace {

using cli::human_bytes;
using cli::human_count;
using cli::human_duration;
using story::number;

constexpr std::size_t shown = 12;

void write_side(JsonWriter& json, std::string_view name, const NetworkSide& s) {
  const auto count = [&json](std::string_view n, std::uint64_t v) { number(json, n, static_cast<std::int64_t>(v)); };
  json.key(name);
  json.begin_object();
  count("segments", s.segments);
  count("sentAgain", s.again);
  count("zeroWindows", s.full);
  story::milliseconds(json, "zeroWindowMs", s.full_ns);
  story::milliseconds(json, "longestZeroWindowMs", s.longest_full_ns);
  count("resets", s.resets);
  count("idleEnds", s.idle_ends);
  story::milliseconds(json, "shortestIdleMs", s.shortest_idle_ns);
  story::milliseconds(json, "longestIdleMs", s.longest_idle_ns);
  json.end_object();
}

std::string times(std::uint64_t n) { return n == 1 ? std::string("once") : human_count(n) + " times"; }
std::string connections(std::uint64_t n) { return n == 1 ? std::string("1 connection") : human_count(n) + " connections"; }

void tell_side(std::vector<std::string>& lines, std::string_view who, const NetworkSide& s) {
  if (s.again > 0)
    lines.push_back(fmt::format("{} sent {} of {} segments again ({:.1f} %)", who, human_count(s.again),
                                human_count(s.segments),
                                100.0 * static_cast<double>(s.again) / static_cast<double>(s.segments)));
  if (s.full > 0) {
    std::string line = fmt::format("{} had no room to receive {}", who, times(s.full));
    if (s.full_ns > 0) line += fmt::format(", {} in all", human_duration(s.full_ns));
    if (s.full > 1 && s.full_ns > 0) line += fmt::format(", at most {}", human_duration(s.longest_full_ns));
    lines.push_back(std::move(line));
  }
  if (s.resets > 0) lines.push_back(fmt::format("{} reset {} that {} open (RST)", who, connections(s.resets), s.resets == 1 ? "was" : "were"));
  if (s.idle_ends > 0) {
    std::string line = fmt::format("{} ended {} after silence of {}", who, connections(s.idle_ends),
                                   human_duration(s.shortest_idle_ns));
    if (s.longest_idle_ns != s.shortest_idle_ns) line += " to " + human_duration(s.longest_idle_ns);
    lines.push_back(std::move(line));
  }
}

}  // namespace

void write_network(JsonWriter& json, const Everything& all) {
  const auto count = [&json](std::string_view n, std::uint64_t v) { number(json, n, static_cast<std::int64_t>(v)); };
  json.key("network");
  json.begin_object();
  count("retransmittedBytes", all.tcp.retransmitted_bytes);
  count("lateBytes", all.tcp.late_bytes);
  count("keepalives", all.tcp.keepalives);
  count("strayPackets", all.tcp.stray_packets);
  json.key("brokers");
  json.begin_array();
  for (const auto& [address, row] : all.network) {
    json.begin_object();
    story::text(json, "broker", address);
    count("connections", row.connections);
    count("refused", row.refused);
    count("noAnswer", row.unheard);
    count("vanished", row.vanished);
    write_side(json, "fromClients", row.client);
    write_side(json, "fromBroker", row.server);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void print_network(cli::Output& out, const cli::Painter& paint, const Everything& all) {
  if (all.network.empty() && all.tcp.stray_packets == 0 && all.tcp.late_bytes == 0) return;
  out.print("\n{}\n", paint(cli::Style::bold, "Network"));
  std::size_t n = 0;
  for (const auto& [address, row] : all.network) {
    if (n++ >= shown) break;
    std::vector<std::string> lines;
    if (row.refused > 0) lines.push_back(fmt::format("refused {} (RST to a SYN)", connections(row.refused)));
    if (row.unheard > 0) lines.push_back(fmt::format("didn't answer {} (no SYN came back)", connections(row.unheard)));
    if (row.vanished > 0)
      lines.push_back(fmt::format("{} had been forgotten on the way: after silence, data went unanswered or met a RST",
                                  connections(row.vanished)));
    tell_side(lines, "the broker", row.server);
    tell_side(lines, row.connections == 1 ? "the client" : "clients", row.client);
    out.print("  {}  {}\n", cli::printable(address), lines.front());
    const std::string indent(2 + address.size() + 2, ' ');
    for (std::size_t i = 1; i < lines.size(); ++i) out.print("{}{}\n", indent, lines[i]);
  }
  if (all.network.size() > shown)
    out.print("  {}\n", paint(cli::Style::dim, fmt::format("… {} more (--format json)", all.network.size() - shown)));
  if (all.tcp.late_bytes > 0)
    out.print("  {} came after they had been given up\n", human_bytes(all.tcp.late_bytes));
  if (all.tcp.stray_packets > 0) out.print("  {} packets fit no connection\n", human_count(all.tcp.stray_packets));
}

}  // namespace kparse::details
