// SPDX-License-Identifier: MIT
// The time that an answer took, without what the request asked to wait.
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "lint/waits.h"

namespace kparse::lint {

struct Latency {
  double ms = 0;          ///< end of request to end of response
  double wait_ms = 0;     ///< that the request, or a throttle, asked for
  double behind_ms = 0;   ///< that the answer before it took: a broker takes one request of a connection after the other
  double first_ms = 0;    ///< to the response's first byte
  [[nodiscard]] double net() const noexcept { return std::max(0.0, ms - behind_ms - wait_ms); }
};

/// Calls answered() at the end of each response whose request was seen whole. What else a rule overrides of these events
/// it passes on.
class LatencyRule : public Rule {
 public:
  using Rule::Rule;
  virtual void answered(const Conn&, const Response&, const Latency&) = 0;

  void begin_request(const Conn& c, const Request& r) override {
    if (r.api_key != 11 && r.api_key != 14) return;   // a Fetch's is told with its answer
    State& s = state_[c];
    if (r.api_key == 11) s.rebalance_ms = std::max(s.rebalance_ms, waits_.of(r));
  }
  void on_long_poll(std::int32_t max_wait_ms, bool) override { wait_ms_ = std::max(0, max_wait_ms); }
  void on_throttle(std::int32_t ms) override { throttle_ms_ = std::max(throttle_ms_, ms); }
  void on_produce_answered(const ProduceAnswered& p) override {
    constexpr std::int16_t request_timed_out = 7, not_enough_after_append = 20;
    timed_out_ = timed_out_ || p.error == request_timed_out || p.error == not_enough_after_append;
  }

  void end_response(const Conn& c, const Response& r, const Error&) override {
    State& s = state_[c];
    const std::int64_t before = s.completed_ns;
    s.completed_ns = std::max(s.completed_ns, r.frame.completed.time_ns);
    const Asked* const asked = frames().asked;
    if (r.matched && asked && r.frame.whole() && asked->whole && r.latency_ns >= 0) {
      Latency l;
      l.ms = static_cast<double>(r.latency_ns) / 1e6;
      l.first_ms = static_cast<double>(r.first_byte_ns) / 1e6;
      if (before > r.request_completed.time_ns)
        l.behind_ms = static_cast<double>(before - r.request_completed.time_ns) / 1e6;
      l.wait_ms = static_cast<double>(wait_ms_) + throttle_ms_;
      if (r.api_key == 11 || r.api_key == 14)
        l.wait_ms += static_cast<double>(s.rebalance_ms != 0 ? s.rebalance_ms : Waits::default_rebalance_ms);
      // The request is gone; brokers time out at the producer's request.timeout.ms, by default 30 s.
      if (r.api_key == 0 && asked->acks == -1 && timed_out_) l.wait_ms += produce_timeout_ms;
      answered(c, r, l);
    }
    wait_ms_ = throttle_ms_ = 0;
    timed_out_ = false;
  }
  void on_close(const Conn& c, const Stamp&) override { state_.drop(c); }

 private:
  static constexpr double produce_timeout_ms = 30'000;
  struct State {
    std::int64_t completed_ns = 0;   ///< the newest answer
    std::int64_t rebalance_ms = 0;
  };
  Waits waits_;
  PerConn<State> state_;
  std::int32_t wait_ms_ = 0, throttle_ms_ = 0;
  bool timed_out_ = false;
};

}  // namespace kparse::lint
