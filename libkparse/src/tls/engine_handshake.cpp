// SPDX-License-Identifier: MIT
#include <utility>

#include "tls/engine.h"

namespace kparse::tls {
namespace {

constexpr std::size_t max_transcript = 256u << 10;

std::vector<std::uint8_t> copy(Bytes b) { return {b.begin(), b.end()}; }

/// Tickets may be large; sessions are remembered by something short.
std::vector<std::uint8_t> name_of_ticket(Bytes ticket) {
  std::uint8_t sum[48];
  if (ticket.empty()) return {};
  const std::size_t n = digest(Hash::sha256, ticket, sum);
  return {sum, sum + n};
}

}  // namespace

/// A hello that isn't whole, or never will be, tells who is the client, and its random stands at its front.
void Engine::look_at_start(int direction) {
  const Bytes b = flow(direction).stream.waiting();
  if (b.size() < header_size + 1 || b[0] != handshake || flow(direction).stream.searching()) return;
  const std::uint8_t type = b[header_size];
  if (type != Message::client_hello && type != Message::server_hello) return;
  client_is(type == Message::client_hello ? direction : 1 - direction);
  constexpr std::size_t up_to_random = 4 + 2 + 32;
  if (type == Message::client_hello && !hello_seen_ && b.size() >= header_size + up_to_random &&
      flow(direction).stream.next_offset() == b.size())
    partial_hello_ = copy(b.subspan(header_size + 4));
}

void Engine::messages(int direction, Bytes content, bool encrypted) {
  flow(direction).messages.feed(content, [&](std::uint8_t type, Bytes m) { message(direction, type, m, encrypted); });
}

void Engine::message(int direction, std::uint8_t type, Bytes message, bool encrypted) {
  const Bytes body = message.subspan(4);
  const bool from_client = is_client(direction), is_13 = info_.version == tls13;
  if (!encrypted && !transcript_done_ && log_.has_premasters() && type != Message::hello_request) {
    if (transcript_.size() + message.size() > max_transcript) transcript_whole_ = false;
    if (transcript_whole_) transcript_.insert(transcript_.end(), message.begin(), message.end());
    transcript_done_ = type == Message::client_key_exchange;
  }
  switch (type) {
    case Message::client_hello:
      if (encrypted) break;
      client_is(direction);
      if (is_client(direction)) client_hello(body);
      break;
    case Message::server_hello:
      if (encrypted || server_hello_seen_) break;
      client_is(1 - direction);
      if (!is_client(direction)) server_hello(body);
      break;
    case Message::encrypted_extensions:
      if (encrypted && is_13 && !from_client) info_.alpn = read_encrypted_extensions(body);
      break;
    case Message::certificate: {
      auto& names = from_client ? info_.client_certificate : info_.certificate;
      if (names.empty()) names = read_certificate(body, is_13);
      server_flight_ = server_flight_ || !from_client;
      break;
    }
    case Message::server_key_exchange:
    case Message::server_hello_done:
      server_flight_ = server_flight_ || !from_client;
      break;
    case Message::client_key_exchange:
      if (from_client && log_.has_premasters()) encrypted_premaster_ = copy(read_encrypted_premaster(body));
      break;
    case Message::new_session_ticket:
      if (!is_13 && !from_client) new_ticket_ = name_of_ticket(read_ticket(body));
      break;
    case Message::finished:
      if (!encrypted) break;
      if (!is_13) {
        remember_session();
      } else if (flow(direction).epoch == Epoch::handshake) {
        to_traffic(direction);
      }
      break;
    case Message::key_update:
      if (encrypted && is_13 && flow(direction).epoch == Epoch::traffic) update_key(direction);
      break;
    default:
      break;
  }
}

void Engine::client_hello(Bytes body) {
  ClientHello h;
  const bool whole = read_client_hello(body, h);
  if (!whole && body.size() < 34) return;
  partial_hello_ = {};
  early_data_ = early_data_ || h.early_data;
  if (hello_seen_) return;  // again, after a HelloRetryRequest: nothing that matters has changed
  hello_seen_ = true;
  client_random_ = h.random;
  info_.sni = std::move(h.sni);
  if (whole) info_.fingerprint = std::move(h.fingerprint);
  offered_session_ = copy(h.session_id);
  offered_ticket_ = name_of_ticket(h.ticket);
}

void Engine::server_hello(Bytes body) {
  ServerHello h;
  (void)read_server_hello(body, h);
  if (h.retry || h.version == 0) return;
  if (!hello_seen_ && !partial_hello_.empty()) client_hello(std::exchange(partial_hello_, {}));
  server_hello_seen_ = true;
  info_.version = h.version;
  info_.suite = h.suite;
  server_random_ = h.random;
  suite_ = find_suite(h.suite);
  if (suite_ != nullptr && suite_->tls13 != (h.version == tls13)) suite_ = nullptr;
  encrypt_then_mac_ = h.encrypt_then_mac;
  extended_master_ = h.extended_master_secret;
  if (h.version != tls13) {
    info_.alpn = std::move(h.alpn);
    chosen_session_ = copy(h.session_id);
    return;
  }
  info_.resumed = h.psk;
  if (suite_ == nullptr) return;
  for (const int d : {0, 1}) {
    if (flow(d).epoch != Epoch::plain) continue;
    flow(d).epoch = Epoch::handshake;
    (void)set_keys(d, Epoch::handshake);
  }
}

/// TLS 1.2: a later connection may continue this session, by id or by ticket.
void Engine::remember_session() {
  if (!master_.known()) return;
  log_.remember_master(client_random_, master_);
  log_.remember_session(chosen_session_, master_);
  log_.remember_session(new_ticket_, master_);
}

}  // namespace kparse::tls
