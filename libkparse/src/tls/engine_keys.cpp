// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tls/engine.h"

namespace kparse::tls {

const TlsSecrets* Engine::secrets() {
  if (!hello_seen_) return nullptr;
  if (const TlsSecrets* s = log_.find(client_random_)) return s;
  return handler_.on_tls_secret_missing(client_random_) ? log_.find(client_random_) : nullptr;
}

TlsSecret Engine::secret_for(int direction, Epoch epoch) {
  const TlsSecrets* s = secrets();
  if (s == nullptr) return {};
  if (epoch == Epoch::handshake) return is_client(direction) ? s->client_handshake : s->server_handshake;
  return is_client(direction) ? s->client_traffic : s->server_traffic;
}

/// TLS 1.3.
bool Engine::set_keys(int direction, Epoch epoch) {
  Flow& f = flow(direction);
  f.number = f.good_number = 0;
  f.secret = secret_for(direction, epoch);
  if (f.secret.known() && f.cipher.set(*suite_, f.secret.view())) return true;
  f.cipher.clear();
  return false;
}

/// Keys for an attempt, beside those in use.
bool Engine::make_cipher(int direction, const Attempt& a, RecordCipher& cipher, TlsSecret& secret) {
  const Flow& f = flow(direction);
  if (!suite_->tls13) {
    return derive_keys() &&
           cipher.set(*suite_, is_client(direction) ? block_->client : block_->server, encrypt_then_mac_);
  }
  const bool in_use = a.epoch == Epoch::traffic && f.epoch == Epoch::traffic && f.secret.known();
  secret = in_use ? f.secret : secret_for(direction, a.epoch);
  if (!secret.known()) return false;
  for (std::uint32_t i = 0; i < a.updates; ++i) {
    TlsSecret next;
    next.size = secret.size;
    if (!expand_label(suite_->hash, secret.view(), "traffic upd", next.data.data(), next.size)) return false;
    secret = next;
  }
  return cipher.set(*suite_, secret.view());
}

/// TLS 1.2: from the key log, from a premaster secret in it, or from the session that is continued.
TlsSecret Engine::master() {
  if (const TlsSecrets* s = secrets(); s != nullptr && s->master.known()) return s->master;
  Bytes premaster = log_.premaster(client_random_);
  if (premaster.empty() && suite_->rsa_key_exchange && encrypted_premaster_.size() >= 8)
    premaster = log_.premaster_encrypted(Bytes(encrypted_premaster_).first(8));
  TlsSecret m;
  if (!premaster.empty() && server_flight_) {
    std::uint8_t seed[64];
    std::size_t n = 64;
    std::copy(client_random_.begin(), client_random_.end(), seed);
    std::copy(server_random_.begin(), server_random_.end(), seed + 32);
    if (extended_master_) n = transcript_whole_ && transcript_done_ ? digest(suite_->hash, transcript_, seed) : 0;
    const char* label = extended_master_ ? "extended master secret" : "master secret";
    if (n > 0 && prf(suite_->hash, premaster, label, {seed, n}, m.data.data(), 48)) m.size = 48;
    return m;
  }
  if (const TlsSecret* s = log_.session(chosen_session_)) return *s;
  if (const TlsSecret* s = server_flight_ ? nullptr : log_.session(offered_ticket_)) return *s;
  return m;
}

bool Engine::derive_keys() {
  if (block_) return true;
  if (!hello_seen_ || suite_ == nullptr || suite_->tls13) return false;
  master_ = master();
  if (!master_.known()) return false;
  block_ = std::make_unique<KeyBlock>();
  if (block_->derive(*suite_, master_.view(), client_random_, server_random_)) return true;
  block_.reset();
  return false;
}

TlsSealed Engine::why_no_keys() {
  if (!hello_seen_) return TlsSealed::noHandshake;
  if (server_hello_seen_ && info_.version != tls12 && info_.version != tls13) return TlsSealed::badVersion;
  if (server_hello_seen_ && suite_ == nullptr) return TlsSealed::badSuite;
  if (secrets() == nullptr) return TlsSealed::noSecret;
  return server_hello_seen_ ? TlsSealed::noSecret : TlsSealed::noHandshake;
}

/// A ChangeCipherSpec of TLS 1.2 or older.
void Engine::begin_encryption(int direction, const RawRecord& r) {
  Flow& f = flow(direction);
  if (!is_client(direction) && transcript_whole_ && server_hello_seen_) info_.resumed = !server_flight_;
  if (info_.version == tls12 && derive_keys() &&
      f.cipher.set(*suite_, is_client(direction) ? block_->client : block_->server, encrypt_then_mac_)) {
    f.epoch = Epoch::traffic;
    f.number = f.good_number = 0;
    return;
  }
  seal(direction, why_no_keys(), r.offset + r.bytes.size(), r.now);
}

void Engine::to_traffic(int direction) {
  flow(direction).epoch = Epoch::traffic;
  (void)set_keys(direction, Epoch::traffic);
}

/// RFC 8446, 7.2.
void Engine::update_key(int direction) {
  Flow& f = flow(direction);
  RecordCipher next;
  TlsSecret secret;
  if (!make_cipher(direction, {Epoch::traffic, 1, 0}, next, secret)) return;
  f.cipher = std::move(next);
  f.secret = secret;
  f.number = f.good_number = 0;
  ++facts(direction).key_updates;
}

}  // namespace kparse::tls
