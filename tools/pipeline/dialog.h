// SPDX-License-Identifier: MIT
// One TCP connection on its way from bytes to events.
#pragma once

#include <string>

#include "kparse/connection.h"
#include "kparse/events.h"
#include "kparse/interpreter.h"

namespace kparse::cli {

/// Owns what a connection needs: its framer and tracker, its interpreter, and its name. Sits between the two so that
/// the interpreter's observer sees client and server already told apart.
class Dialog final : public ConnectionHandler {
 public:
  /// `ends`: "ip:port" of direction 0 and 1.
  Dialog(std::uint64_t number, std::string end0, std::string end1, const ConnectionOptions&, Cluster&,
         InterpreterPrograms&, Observer&, const InterpreterOptions&);
  Dialog(const Dialog&) = delete;
  Dialog& operator=(const Dialog&) = delete;

  Connection& connection() noexcept { return connection_; }
  const ConversationInfo& info() const noexcept { return info_; }
  /// No more events: tells the observer that the conversation is over.
  void close(Stamp at);

  void on_oriented(int client_direction, bool guessed) override;
  void on_proxied(std::string_view client, Stamp) override;
  void on_request(const Request&) override;
  void on_response(const Response&) override;
  void on_sasl(const SaslToken&) override;
  void on_gap(const Gap&) override;
  void on_other(Side, std::string_view what, Stamp) override;
  void on_unanswered(std::uint64_t serial) override;
  void on_resync(Side, std::uint64_t skipped, Stamp) override;

 private:
  std::string ends_[2];
  std::string proxied_;
  ConversationInfo info_;
  Interpreter interpreter_;
  Connection connection_;
};

}  // namespace kparse::cli
