// SPDX-License-Identifier: MIT
#include "frame/sasl.h"

#include <cstdlib>

#include "frame/fit.h"
#include "frame/seek.h"

namespace kparse::frame {

bool is_gssapi_token(Bytes b, std::uint32_t size) noexcept {
  if (b.size() < 6 || b[0] != 0x60) return false;
  std::uint32_t length = b[1], prefix = 2;
  if (length >= 0x80) {
    const std::uint32_t n = length & 0x7f;
    if (n < 1 || n > 3) return false;
    length = 0;
    for (std::uint32_t i = 0; i < n; ++i) length = length << 8 | b[2 + i];
    prefix += n;
  }
  return length + prefix == size;
}

bool looks_like_token(Side from, Bytes b) noexcept {
  const std::string_view s = text(b);
  const auto begins = [s](std::string_view with) { return s.substr(0, with.size()) == with; };
  if (from == Side::server) return s.empty() || ((begins("r=") || begins("v=") || begins("e=")) && printable(s));
  if (begins("n,,") || begins("y,,")) return true;
  if (begins("c=") || begins("n,a=") || begins("p=")) return printable(s);
  // PLAIN: authorization id, user, password, with NUL between.
  const std::size_t first = s.find('\0');
  const std::size_t second = first == std::string_view::npos ? first : s.find('\0', first + 1);
  return second != std::string_view::npos && second > first + 1 && second + 1 < s.size() &&
         printable(s.substr(0, first)) && printable(s.substr(first + 1, second - first - 1)) &&
         printable(s.substr(second + 1));
}

bool is_handshake_answer(Bytes frame) noexcept {
  if (frame.size() < 12 || load_be<std::int16_t>(frame.data() + 4) != 0) return false;
  const Message& m = *find_api(17)->response;
  if (fit(m, 0, frame.subspan(4), frame.size() - 4) != Fit::exact) return false;
  const auto name = load_be<std::uint16_t>(frame.data() + 10);
  return load_be<std::uint32_t>(frame.data() + 6) > 0 && name >= 3 && frame[12] >= 'A' && frame[12] <= 'Z';
}

void SaslPhase::asked(Bytes body, std::uint64_t serial) noexcept {
  mechanism_.clear();
  if (body.size() >= 2) {
    const auto n = load_be<std::uint16_t>(body.data());
    if (n <= 64 && n + 2u <= body.size()) mechanism_.assign(text(body.subspan(2, n)));
  }
  state_ = State::asked;
  ever_ = true;
  serial_ = serial;
  from_client_ = from_server_ = 0;
}

void SaslPhase::answered(std::uint64_t serial, bool accepted) noexcept {
  if (state_ == State::none || serial != serial_) return;
  if (!accepted)
    state_ = State::none;
  else if (state_ == State::asked)
    state_ = State::tokens;
}

bool SaslPhase::client_token(const Frame& f, const RequestHead& h, bool early, std::string_view client_id) noexcept {
  const bool gssapi = early && state_ == State::none && is_gssapi_token(f.data, f.size);
  if (gssapi) mechanism_ = "GSSAPI";
  if (state_ == State::none && !gssapi && !(early && f.whole() && looks_like_token(Side::client, f.data))) return false;
  const Fit fits = fit_request(h, f.data, f.size);
  const bool same_client = h.client_id_whole && !h.client_id.empty() && h.client_id == client_id;
  const bool request = h.state != RequestHead::State::bad &&
                       (fits == Fit::exact || fits == Fit::surplus || (same_client && (h.known || h.key == 18)) ||
                        (fits == Fit::so_far && h.client_id_whole));
  if (request && !gssapi) {
    state_ = State::none;
    return false;
  }
  state_ = State::tokens;
  ever_ = true;
  ++from_client_;
  return true;
}

/// Where nothing tells how the tokens are carried: what goes on counting is an answer.
bool SaslPhase::counts_on(Bytes b) const noexcept {
  if (!implied_ || b.size() < 4) return false;
  const auto id = load_be<std::int32_t>(b.data());
  if (id >= sasl_ids || handshake_id_ >= sasl_ids) return id >= sasl_ids || (id >= 0 && id < 65536);
  return std::abs(std::int64_t{id} - handshake_id_) <= 256;
}

SaslPhase::ServerFrame SaslPhase::server_frame(Bytes b, bool may_wait) noexcept {
  if (counts_on(b)) return ServerFrame::response;
  if (from_server_ < from_client_ || (ever_ && looks_like_token(Side::server, b))) {
    ++from_server_;
    return ServerFrame::token;
  }
  if (state_ != State::tokens) return ServerFrame::response;
  if (may_wait) return ServerFrame::unclear;
  ++from_server_;
  return ServerFrame::token;
}

}  // namespace kparse::frame
