// SPDX-License-Identifier: MIT
// Both directions of a connection: frames to requests, responses and SASL tokens, and which request a response answers.
// Reads headers only (and of bodies what pairing needs: acks of Produce, the mechanism of SaslHandshake, error codes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kparse/connection.h"

namespace kparse {

/// Not thread-safe. Memory: about 70 bytes an unanswered request, 50 more where it came in several packets, at most
/// max_pending of them.
///
/// Pairing: a broker answers in the order of the requests; the correlation id confirms it. Where order and id disagree
/// the id wins: the requests passed over are given up 32 answers later (Kafka 0.9 skips what it doesn't know; some
/// proxies answer out of order). Produce with acks=0 waits for nothing, but its id is known for a while, since
/// librdkafka's mock broker answers it.
class Tracker {
 public:
  explicit Tracker(std::uint32_t max_pending);
  ~Tracker();
  Tracker(Tracker&&) noexcept;

  enum class Got : std::uint8_t {
    message,  ///< the request or response is filled in
    token,    ///< the SASL token is
    unclear,  ///< a response whose request may have been captured after it: ask again after the client's next frame
  };
  /// Frames of the client, in order.
  Got client(const Frame&, Request&, SaslToken&) noexcept;
  /// Frames of the server, in order. `may_wait`: `unclear` is a welcome answer; without it a response stays unmatched.
  Got server(const Frame&, Response&, SaslToken&, bool may_wait) noexcept;

  /// What Framer asks: can a frame begin like this here? A header of the client's that was whole in `head` is not read again
  /// where client() comes next with a frame at the same address: the bytes must not have changed by then.
  [[nodiscard]] bool plausible(Side, std::uint32_t size, Bytes head) noexcept;

  /// Can `begin`, of which more than its header is there, go on for as long as `size` says? False where the layout is known
  /// and ends before, or is broken.
  [[nodiscard]] bool continues(Side, std::uint32_t size, Bytes begin) const noexcept;
  /// Correlation id of the newest request.
  [[nodiscard]] std::int32_t newest_id() const noexcept;

  /// Does a raw SASL token stand here? For a place that isn't certain: where a gap ends.
  [[nodiscard]] bool token_at(Side, Bytes content) const noexcept;

  /// Bytes of this direction are missing, or were passed over to find the next frame: there may have been frames.
  void lost(Side) noexcept;
  /// The connection has ended: all that waits stays unanswered.
  void finish() noexcept;
  /// Requests that will not be answered any more, in order: call until false after server() and finish().
  [[nodiscard]] bool take_unanswered(std::uint64_t& serial) noexcept;

  /// Is a response with this id awaited? Not where later ones came already.
  [[nodiscard]] bool awaits(std::int32_t correlation_id) const noexcept;
  /// How well these bytes (after the correlation id, `total` in the whole frame) fit as answer to a request with that
  /// id.
  enum class Fits : std::uint8_t {
    no,
    so_far,
    roughly,
    exactly
  };  // roughly: with a few surplus bytes, or its layout isn't known
  /// `sound`: with so_far, bytes of structure that were found to be well-formed.
  [[nodiscard]] Fits fits(std::int32_t correlation_id, Bytes, std::size_t total,
                          std::size_t* sound = nullptr) const noexcept;
  /// Counts what was sent: changes when new ids are awaited.
  [[nodiscard]] std::uint64_t requests() const noexcept;
  /// The client id of the newest request that had one. Views live until the next call of client().
  [[nodiscard]] std::string_view client_id() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> s_;
};

}  // namespace kparse
