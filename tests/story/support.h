// SPDX-License-Identifier: MIT
// Frames and events for observers, without bytes.
#pragma once

#include <map>

#include "kparse/events.h"

namespace kparse::test {

/// Frames of one conversation; each takes a millisecond and a packet.
struct Talk {
  ConversationInfo info{
      .number = 0, .client = "10.0.0.1:50000", .server = "10.0.0.2:9092", .proxied = {}, .role_guessed = false};
  Observer& observer;
  std::string_view client_id = "worker";
  std::uint64_t serial = 0, packet = 0;
  std::map<std::uint64_t, Stamp> asked;  ///< when, by serial

  explicit Talk(Observer& o) : observer(o) {}
  Stamp now() const { return {.time_ns = static_cast<std::int64_t>(packet) * 1'000'000, .packet = packet, .file = 0}; }

  /// Calls f between the begin and the end of a request.
  template <class F>
  std::uint64_t request(F f, std::int16_t key = 0) {
    Request r;
    ++packet;
    r.api_key = key;
    r.serial = ++serial;
    r.client_id = client_id;
    r.client_id_null = false;
    r.frame.first = r.frame.last = r.frame.completed = asked[serial] = now();
    observer.begin_request(info, r);
    f();
    observer.end_request(info, r, {});
    return serial;
  }
  template <class F>
  void response(F f, std::uint64_t of, std::int16_t key = 0) {
    Response r;
    ++packet;
    r.api_key = key;
    r.matched = true;
    r.serial = of;
    r.request_first = r.request_last = r.request_completed = asked[of];
    r.frame.first = r.frame.last = r.frame.completed = now();
    observer.begin_response(info, r);
    f();
    observer.end_response(info, r, {});
  }
};

}  // namespace kparse::test
