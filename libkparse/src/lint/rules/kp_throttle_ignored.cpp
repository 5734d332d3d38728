// SPDX-License-Identifier: MIT
#include <utility>

#include "lint/keys.h"
#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr std::int16_t key_heartbeat = 12, key_api_versions = 18;
constexpr double in_flight_ms = 10;

/// First versions whose answers come at once and leave it to the client to wait (KIP-219). Newer APIs were made so.
constexpr std::pair<std::int16_t, std::int16_t> first_versions[] = {
    {0, 6},  {1, 8},  {2, 3},  {3, 6},  {8, 4},  {9, 4},  {10, 2}, {11, 3}, {13, 2}, {14, 2}, {15, 2},
    {16, 2}, {19, 3}, {20, 2}, {21, 1}, {22, 1}, {24, 1}, {25, 1}, {26, 1}, {28, 1}, {29, 1}, {30, 1},
    {31, 1}, {32, 2}, {33, 1}, {34, 1}, {35, 1}, {37, 1}, {38, 1}, {39, 1}, {40, 1}, {41, 1}, {42, 1}};

bool client_waits(std::int16_t api, std::int16_t version) noexcept {
  for (const auto& [key, first] : first_versions)
    if (key == api) return version >= first;
  return api > 42;
}

class ThrottleIgnored final : public Rule {
 public:
  using Rule::Rule;

  void on_throttle(std::int32_t ms) override {
    const Response* const r = frames().response;
    if (!r || !r->matched || !client_waits(r->api_key, r->request_version)) return;
    State& s = states_[conn()];
    const Stamp& now = r->frame.last;
    const std::int64_t until = now.time_ns + std::int64_t{ms} * 1'000'000;
    if (until <= s.until) return;
    // What else is under way may have left the client before it heard.
    s = {.from = now, .until = until, .pipelined = !conn().outstanding.empty()};
  }

  void begin_request(const Conn& c, const Request& r) override {
    State* const s = states_.find(c);
    if (!s || r.api_key == key_heartbeat || r.api_key == key_api_versions) return;
    const Stamp& now = r.frame.first;
    if (now.time_ns >= s->until) return states_.drop(c);
    if (now.time_ns < s->from.time_ns) return;
    if (s->pipelined && seconds_between(s->from, now) * 1000 < in_flight_ms) return;
    const double early = static_cast<double>(s->until - now.time_ns) / 1e6;
    hit({}, [&](Text& t) {
      t << who(c) << " sends again " << Decimal{early, 0} << " ms before its throttle time is over.";
    });
  }

  void on_close(const Conn& c, const Stamp&) override { states_.drop(c); }

 private:
  struct State {
    Stamp from;
    std::int64_t until = 0;
    bool pipelined = false;
  };
  PerConn<State> states_;
};

}  // namespace

KPARSE_RULE(kp_throttle_ignored, ThrottleIgnored, .id = "KP-THROTTLE-IGNORED", .severity = Severity::notice,
            .scope = RuleScope::client,
            .condition =
                "On the same connection the client sends another request (no Heartbeat, no ApiVersions) within the "
                "throttle time of an answer in a version that leaves the waiting to the client. Requests that were "
                "under way when the answer came don't count.",
            .why = "The broker has muted the connection, so the request only waits there and looks slow.",
            .fix = "Client: wait for throttle_time_ms.",
            .example = "10.0.0.1:50000 (\"t1\") sends again 3750 ms before its throttle time is over.",
            .sources = "brod#321; KIP-219");

}  // namespace kparse::lint
