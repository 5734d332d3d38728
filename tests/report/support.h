// SPDX-License-Identifier: MIT
// Hand-made events and record sets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kparse/crc.h"
#include "kparse/events.h"
#include "report/report_observer.h"

namespace kparse::report {

inline constexpr std::int64_t ms = 1'000'000;
/// 2026-11-30 02:41:07 UTC.
inline constexpr std::int64_t start_ns = 1'796'006'467'000'000'000;

inline Stamp at(std::int64_t ns, std::uint64_t packet, std::uint32_t file = 0) { return {.time_ns = start_ns + ns, .packet = packet, .file = file}; }

using Header = std::pair<std::string, std::optional<std::string>>;
struct Made {
  std::optional<std::string> key, value;
  std::vector<Header> headers;
};

/// An uncompressed batch of magic 2, its CRC right unless asked. Source of the layout: KIP-98, KIP-82.
std::vector<std::uint8_t> batch(const std::vector<Made>& records, bool good_crc = true, std::int16_t attributes = 0);

/// Calls an observer as an Interpreter would, one conversation after the other or mixed.
class Script {
 public:
  explicit Script(Observer& observer) : observer_(observer) {}

  struct Talk {
    std::uint64_t number;
    std::string client, server;
    std::uint64_t serial = 0;
    ConversationInfo info;
  };
  /// A conversation between "10.0.0.<n>:5000<n>" and "10.1.0.1:9092".
  Talk talk(std::uint64_t number, std::string server = "10.1.0.1:9092");

  struct Call {
    std::int16_t key;
    std::int16_t version;
    std::string client_id;
    std::uint32_t size = 96;
    bool answer = true;
  };
  /// Between begin and end, `inside` gives the events.
  template <class F>
  std::uint64_t request(Talk& t, const Call& c, Stamp when, F inside, Error error = {}) {
    Request r = make(t, c, when);
    observer_.begin_request(t.info, r);
    inside(observer_);
    observer_.end_request(t.info, r, error);
    return r.serial;
  }
  std::uint64_t request(Talk& t, const Call& c, Stamp when) {
    return request(t, c, when, [](Observer&) {});
  }
  template <class F>
  void response(Talk& t, const Call& c, std::uint64_t serial, Stamp asked, Stamp when, F inside, Error error = {}) {
    Response r;
    r.frame.from = Side::server;
    r.frame.size = c.size;
    r.frame.first = r.frame.last = when;
    r.matched = true;
    r.api = find_api(c.key);
    r.api_key = c.key;
    r.version = r.request_version = c.version;
    r.known = true;
    r.serial = serial;
    r.request_first = r.request_last = asked;
    r.latency_ns = r.first_byte_ns = when.time_ns - asked.time_ns;
    observer_.begin_response(t.info, r);
    inside(observer_);
    observer_.end_response(t.info, r, error);
  }
  /// A request and its answer after `latency_ns`, with nothing inside.
  void exchange(Talk& t, const Call& c, std::int64_t when_ns, std::uint64_t packet, std::int64_t latency_ns) {
    const std::uint64_t serial = request(t, c, at(when_ns, packet));
    response(t, c, serial, at(when_ns, packet), at(when_ns + latency_ns, packet + 1), [](Observer&) {});
  }
  void close(Talk& t) {
    t.info.client = t.client;
    t.info.server = t.server;
    observer_.on_close(t.info, at(0, 1));
  }

 private:
  static Request make(Talk& t, const Call& c, Stamp when);
  Observer& observer_;
};

inline Bytes bytes(const std::vector<std::uint8_t>& v) { return {v.data(), v.size()}; }

}  // namespace kparse::report
