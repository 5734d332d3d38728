// SPDX-License-Identifier: MIT
// TCP connections with TLS to what was inside, for whoever writes that down.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "capture/tcp.h"
#include "kparse/tls.h"
#include "pipeline/options.h"
#include "pipeline/tls_gate.h"

namespace kparse::cli {

/// One TLS connection of which something was opened.
struct OpenedConnection {
  std::uint64_t number = 0;
  capture::Endpoint client, server;
};

/// Told in order of time. Offsets count in the inner stream of the client (`from_client`) or the server.
class InnerWriter {
 public:
  virtual ~InnerWriter() = default;
  /// Before the first call for a connection.
  virtual void begin(const OpenedConnection&, Stamp) {}
  virtual void data(const OpenedConnection&, bool from_client, std::uint64_t offset, Bytes, Stamp now) = 0;
  virtual void missing(const OpenedConnection&, bool /*from_client*/, const Missing&, Stamp) {}
  virtual void end(const OpenedConnection&, bool /*from_client*/, Stamp) {}
  virtual void close(const OpenedConnection&, Stamp) {}
};

/// What came of it.
struct OpenedCounts {
  std::uint64_t plain = 0;  ///< connections without TLS
  std::uint64_t opened = 0;
  std::map<TlsSealed, std::uint64_t> sealed;  ///< connections by why they stayed so
  std::uint64_t half = 0;                     ///< opened, but for some bytes
  std::uint64_t lost = 0;                     ///< bytes on the wire
  std::set<TlsRandom> randoms;                ///< of all ClientHellos
};

class InnerCapture final : public capture::StreamHandler {
 public:
  InnerCapture(const CommonOptions& options, TlsShared& tls, InnerWriter& to) : options_(options), tls_(tls), to_(to) {}

  [[nodiscard]] const OpenedCounts& counts() const noexcept { return counts_; }

  void on_open(capture::Conn&, const Stamp&) override;
  void on_data(capture::Conn&, int direction, std::uint64_t offset, Bytes, const Stamp& carried,
               const Stamp& now) override;
  void on_gap(capture::Conn&, int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, const Stamp& shown,
              const Stamp& now) override;
  void on_end(capture::Conn&, int direction, const Stamp&) override;
  void on_close(capture::Conn&, capture::CloseReason, const Stamp&) override;

 private:
  class Talk;
  static Talk* talk(const capture::Conn& c) noexcept;
  [[nodiscard]] bool wanted(const capture::Conn&) const;

  const CommonOptions& options_;
  TlsShared& tls_;
  InnerWriter& to_;
  OpenedCounts counts_;
};

}  // namespace kparse::cli
