// SPDX-License-Identifier: MIT
// Pieces of messages, and what connections prove, for rules about versions and logins.
#pragma once

#include <string>
#include <string_view>

#include "lint/rule.h"

namespace kparse::lint {

/// `10.0.0.1:4711 ("billing")`; without the brackets where there is no client id.
struct Who {
  std::string_view client, client_id;
};
[[nodiscard]] inline Who who(const Conn& c) noexcept { return {c.client(), c.client_id}; }
[[nodiscard]] inline Who who(const Witness& w) noexcept { return {w.client, w.client_id}; }
inline Text& operator<<(Text& t, const Who& w) {
  t << w.client;
  if (w.client_id.empty()) return t;
  return t << " (\"" << Quoted{w.client_id} << "\")";
}

/// The frame at hand: "Fetch v12", and whether it asks or answers.
struct Subject {
  const Api* api = nullptr;
  std::int16_t api_key = -1, version = -1;
  bool answer = false;
  [[nodiscard]] std::string text() const { return api_text(api, api_key) + " v" + std::to_string(version); }
};
[[nodiscard]] inline Subject subject(const Frames& f) noexcept {
  if (f.request) return {f.request->api, f.request->api_key, f.request->version, false};
  if (f.response) return {f.response->api, f.response->api_key, f.response->version, true};
  return {};
}

/// "topics.partitions.records"; of a message's root its name.
[[nodiscard]] inline std::string path(NodeId n) {
  if (n == no_node) return "the header";
  char room[256];
  const std::string_view p = path_of(n, room);
  return std::string(p.empty() ? field(n).name : p);
}

/// Who of the two ended the connection first, as far as its packets tell.
[[nodiscard]] inline bool ended_first(const Conn& c, Side s) noexcept {
  const auto d = static_cast<std::size_t>(c.direction_of(s));
  if (c.end[d] == End::open) return false;
  if (c.end[1 - d] == End::open) return true;
  const Stamp &mine = c.ended[d], &other = c.ended[1 - d];
  if (mine.time_ns != other.time_ns) return mine.time_ns < other.time_ns;
  return mine.file != other.file ? mine.file < other.file : mine.packet < other.packet;
}

/// That something has no answer can be claimed: both directions were captured, and nothing of them is missing.
[[nodiscard]] inline bool silence_counts(const Conn& c) noexcept {
  return (c.from_syn || c.responses > 0) && !c.lost[0] && !c.lost[1];
}

}  // namespace kparse::lint
