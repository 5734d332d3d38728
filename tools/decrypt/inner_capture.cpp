// SPDX-License-Identifier: MIT
#include "decrypt/inner_capture.h"

#include <algorithm>

namespace kparse::cli {

class InnerCapture::Talk final : InnerStreams {
 public:
  Talk(const capture::Conn& c, TlsShared& tls, InnerWriter& to, OpenedCounts& counts)
      : to_(to), counts_(counts), ends_{c.sender(0), c.sender(1)}, gate(tls, static_cast<InnerStreams&>(*this)) {
    connection_.number = c.number();
  }

  void close(Stamp at) {
    gate.finish(at);
    const TlsInfo* info = gate.info();
    if (info == nullptr) {
      ++counts_.plain;
      return;
    }
    if (const TlsRandom* r = gate.client_random()) counts_.randoms.insert(*r);
    if (!begun_) {
      ++counts_.sealed[info->why()];
      return;
    }
    to_.close(connection_, at);
    counts_.lost += lost_;
    ++counts_.opened;
    if (info->why() != TlsSealed::no) ++counts_.half;
  }

 private:
  void inner_client(int direction, Stamp) override {
    client_ = direction;
    connection_.client = ends_[direction];
    connection_.server = ends_[1 - direction];
  }
  void inner_data(int direction, std::uint64_t offset, Bytes b, Stamp, Stamp now) override {
    if (gate.info() == nullptr) return;
    begin(now);
    to_.data(connection_, direction == client_, offset, b, now);
  }
  void inner_missing(int direction, const Missing& m, Stamp now) override {
    if (gate.info() == nullptr) return;
    lost_ += m.wire;
    if (m.bytes == 0) return;
    begin(now);
    to_.missing(connection_, direction == client_, m, now);
  }
  void inner_end(int direction, Stamp now) override {
    if (begun_) to_.end(connection_, direction == client_, now);
  }
  void begin(Stamp now) {
    if (!begun_) to_.begin(connection_, now);
    begun_ = true;
  }

  InnerWriter& to_;
  OpenedCounts& counts_;
  capture::Endpoint ends_[2];
  OpenedConnection connection_;
  int client_ = 0;
  std::uint64_t lost_ = 0;
  bool begun_ = false;

 public:
  TlsGate gate;
};

InnerCapture::Talk* InnerCapture::talk(const capture::Conn& c) noexcept {
  return reinterpret_cast<Talk*>(static_cast<std::uintptr_t>(c.user));
}

bool InnerCapture::wanted(const capture::Conn& c) const {
  const auto& numbers = options_.filter.conversations;
  if (!numbers.empty() && std::find(numbers.begin(), numbers.end(), c.number()) == numbers.end()) return false;
  return options_.ports.empty() || options_.ports.has(c.sender(0).port) || options_.ports.has(c.sender(1).port);
}

void InnerCapture::on_open(capture::Conn& c, const Stamp&) {
  if (wanted(c)) c.user = reinterpret_cast<std::uintptr_t>(new Talk(c, tls_, to_, counts_));
}

void InnerCapture::on_data(capture::Conn& c, int direction, std::uint64_t offset, Bytes b, const Stamp& carried,
                           const Stamp& now) {
  if (auto* t = talk(c)) t->gate.data(direction, offset, b, carried, now);
}

void InnerCapture::on_gap(capture::Conn& c, int direction, std::uint64_t offset, std::uint64_t bytes, bool cut,
                          const Stamp& shown, const Stamp& now) {
  if (auto* t = talk(c)) t->gate.missing(direction, offset, bytes, cut, shown, now);
}

void InnerCapture::on_end(capture::Conn& c, int direction, const Stamp& at) {
  if (auto* t = talk(c)) t->gate.end(direction, at);
}

void InnerCapture::on_close(capture::Conn& c, capture::CloseReason, const Stamp& at) {
  const std::unique_ptr<Talk> t(talk(c));
  c.user = 0;
  if (t) t->close(at);
}

}  // namespace kparse::cli
