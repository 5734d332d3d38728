// SPDX-License-Identifier: MIT
// How long requests ask to wait: what comes within that time isn't slow.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kparse/node.h"
#include "lint/rule.h"

namespace kparse::lint {

/// Reads it from bodies: of JoinGroup and ShareFetch by a walk over single fields, of Fetch by hand.
class Waits {
 public:
  static constexpr std::int64_t default_rebalance_ms = 300'000;   ///< max.poll.interval.ms

  Waits() : programs_(interest()) {}

  /// ms; 0: it asks for none. SyncGroup waits for the group's leader: that is as long as a rebalance may take, which
  /// only JoinGroup tells.
  [[nodiscard]] std::int64_t of(const Request& r) {
    if (!r.known || !r.header_whole) return 0;
    switch (r.api_key) {
      case 1: {
        const std::size_t at = r.version >= 15 ? 0 : 4;   // before version 15 the replica id is first
        return r.body.size() >= at + 4 ? std::max(0, load_be<std::int32_t>(r.body.data() + at)) : 0;
      }
      case 11:
      case 78: {
        Longest sink;
        (void)walk(programs_.get(*r.api->request, r.version), r.body, sink);
        return sink.ms;
      }
      case 14:
        return default_rebalance_ms;
      default:
        return 0;
    }
  }

 private:
  struct Longest : Sink {
    std::int64_t ms = 0;
    void integer(NodeId, std::int64_t v, Bytes) noexcept { ms = std::max(ms, v); }
  };
  static Interest interest() {
    Interest i = Interest::nothing();
    i.add(node::join_group_request::session_timeout_ms);
    i.add(node::join_group_request::rebalance_timeout_ms);
    i.add(node::share_fetch_request::max_wait_ms);
    return i;
  }
  ProgramSet programs_;
};

}  // namespace kparse::lint
