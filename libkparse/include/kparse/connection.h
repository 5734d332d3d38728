// SPDX-License-Identifier: MIT
// A Kafka connection: from the bytes of both directions to requests, responses, SASL tokens and gaps.
// Put together from a Framer for each direction and one Tracker for both (frame/framer.h, frame/tracker.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/error.h"
#include "kparse/extent.h"
#include "kparse/schema.h"
#include "kparse/stamp.h"

namespace kparse {

enum class Side : std::uint8_t { client, server };

/// A frame as it was found in one direction's stream. Views live until the handler returns.
struct Frame {
  Side from = Side::client;
  std::uint64_t offset = 0;  ///< of the 4 size bytes in that direction's stream
  std::uint32_t size = 0;    ///< value of the size field
  Bytes data;                ///< the bytes after the size field, as far as they are there contiguously from the start
  Error error;               ///< lost or cut: bytes are missing (need: size, have: what is there); none: whole
  Stamp first, last;         ///< packets that carry its first and its last byte (the last one of what is there)
  Stamp completed;           ///< the packet that made it whole, or showed that it will stay incomplete
  bool offset_exact = true;

  [[nodiscard]] bool whole() const noexcept { return !error; }
};

/// A request's or response's header, decoded.
struct Request {
  Frame frame;
  const Api* api = nullptr;  ///< nullptr: key not in the tables
  std::int16_t api_key = -1;
  std::int16_t version = -1;
  bool known = false;  ///< the tables have this version: `body` can be walked
  std::int8_t header_version = 1;
  std::int32_t correlation_id = 0;
  std::string_view client_id;
  bool client_id_null = true;
  bool same_client = false;  ///< by client id that of the connection's request before this one, whose header was whole
  Bytes body;
  std::uint64_t serial = 0;     ///< counts the connection's requests; a Response names its request by it
  bool answer_expected = true;  ///< false: Produce with acks=0
  bool header_whole = true;  ///< false: bytes of the header are missing; fields that aren't there keep their defaults
};

struct Response {
  Frame frame;
  bool matched = false;  ///< its request was seen; without it, api and body are unknown
  const Api* api = nullptr;
  std::int16_t api_key = -1;
  std::int16_t version = -1;  ///< of the layout of `body`: 0 for an ApiVersions fallback answer
  std::int16_t request_version = -1;
  bool known = false;
  std::int8_t header_version = 0;
  std::int32_t correlation_id = 0;
  Bytes body;
  std::uint64_t serial = 0;  ///< of the request
  bool expected = true;      ///< false: to a request that asked for no answer (some mock brokers answer acks=0)
  bool header_whole = true;  ///< false: the correlation id is missing
  Stamp request_first, request_last, request_completed;
  std::uint64_t request_offset = 0;
  std::int64_t latency_ns =
      0;  ///< end of request to end of response; negative where the capture has them in that order
  std::int64_t first_byte_ns = 0;  ///< end of request to first byte of response
  bool request_whole = true;       ///< false: bytes of it are missing, `request_completed` is when that became known
  std::int16_t guess = -1;         ///< unmatched: API key that the bytes point to, -1 none

