// SPDX-License-Identifier: MIT
// A TLS connection as somebody sees it who has the secrets, but not all the bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kparse/tls.h"
#include "tls/handshake.h"
#include "tls/handshake_reader.h"
#include "tls/record_cipher.h"
#include "tls/record_stream.h"
#include "tls/suites.h"

namespace kparse::tls {

/// Which keys a direction's records have.
enum class Epoch : std::uint8_t {
  plain,      ///< none
  handshake,  ///< TLS 1.3
  traffic,
};

/// One direction.
struct Flow {
  Flow(int direction, RecordHost& host) : stream(direction, host) {}

  RecordStream stream;
  HandshakeReader messages;
  Epoch epoch = Epoch::plain;
  RecordCipher cipher;          ///< not ready: plain, or no secret
  std::uint64_t number = 0;     ///< of the next record
  TlsSecret secret;             ///< traffic epoch of TLS 1.3: that `cipher` was made of
  std::uint64_t inner = 0;      ///< offset of the next byte of the inner stream
  bool opened_any = false;      ///< a record
  bool sealed = false;          ///< for good
  bool changed_cipher = false;  ///< a ChangeCipherSpec was seen
  std::uint32_t failures = 0;   ///< records since the last good one that did not open
  std::uint64_t seen = 0;       ///< bytes of the stream that came
  std::uint64_t work = 0;       ///< bytes of records that were tried in vain

  /// What is missing since the last good record.
  struct Loss {
    bool any = false;
    std::uint64_t wire = 0;     ///< bytes that the capture lacks, or that failed
    std::uint64_t damaged = 0;  ///< records whose place is known
    bool place = false;         ///< records may be missing that nobody saw the header of
    bool cut = false;
    Stamp shown;
  } loss;
  std::uint64_t good_end = 0;     ///< stream offset behind the last good record
  std::uint64_t good_number = 0;  ///< that the record behind it has
};

class Engine final : public RecordHost {
 public:
  Engine(KeyLog& log, TlsScratch& scratch, TlsHandler& handler) : log_(log), scratch_(scratch), handler_(handler) {}

  void data(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now);
  void gap(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown, Stamp now);
  void end(int direction, Stamp now);
  void finish(Stamp now);
  /// No more: there is no memory.
  void abandon() noexcept;
  [[nodiscard]] const TlsInfo& info() const noexcept { return info_; }
  [[nodiscard]] const TlsRandom* client_random() const noexcept { return hello_seen_ ? &client_random_ : nullptr; }

  void on_record(int direction, const RawRecord&) override;
  bool try_record(int direction, const RawRecord&) override;
  void on_damaged(int direction, Bytes front) override;
  bool on_lost_place(int direction, Bytes there, Stamp now) override;

 private:
  /// Keys that a record may have, and the numbers to try with them.
  struct Attempt {
    Epoch epoch = Epoch::plain;
    std::uint32_t updates = 0;  ///< after the keys that are known
    std::uint64_t first = 0;
  };

  // engine.cpp: records and what is in them
  void plain_record(int direction, const RawRecord&);
  void sealed_record(int direction, const RawRecord&);
  void good(int direction, const RawRecord&, const Opened&);
  void take(int direction, const RawRecord&, const Opened&);
  void hand_on(int direction, const RawRecord&, const Opened&);
  void note_alert(int direction, Bytes);
  void seal(int direction, TlsSealed why, std::uint64_t from, Stamp now);
  void tell_sealed(Stamp now);
  [[nodiscard]] bool is_client(int direction) const noexcept { return direction == client_; }
  [[nodiscard]] Flow& flow(int direction) noexcept { return flows_[direction]; }
  [[nodiscard]] TlsInfo::Flow& facts(int direction) noexcept {
    return is_client(direction) ? info_.client : info_.server;
  }
  void client_is(int direction);

  // engine_handshake.cpp: messages
  void messages(int direction, Bytes content, bool encrypted);
  void message(int direction, std::uint8_t type, Bytes message, bool encrypted);
  void client_hello(Bytes body);
  void server_hello(Bytes body);
  void look_at_start(int direction);
  void remember_session();

  // engine_keys.cpp: secrets to keys
  [[nodiscard]] const TlsSecrets* secrets();
  [[nodiscard]] TlsSecret secret_for(int direction, Epoch);
  [[nodiscard]] bool set_keys(int direction, Epoch);
  [[nodiscard]] bool make_cipher(int direction, const Attempt&, RecordCipher&, TlsSecret&);
  [[nodiscard]] TlsSecret master();
  [[nodiscard]] bool derive_keys();
  [[nodiscard]] TlsSealed why_no_keys();
  void begin_encryption(int direction, const RawRecord&);
  void to_traffic(int direction);
  void update_key(int direction);

  // engine_recover.cpp: after lost bytes
  [[nodiscard]] bool recover(int direction, const RawRecord&);
  [[nodiscard]] bool attempt(int direction, const RawRecord&, std::span<const Attempt>, std::uint64_t missing);
  [[nodiscard]] bool guess_suite(int direction, const RawRecord&);
  [[nodiscard]] bool plausible_plain(const RawRecord&) const noexcept;
  void failed(int direction, const RawRecord&);
  void settle(int direction, const RawRecord&, Epoch before, bool same_keys, std::uint64_t number);
  void give_up_loss(int direction, Stamp now);

  KeyLog& log_;
  TlsScratch& scratch_;
  TlsHandler& handler_;
  Flow flows_[2] = {Flow(0, *this), Flow(1, *this)};
  TlsInfo info_;
  int client_ = -1;  ///< -1: no hello yet

  bool hello_seen_ = false, server_hello_seen_ = false, early_data_ = false;
  bool told_sealed_ = false;
  bool server_flight_ = false;  ///< TLS 1.2: messages of a full handshake after the ServerHello
  TlsRandom client_random_{}, server_random_{};
  const Suite* suite_ = nullptr;
  bool encrypt_then_mac_ = false, extended_master_ = false;
  std::vector<std::uint8_t> offered_session_, offered_ticket_, chosen_session_, new_ticket_;  ///< names of sessions
  std::vector<std::uint8_t> transcript_, encrypted_premaster_;
  std::vector<std::uint8_t> partial_hello_;  ///< of a ClientHello whose end is missing
  bool transcript_whole_ = true, transcript_done_ = false;
  std::unique_ptr<KeyBlock> block_;  ///< TLS 1.2, once derived
  TlsSecret master_;
};

}  // namespace kparse::tls
