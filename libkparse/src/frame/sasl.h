// SPDX-License-Identifier: MIT
// Raw SASL tokens: frames without any Kafka header, after SaslHandshake v0 (KIP-43), or from the first frame on with
// GSSAPI as in 0.9. Nothing marks their end: the first client frame that is a request for sure does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frame/head.h"
#include "kparse/connection.h"

namespace kparse::frame {

/// An RFC 2743 initial token: 0x60, a DER length that fills the frame.
[[nodiscard]] bool is_gssapi_token(Bytes head, std::uint32_t size) noexcept;

/// What tokens of the common mechanisms look like (RFC 4616, 5802, 7628; KIP-43 for the empty answer): used where loss
/// hides the handshake.
[[nodiscard]] bool looks_like_token(Side from, Bytes) noexcept;

/// A whole response frame: SaslHandshake's answer of any version, without error and with names of mechanisms.
[[nodiscard]] bool is_handshake_answer(Bytes frame) noexcept;

class SaslPhase {
 public:
  /// A SaslHandshake v0 request, its body, and later its answer.
  void asked(Bytes body, std::uint64_t serial) noexcept;
  void answered(std::uint64_t serial, bool accepted) noexcept;

  /// Counts it as a token if it is one. `client_id`: of the last request. `early`: no ordinary request was seen so far.
  [[nodiscard]] bool client_token(const Frame&, const RequestHead&, bool early, std::string_view client_id) noexcept;

  enum class ServerFrame : std::uint8_t { response, token, unclear };
  /// For a server frame whose first bytes are no awaited correlation id; counts it if it is a token.
  [[nodiscard]] ServerFrame server_frame(Bytes, bool may_wait) noexcept;
  /// A handshake's answer whose request is lost: tokens may follow, or go inside SaslAuthenticate.
  void implied(std::int32_t correlation_id) noexcept {
    state_ = State::tokens;
    ever_ = implied_ = true;
    handshake_id_ = correlation_id;
  }

  [[nodiscard]] bool client_may_send_token() const noexcept { return state_ != State::none; }
  [[nodiscard]] bool server_may_send_token() const noexcept {
    return state_ == State::tokens || from_server_ < from_client_ || ever_;
  }
  [[nodiscard]] bool server_token_due() const noexcept { return state_ != State::none || server_owes_token(); }
  [[nodiscard]] bool server_owes_token() const noexcept { return from_server_ < from_client_; }
  [[nodiscard]] std::string_view mechanism() const noexcept { return mechanism_; }

 private:
  [[nodiscard]] bool counts_on(Bytes) const noexcept;

  enum class State : std::uint8_t { none, asked, tokens };
  State state_ = State::none;
  bool ever_ = false;  ///< there was a handshake of version 0, or a token
  bool implied_ = false;
  std::int32_t handshake_id_ = 0;
  std::uint64_t serial_ = 0;
  std::uint32_t from_client_ = 0, from_server_ = 0;
  std::string mechanism_;
};

}  // namespace kparse::frame
