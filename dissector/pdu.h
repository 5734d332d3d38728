// SPDX-License-Identifier: GPL-2.0-or-later
// What the first pass over a capture finds out about each Kafka frame, and what all later ones show. Everything here lives
// in Wireshark's file scope: plain memory that no destructor runs for.
#pragma once

#include <cstdint>

#include "kparse/connection.h"
#include "kparse/error.h"
#include "kparse/schema.h"

namespace kparse::dissector {

/// A request and its response. Frame numbers are Wireshark's; 0: not seen (yet).
struct Exchange {
  std::uint32_t request_frame = 0;
  std::uint32_t response_frame = 0;
  bool answer_expected = true;   ///< false: Produce with acks=0
  std::int16_t inner_api_key = -1, inner_version = -1;  ///< of the request inside an Envelope
  std::int32_t max_wait_ms = -1;  ///< how long a Fetch may wait for data; known once somebody listens to the taps
};

/// Part of a frame, in one packet.
struct Piece {
  std::uint32_t packet;
  std::uint32_t bytes;
};

/// Bytes that were kept of a frame.
struct Part {
  const std::uint8_t* bytes;
  std::uint32_t length;
};

/// A frame whose bytes come from several packets, or from another one than the packet that shows it.
struct Kept {
  const Part* parts = nullptr;    ///< all but its last bytes
  const Piece* pieces = nullptr;  ///< the packets that carry it
  std::uint32_t part_count = 0;
  std::uint32_t piece_count = 0;
  std::uint32_t here = 0;  ///< its last bytes: the first ones of the packet that shows it
};

/// What earlier frames of a connection tell about payloads (BodyContext). "" unknown.
struct Words {
  const char *protocol_type = "", *protocol_name = "", *mechanism = "";
};

/// One Kafka frame, or what stands in a frame's place. Millions of them are kept: small.
struct Pdu {
  enum class Kind : std::uint8_t {
    request,
    response,
    sasl,     ///< a raw token (after SaslHandshake v0)
    gap,      ///< bytes that the capture lacks
    skipped,  ///< bytes passed over to find the next frame
  };

  Pdu* next = nullptr;                  ///< in the same packet
  union {
    const Kept* kept = nullptr;         ///< with `is_kept`
    std::uint32_t at;                   ///< without: its bytes are in the packet, so far into what TCP or TLS handed on
  };
  Exchange* exchange = nullptr;
  const Words* words = nullptr;         ///< never nullptr of requests, responses and tokens
  std::uint64_t offset = 0;             ///< in the direction's stream
  union {
    std::int64_t latency_ns = 0;        ///< response: end of request to its own end
    std::uint64_t missing;              ///< of a gap: bytes; of skipped: bytes passed over
  };
  std::uint32_t bytes = 0;              ///< that are there, the size field included
  std::uint32_t size = 0;               ///< value of the size field
  std::uint32_t body_at = 4;            ///< from the size field on
  std::int32_t correlation_id = 0;
  std::int16_t api_key = -1;            ///< as kparse::Request and Response have it, like the other fields of the header
  std::int16_t version = -1;            ///< of the body's layout
  std::int16_t request_version = -1;    ///< as the request says
  std::int16_t guess = -1;              ///< of an unmatched response: API key that the bytes point to
  Kind kind = Kind::request;
  Side from = Side::client;
  Code error = Code::none;              ///< lost or cut; none: whole
  std::int8_t header_version = 0;
  bool is_kept : 1 = false;
  bool offset_exact : 1 = true;
  bool cut : 1 = false;                 ///< gap: by the snapshot length
  bool known : 1 = false;               ///< `version` is in the tables
  bool header_whole : 1 = true;
  bool matched : 1 = false;             ///< response: its request was seen
  bool expected : 1 = true;             ///< response: false when it answers acks=0
  bool client_id_null : 1 = true;

  /// nullptr: key not in the tables, or not known.
  [[nodiscard]] const Api* api() const noexcept { return find_api(api_key); }
  /// Of its body; nullptr: not known.
  [[nodiscard]] const Message* message() const noexcept {
    const Api* const a = api();
    if (!a || !known || !header_whole) return nullptr;
    if (kind == Kind::request) return a->request;
    return kind == Kind::response && matched ? a->response : nullptr;
  }
  [[nodiscard]] bool whole() const noexcept { return error == Code::none; }
};

}  // namespace kparse::dissector
