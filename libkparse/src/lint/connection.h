// SPDX-License-Identifier: MIT
// What rules know of a connection.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "kparse/events.h"

namespace kparse::lint {

/// A request that waits for its answer, or whose answer is at hand.
struct Asked {
  std::uint64_t serial = 0;
  const Api* api = nullptr;
  std::int16_t api_key = -1, version = -1;
  std::int32_t correlation_id = 0;
  std::int16_t acks = 1;             ///< Produce
  bool answer_expected = true;
  bool known = false;                ///< the tables have this version
  bool whole = true;                 ///< all its bytes were captured
  std::uint64_t offset = 0;
  std::uint32_t size = 0;
  Stamp first, completed;
};

enum class End : std::uint8_t { open, fin, rst };

/// Kept by the Linter from a connection's first packet until after its on_close.
struct Conn {
  const ConversationInfo* info = nullptr;
  std::uint64_t number = 0;
  std::uint32_t slot = 0;            ///< small: no other open connection has it
  std::string client_id;             ///< of the newest request that had one
  bool client_id_null = true;
  std::string mechanism, user;       ///< SASL
  bool kafka = false;                ///< it speaks Kafka
  bool tls = false;                  ///< it began with TLS (opened or not)
  bool from_syn = false;             ///< both streams were captured from their first byte
  bool sasl_seen = false;            ///< a SaslHandshake, SaslAuthenticate or raw token
  bool inter_broker = false;         ///< known to be between brokers: a replica id, an API only brokers use
  bool lost[2] = {false, false};     ///< by Side: bytes are missing in the capture
  bool segments = false;             ///< packets are told: what follows is known
  End end[2] = {End::open, End::open};   ///< by direction: how its sender ended it
  Stamp ended[2];
  Stamp opened, last;                ///< first and newest packet
  std::uint64_t requests = 0, responses = 0;
  std::deque<Asked> outstanding;     ///< awaited answers, oldest first (the request at hand is the newest); at most max_outstanding
  static constexpr std::size_t max_outstanding = 4096;

  [[nodiscard]] int direction_of(Side s) const noexcept {
    const int client = info && info->client_direction >= 0 ? info->client_direction : 0;
    return s == Side::client ? client : 1 - client;
  }
  [[nodiscard]] End how_ended(Side s) const noexcept { return end[direction_of(s)]; }
  /// Not TLS in the clear sense: what is on it can be read by anybody on the path.
  [[nodiscard]] bool in_clear() const noexcept { return !tls; }
  [[nodiscard]] std::string_view client() const noexcept { return info ? info->client : std::string_view{}; }
  [[nodiscard]] std::string_view server() const noexcept { return info ? info->server : std::string_view{}; }
  /// Without its port.
  [[nodiscard]] std::string_view client_host() const noexcept {
    const std::string_view c = client();
    return c.substr(0, c.rfind(':'));
  }
};

}  // namespace kparse::lint