  /// Do the times tell how long the answer took? Not where either frame lacks bytes, or the capture has them in the
  /// wrong order.
  [[nodiscard]] bool timed() const noexcept { return matched && request_whole && frame.whole() && latency_ns >= 0; }
};

/// A raw SASL token (after SaslHandshake v0, or GSSAPI without any handshake).
struct SaslToken {
  Frame frame;
  std::string_view mechanism;  ///< "" when no handshake named it
};

struct Gap {
  Side from;
  std::uint64_t offset;
  std::uint64_t bytes;  ///< of the TCP stream: inside TLS those of ciphertext
  Stamp at;  ///< the first packet that shows it
  bool cut;  ///< by the snapshot length (else lost)
};

/// Bytes of a stream that will never come.
struct Missing {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;           ///< 0: nothing of this stream, but of what is around it
  Extent extent = Extent::exact;     ///< of `bytes`
  std::uint64_t wire = 0;            ///< that the capture lacks: what Gap tells
  bool cut = false;                  ///< by the snapshot length
  Stamp shown;                       ///< the first packet that tells of them
};

/// Bytes where a frame should begin, and none does: another protocol's, or the place of frames was lost.
struct NotAFrame {
  static constexpr std::size_t most = 64;
  Side from = Side::client;
  std::uint64_t offset = 0;   ///< in that direction's stream
  Bytes bytes;                ///< at most `most`; what would be the size field comes first
  bool kafka = false;         ///< frames are read on this connection; false: it is another protocol's
  bool first = false;         ///< they are the first of that direction, from its very beginning
  Stamp at;                   ///< the packet with which it became clear
};

/// What happens on a connection, in the order in which it became known.
class ConnectionHandler {
 public:
  virtual ~ConnectionHandler() = default;
  virtual void on_request(const Request&) {}
  virtual void on_response(const Response&) {}
  virtual void on_sasl(const SaslToken&) {}
  virtual void on_gap(const Gap&) {}
  /// Not Kafka: TLS, HTTP, SSH, ..., "unknown". Once per connection; frames may have come before (a plain client on a
  /// TLS port).
  virtual void on_other(Side /*from*/, std::string_view /*what*/, Stamp) {}
  /// Once for each direction of a connection that isn't Kafka, as far as it says something; of one that is, each time.
  virtual void on_not_a_frame(const NotAFrame&) {}
  /// A PROXY protocol header before the first frame: the client it names ("ip:port").
  virtual void on_proxied(std::string_view /*client*/, Stamp) {}
  /// The direction that comes from the client (0 or 1) is settled. Before any other event.
  virtual void on_oriented(int /*client_direction*/, bool /*guessed*/) {}
  /// A request that will not be answered any more (connection ended, or later ones were answered).
  virtual void on_unanswered(std::uint64_t /*serial*/) {}
  /// Bytes were skipped to find the next frame.
  virtual void on_resync(Side, std::uint64_t /*skipped*/, Stamp) {}
};

struct ConnectionOptions {
  bool trust_port = false;               ///< the caller knows that this is Kafka (--port-only): no detection
  std::uint32_t max_frame = 512u << 20;  ///< a larger size field isn't believed
  std::uint32_t max_pending = 16384;     ///< unanswered requests kept; past it the oldest is given up (on_unanswered)
};

/// Not thread-safe; one per TCP connection. Memory: what is needed to hold the frames not yet whole, and the requests
/// not yet answered; until it is clear what the connection speaks and who is the client, at most 128 KiB a direction.
/// Never allocates by a length read from the wire. A frame that lies in one piece is handed on without a copy.
class Connection {
 public:
  Connection(const ConnectionOptions&, ConnectionHandler&);
  ~Connection();
  Connection(Connection&&) noexcept;

  /// Who sent the SYN: directions are 0 and 1, the caller's choice. Call before data; offsets count from the byte after
  /// it.
  void syn_from(int direction) noexcept;
  /// With the SYN of the other direction alone: where this one's bytes begin isn't known, what comes first may stand
  /// anywhere. Before its data.
  void begin_missed(int direction) noexcept;
  /// The direction that comes from the higher port: it decides when nothing else does.
  void set_higher_port(int direction) noexcept;
  /// In-order bytes of one direction; `offset` counts from the byte after the SYN, or from the first byte seen.
  /// `carried`: the packet that has these bytes; `now`: the packet that is being processed, which is another one when a
  /// segment that came too early is released.
  void data(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now) noexcept;
  /// `bytes` of the stream at `offset` that will never come. `shown`: the first packet that tells of them; `now`: the
  /// one with which waiting for them ended.
  void gap(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown, Stamp now) noexcept;
  void gap(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp now) noexcept {
    gap(direction, offset, bytes, cut, now, now);
  }
  /// The same where something (TLS) is between this stream and the wire.
  void missing(int direction, const Missing&, Stamp now) noexcept;
  /// The direction has ended (FIN), or both have (RST, new SYN, end of capture).
  void end(int direction, Stamp) noexcept;
  void finish(Stamp) noexcept;
  /// Decides by what is there whatever waits for more evidence, as finish() does; but the connection goes on. For
  /// viewers that show what is known so far.
  void settle(Stamp) noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kparse
