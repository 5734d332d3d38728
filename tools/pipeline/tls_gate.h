// SPDX-License-Identifier: MIT
// Takes TLS off the streams of one TCP connection, where there is TLS.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kparse/connection.h"
#include "kparse/tls.h"

namespace kparse::cli {

/// What all gates of a run share.
struct TlsShared {
  virtual ~TlsShared() = default;
  virtual KeyLog& log() noexcept = 0;
  /// See TlsHandler::on_tls_secret_missing.
  virtual bool look_for_more() = 0;
  TlsScratch scratch;
};

/// The streams behind the gate: as for Connection. Plain ones pass unchanged.
class InnerStreams {
 public:
  virtual ~InnerStreams() = default;
  virtual void inner_data(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now) = 0;
  virtual void inner_missing(int direction, const Missing&, Stamp now) = 0;
  virtual void inner_end(int direction, Stamp) = 0;
  /// It is TLS: which direction comes from the client, and the first packet of it. Before all else.
  virtual void inner_client(int /*direction*/, Stamp) {}
  /// The client that a PROXY header in front of TLS names.
  virtual void inner_proxied(std::string_view, Stamp) {}
  /// One side began with TLS, and the other with the first word of another protocol.
  virtual void inner_foreign(int /*direction*/, Bytes, Stamp /*carried*/) {}
  /// It is TLS, nothing was opened, and nothing will be.
  virtual void inner_sealed(Stamp) {}
};

/// Looks at the first bytes of a connection. Memory until they are clear: these bytes, at most 70 KiB with a PROXY
/// header, else 11; afterwards that of a TlsDecryptor, or none.
class TlsGate final : TlsHandler {
 public:
  TlsGate(TlsShared& shared, InnerStreams& inner) : shared_(shared), inner_(inner) {}

  void data(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now);
  void missing(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown, Stamp now);
  void end(int direction, Stamp);
  /// The connection is over; the inner streams are not told.
  void finish(Stamp);

  /// No TLS here: whoever feeds the gate may feed the inner streams instead.
  [[nodiscard]] bool plain() const noexcept { return plain_; }
  /// nullptr: not TLS, or not known yet.
  [[nodiscard]] const TlsInfo* info() const noexcept { return tls_ ? &tls_->info() : nullptr; }
  [[nodiscard]] const TlsRandom* client_random() const noexcept { return tls_ ? tls_->client_random() : nullptr; }

 private:
  struct Piece {
    enum class Kind : std::uint8_t { data, missing, end } kind;
    int direction;
    std::uint64_t offset, bytes;
    bool cut;
    std::vector<std::uint8_t> data;
    Stamp carried, now;  ///< missing: shown, now
  };

  void decide(int direction);
  void open();
  void replay();
  void pass(const Piece&);
  void on_tls_client(int direction) override;
  bool on_tls_secret_missing(const TlsRandom&) override;
  void on_tls_data(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now) override;
  void on_tls_gap(const TlsGap&, Stamp now) override;
  void on_tls_sealed(Stamp) override;

  TlsShared& shared_;
  InnerStreams& inner_;
  bool plain_ = false;
  std::vector<Piece> held_;
  std::vector<std::uint8_t> first_[2];  ///< bytes of each direction so far
  std::uint64_t proxy_[2] = {0, 0};     ///< length of a PROXY header in front of TLS
  Stamp begun_;
  std::unique_ptr<TlsDecryptor> tls_;
};

}  // namespace kparse::cli
