// SPDX-License-Identifier: GPL-2.0-or-later
// Statistics > Kafka (kparse), `-z kparse,tree`: what a capture holds, counted. Branches appear with their first entry.
#include <algorithm>
#include <cstring>
#include <vector>

#include "listeners.h"

namespace kparse::dissector {

namespace {

int tick(stats_tree* st, const char* name, int parent, bool leaf = false) {
  return tick_stat_node(st, name, parent, !leaf);
}

/// Names that a frame's body holds. Static, for Wireshark's errors jump over destructors.
struct Found {
  std::vector<const char*> topics;
  std::vector<std::int16_t> errors;
};

Found& found() noexcept {
  static Found* const f = new Found;
  return *f;
}

void add_error(void* with, std::int16_t code) { static_cast<Found*>(with)->errors.push_back(code); }
void add_topic(void* with, const char* topic) { static_cast<Found*>(with)->topics.push_back(topic); }

void count_errors(stats_tree* st, const Pdu& p, packet_info* pinfo) {
  for (const std::int16_t code : found().errors) {
    const int all = tick(st, "Error codes", 0);
    const int api = tick(st, api_label(p, pinfo), all);
    tick(st, error_label(code, pinfo), api, true);
  }
}

/// A frame counts once for each topic, however often it names it.
void count_topics(stats_tree* st, const Pdu& p) {
  std::vector<const char*>& topics = found().topics;
  std::sort(topics.begin(), topics.end(), [](const char* a, const char* b) { return std::strcmp(a, b) < 0; });
  const char* last = nullptr;
  for (const char* topic : topics) {
    if (last && std::strcmp(last, topic) == 0) continue;
    last = topic;
    const int all = tick(st, "Topics (frames that name them)", 0);
    const int one = tick(st, topic, all);
    tick(st, p.kind == Pdu::Kind::request ? "Requests" : "Responses", one, true);
  }
}

void count_client(stats_tree* st, const FrameTap& tap, packet_info* pinfo) {
  const Pdu& p = *tap.pdu;
  const char* name = tap.client_id;
  if (p.client_id_null || !name) name = "(no client id)";
  if (!*name) name = "(empty client id)";
  const int all = tick(st, "Clients (requests)", 0);
  const int one = tick(st, name, all);
  tick(st, api_label(p, pinfo), one, true);
}

void count_frame(stats_tree* st, const FrameTap& tap, packet_info* pinfo) {
  const Pdu& p = *tap.pdu;
  const bool request = p.kind == Pdu::Kind::request;
  if (!request && !p.matched) {
    tick(st, "Responses without their request", 0, true);
    return;
  }
  const int all = tick(st, request ? "Requests" : "Responses", 0);
  const int api = tick(st, api_label(p, pinfo), all);
  tick(st, wmem_strdup_printf(pinfo->pool, "v%d", p.version), api, true);
  if (request) count_client(st, tap, pinfo);
  const Body body = decoded(tap);
  if (!body.message) return;
  found().errors.clear();
  found().topics.clear();
  visit(body, pinfo, &found(), add_error, add_topic);
  if (!request) count_errors(st, p, pinfo);
  count_topics(st, p);
}

tap_packet_status packet(stats_tree* st, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) noexcept {
  const auto& tap = *static_cast<const FrameTap*>(data);
  switch (tap.pdu->kind) {
    case Pdu::Kind::request:
    case Pdu::Kind::response:
      count_frame(st, tap, pinfo);
      break;
    case Pdu::Kind::sasl:
      tick(st, "SASL tokens", 0, true);
      break;
    case Pdu::Kind::gap:
      tick(st, "Places with bytes missing", 0, true);
      break;
    case Pdu::Kind::skipped:
      tick(st, "Places where frames were found again", 0, true);
      break;
  }
  return TAP_PACKET_REDRAW;
}

// Branches come with what they count. Wireshark's window calls these without a look whether they are there.
void init(stats_tree*) noexcept {}
void cleanup(stats_tree*) noexcept {}

}  // namespace

void register_statistics_tree() {
  constexpr guint most_first = (ST_SORT_COL_COUNT << ST_FLG_SRTCOL_SHIFT) | ST_FLG_SORT_DESC;
  stats_tree_register_plugin("kparse", "kparse", "Kafka (kparse)", most_first, packet, init, cleanup);
}

}  // namespace kparse::dissector
