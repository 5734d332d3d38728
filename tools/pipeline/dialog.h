// SPDX-License-Identifier: MIT
// One TCP connection on its way from bytes to events.
#pragma once

#include <memory>
#include <string>

#include "kparse/connection.h"
#include "kparse/events.h"
#include "kparse/interpreter.h"
#include "pipeline/tls_gate.h"

namespace kparse::cli {

/// Owns what a connection needs: what opens its TLS, its framer and tracker, its interpreter, and its name. Sits
/// between them so that the interpreter's observer sees client and server already told apart.
class Dialog final : ConnectionHandler, InnerStreams {
 public:
  /// `slot`: of ConversationInfo. `ends`: "ip:port" of direction 0 and 1.
  Dialog(std::uint64_t number, std::uint32_t slot, std::string end0, std::string end1, const ConnectionOptions&, TlsShared&, Cluster&,
         InterpreterPrograms&, Observer&, const InterpreterOptions&);
  Dialog(const Dialog&) = delete;
  Dialog& operator=(const Dialog&) = delete;

  void set_higher_port(int direction) noexcept { connection_.set_higher_port(direction); }
  void syn_from(int direction) noexcept { connection_.syn_from(direction); }
  void begin_missed(int direction) noexcept { connection_.begin_missed(direction); }
  void data(int direction, std::uint64_t offset, Bytes b, const Stamp& carried, const Stamp& now) {
    if (!gate_) [[likely]]
      return connection_.data(direction, offset, b, carried, now);
    through_gate(direction, offset, b, carried, now);
  }
  void gap(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, const Stamp& shown, const Stamp& now);
  void end(int direction, const Stamp&);
  const ConversationInfo& info() const noexcept { return info_; }
  /// The connection is over: no more events, and the observer is told.
  void close(Stamp at);

 private:
  void through_gate(int direction, std::uint64_t offset, Bytes, const Stamp& carried, const Stamp& now);
  void drop_gate() noexcept {
    if (gate_ && gate_->plain()) gate_.reset();
  }
  void name_tls();

  void on_oriented(int client_direction, bool guessed) override;
  void on_proxied(std::string_view client, Stamp) override;
  void on_request(const Request&) override;
  void on_response(const Response&) override;
  void on_sasl(const SaslToken&) override;
  void on_gap(const Gap&) override;
  void on_other(Side, std::string_view what, Stamp) override;
  void on_not_a_frame(const NotAFrame&) override;
  void on_unanswered(std::uint64_t serial) override;
  void on_resync(Side, std::uint64_t skipped, Stamp) override;

  void inner_data(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now) override;
  void inner_missing(int direction, const Missing&, Stamp now) override;
  void inner_end(int direction, Stamp) override;
  void inner_client(int direction, Stamp) override;
  void inner_proxied(std::string_view client, Stamp) override;
  void inner_foreign(int direction, Bytes, Stamp carried) override;
  void inner_sealed(Stamp) override;

  std::string ends_[2];
  std::string proxied_;
  ConversationInfo info_;
  Interpreter interpreter_;
  Connection connection_;
  std::unique_ptr<TlsGate> gate_;   ///< nullptr: what comes is plain
  std::unique_ptr<TlsInfo> outer_;  ///< of TLS that there is no gate for
  Stamp tls_begun_;
  int tls_client_ = 0;
  bool tls_named_ = false, heard_client_ = false;
};

}  // namespace kparse::cli
