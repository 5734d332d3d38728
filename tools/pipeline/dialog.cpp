// SPDX-License-Identifier: MIT
#include "pipeline/dialog.h"

#include <algorithm>
#include <utility>

namespace kparse::cli {

Dialog::Dialog(std::uint64_t number, std::uint32_t slot, std::string end0, std::string end1,
               const ConnectionOptions& options, TlsShared& tls, Cluster& cluster, InterpreterPrograms& programs, Observer& observer,
               const InterpreterOptions& interpreter_options)
    : ends_{std::move(end0), std::move(end1)},
      info_{.number = number, .client = ends_[0], .server = ends_[1], .proxied = {}, .role_guessed = true,
            .slot = slot},
      interpreter_(info_, cluster, programs, observer, interpreter_options),
      connection_(options, static_cast<ConnectionHandler&>(*this)),
      gate_(std::make_unique<TlsGate>(tls, static_cast<InnerStreams&>(*this))) {}

void Dialog::through_gate(int direction, std::uint64_t offset, Bytes b, const Stamp& carried, const Stamp& now) {
  gate_->data(direction, offset, b, carried, now);
  drop_gate();
}

void Dialog::gap(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, const Stamp& shown,
                 const Stamp& now) {
  if (!gate_) return connection_.gap(direction, offset, bytes, cut, shown, now);
  gate_->missing(direction, offset, bytes, cut, shown, now);
  drop_gate();
}

void Dialog::end(int direction, const Stamp& at) {
  if (!gate_) return connection_.end(direction, at);
  gate_->end(direction, at);
  drop_gate();
}

void Dialog::close(Stamp at) {
  if (gate_) gate_->finish(at);
  connection_.finish(at);
  interpreter_.on_close(at);
}

void Dialog::on_oriented(int client_direction, bool guessed) {
  info_.client = ends_[client_direction];
  info_.server = ends_[1 - client_direction];
  info_.role_guessed = guessed;
  info_.client_direction = client_direction;
  interpreter_.on_oriented(client_direction, guessed);
}

void Dialog::on_proxied(std::string_view client, Stamp at) {
  proxied_ = client;
  info_.proxied = proxied_;
  interpreter_.on_proxied(client, at);
}

void Dialog::on_request(const Request& r) {
  heard_client_ = true;
  interpreter_.on_request(r);
}
void Dialog::on_response(const Response& r) { interpreter_.on_response(r); }
void Dialog::on_sasl(const SaslToken& s) { interpreter_.on_sasl(s); }
void Dialog::on_gap(const Gap& g) { interpreter_.on_gap(g); }
void Dialog::on_not_a_frame(const NotAFrame& n) { interpreter_.on_not_a_frame(n); }
void Dialog::on_unanswered(std::uint64_t serial) { interpreter_.on_unanswered(serial); }
void Dialog::on_resync(Side s, std::uint64_t skipped, Stamp at) { interpreter_.on_resync(s, skipped, at); }

// TLS without a hello: the connection began before the capture, or the other side speaks plain text.
void Dialog::on_other(Side s, std::string_view what, Stamp at) {
  if (what == "TLS" && info_.tls == nullptr) {
    outer_ = std::make_unique<TlsInfo>();
    (s == Side::client ? outer_->client : outer_->server).why =
        heard_client_ && s == Side::server ? TlsSealed::plainClient : TlsSealed::noHandshake;
    info_.tls = outer_.get();
  }
  interpreter_.on_other(s, what, at);
}

// It is told of a conversation once, when it is clear whether it can be opened: before the first frame inside.
void Dialog::name_tls() {
  if (tls_named_) return;
  tls_named_ = true;
  on_oriented(tls_client_, false);
  info_.tls = gate_->info();
  interpreter_.on_other(Side::client, "TLS", tls_begun_);
}

void Dialog::inner_client(int direction, Stamp begun) {
  tls_client_ = direction;
  tls_begun_ = begun;
  connection_.syn_from(direction);  // the inner streams begin here, whether or not the SYN was seen
}

void Dialog::inner_proxied(std::string_view client, Stamp at) { on_proxied(client, at); }
void Dialog::inner_foreign(int direction, Bytes b, Stamp carried) {
  if (!tls_named_) return;
  interpreter_.on_not_a_frame({.from = direction == tls_client_ ? Side::client : Side::server,
                               .offset = 0,
                               .bytes = b.first(std::min(b.size(), NotAFrame::most)),
                               .kafka = false,
                               .first = true,
                               .at = carried});
}
void Dialog::inner_sealed(Stamp) { name_tls(); }

void Dialog::inner_data(int direction, std::uint64_t offset, Bytes b, Stamp carried, Stamp now) {
  if (gate_->info() != nullptr) name_tls();
  connection_.data(direction, offset, b, carried, now);
}

void Dialog::inner_missing(int direction, const Missing& m, Stamp now) { connection_.missing(direction, m, now); }
void Dialog::inner_end(int direction, Stamp at) { connection_.end(direction, at); }

}  // namespace kparse::cli
