// SPDX-License-Identifier: GPL-2.0-or-later
// Statistics > Service Response Time > Kafka (kparse), `-z kparse,srt`: from the end of a request to the end of its
// answer, for each API. Answers that came empty after waiting for data say nothing of the broker's speed: they have
// rows of their own. All in one table, for Wireshark's window shows several of them twice.
#include <algorithm>

#include "listeners.h"

namespace kparse::dissector {

namespace {

constexpr int fetch = 1, join_group = 11, sync_group = 14;

int highest_key() noexcept {
  int highest = 0;
  for (const Api& api : apis()) highest = std::max<int>(highest, api.key);
  return highest;
}

// Rows after those of the APIs, whose rows have their keys as numbers.
int fetch_in_vain() noexcept { return highest_key() + 1; }
int share_fetch_in_vain() noexcept { return highest_key() + 2; }
int others() noexcept { return highest_key() + 3; }

/// Answers that the broker holds back: for data, or for the other members of the group.
const char* remark(int api_key) noexcept {
  if (may_wait(api_key)) return " (long poll)";
  return api_key == join_group || api_key == sync_group ? " (waits)" : "";
}

void init(register_srt*, GArray* tables) noexcept {
  srt_stat_table* const table = init_srt_table("Kafka (kparse)", nullptr, tables, others() + 1, "API",
                                               "kparse.response && kparse.api_key", nullptr);
  for (const Api& api : apis()) {
    char row[96];
    g_snprintf(row, sizeof row, "%.*s%s", static_cast<int>(api.name.size()), api.name.data(), remark(api.key));
    init_srt_table_row(table, api.key, row);
  }
  init_srt_table_row(table, fetch_in_vain(), "Fetch (no data)");
  init_srt_table_row(table, share_fetch_in_vain(), "ShareFetch (no data)");
  init_srt_table_row(table, others(), "unknown APIs");
}

int row_of(const Pdu& p, const Body& body) noexcept {
  if (!p.api()) return others();
  if (waited_in_vain(p, body)) return p.api_key == fetch ? fetch_in_vain() : share_fetch_in_vain();
  return p.api_key;
}

tap_packet_status packet(void* with, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) noexcept {
  const auto& tap = *static_cast<const FrameTap*>(data);
  const Pdu& p = *tap.pdu;
  // Capture order can be such that an answer seems to come first: no time can be told.
  if (p.kind != Pdu::Kind::response || !p.matched || p.latency_ns < 0) return TAP_PACKET_DONT_REDRAW;
  constexpr std::int64_t second = 1'000'000'000;
  nstime_t taken, since;
  taken.secs = static_cast<time_t>(p.latency_ns / second);
  taken.nsecs = static_cast<int>(p.latency_ns % second);
  nstime_delta(&since, &pinfo->abs_ts, &taken);  // what the table's own subtraction makes the latency again
  auto* const table = g_array_index(static_cast<srt_data_t*>(with)->srt_array, srt_stat_table*, 0);
  add_srt_table_data(table, row_of(p, tap.body), &since, pinfo);
  return TAP_PACKET_REDRAW;
}

}  // namespace

void register_response_time(int proto) { register_srt_table(proto, "kparse", 1, packet, init, nullptr); }

}  // namespace kparse::dissector
