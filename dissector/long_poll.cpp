// SPDX-License-Identifier: GPL-2.0-or-later
// Requests that let the broker wait for data.
#include <cstddef>

#include "kparse/decode.h"
#include "listeners.h"

namespace kparse::dissector {

namespace {

constexpr std::int64_t ms = 1'000'000;

struct Wait : Sink {
  std::int32_t max_ms = -1;
  void integer(NodeId, std::int64_t v, Bytes) noexcept { max_ms = static_cast<std::int32_t>(v); }
};

struct Data : Sink {
  bool came = false;
  void records(NodeId, Bytes v, Bytes) noexcept { came = came || !v.empty(); }
};

ProgramSet& wait_programs() noexcept {
  static ProgramSet* const programs = [] {
    Interest wait = Interest::nothing();
    wait.add(Mark::max_wait);
    return new ProgramSet(std::move(wait));
  }();
  return *programs;
}

ProgramSet& data_programs() noexcept {
  static ProgramSet* const programs = [] {
    Interest records = Interest::nothing();
    for (std::size_t n = 0; n < fields().size(); ++n)
      if (fields()[n].type == Type::records) records.add(static_cast<NodeId>(n));
    return new ProgramSet(std::move(records));
  }();
  return *programs;
}

}  // namespace

void note_wait(const Pdu& p, Bytes body) noexcept {
  if (p.kind != Pdu::Kind::request || !may_wait(p.api_key) || !p.exchange || p.exchange->max_wait_ms >= 0) return;
  Wait wait;
  (void)walk(wait_programs().get(*p.api()->request, p.version), body, wait);
  p.exchange->max_wait_ms = wait.max_ms;
}

bool waited_in_vain(const Pdu& p, const Body& body) noexcept {
  if (!body.message || !may_wait(p.api_key) || !p.exchange || p.exchange->max_wait_ms <= 0) return false;
  const std::int64_t allowed = p.exchange->max_wait_ms * ms;
  if (p.latency_ns < allowed - allowed / 10) return false;
  Data data;
  (void)walk(data_programs().get(layout_for(*body.message, body.version, body.bytes)), body.bytes, data);
  return !data.came;
}

}  // namespace kparse::dissector
