// SPDX-License-Identifier: MIT
#include "pipeline/dialog.h"

#include <utility>

namespace kparse::cli {

Dialog::Dialog(std::uint64_t number, std::string end0, std::string end1, const ConnectionOptions& options,
               Cluster& cluster, InterpreterPrograms& programs, Observer& observer,
               const InterpreterOptions& interpreter_options)
    : ends_{std::move(end0), std::move(end1)},
      info_{.number = number, .client = ends_[0], .server = ends_[1], .proxied = {}, .role_guessed = true},
      interpreter_(info_, cluster, programs, observer, interpreter_options),
      connection_(options, *this) {}

void Dialog::on_oriented(int client_direction, bool guessed) {
  info_.client = ends_[client_direction];
  info_.server = ends_[1 - client_direction];
  info_.role_guessed = guessed;
  interpreter_.on_oriented(client_direction, guessed);
}

void Dialog::on_proxied(std::string_view client, Stamp at) {
  proxied_ = client;
  info_.proxied = proxied_;
  interpreter_.on_proxied(client, at);
}

void Dialog::on_request(const Request& r) { interpreter_.on_request(r); }
void Dialog::on_response(const Response& r) { interpreter_.on_response(r); }
void Dialog::on_sasl(const SaslToken& s) { interpreter_.on_sasl(s); }
void Dialog::on_gap(const Gap& g) { interpreter_.on_gap(g); }
void Dialog::on_other(Side s, std::string_view what, Stamp at) { interpreter_.on_other(s, what, at); }
void Dialog::on_unanswered(std::uint64_t serial) { interpreter_.on_unanswered(serial); }
void Dialog::on_resync(Side s, std::uint64_t skipped, Stamp at) { interpreter_.on_resync(s, skipped, at); }

void Dialog::close(Stamp at) { interpreter_.on_close(at); }

}  // namespace kparse::cli
