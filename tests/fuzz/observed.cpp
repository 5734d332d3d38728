// SPDX-License-Identifier: MIT
#include "observed.h"

#include "pipeline/dialog.h"

namespace kparse::fuzz {
namespace {

struct NoSecrets final : cli::TlsShared {
  KeyLog keys;
  KeyLog& log() noexcept override { return keys; }
  bool look_for_more() override { return false; }
};

}  // namespace

void observe(const Talk& talk, Cluster& cluster, Observer& observer) {
  static InterpreterPrograms programs;
  static NoSecrets tls;
  cli::Dialog dialog(0, 0, "192.0.2.1:40000", "192.0.2.2:9092", {.trust_port = talk.trust_port}, tls, cluster, programs, observer, {});
  Stamp now{.time_ns = 1'700'000'000'000'000'000, .packet = 0};
  std::uint64_t offset[2] = {};
  dialog.set_higher_port(0);
  if (talk.syn) dialog.syn_from(0);
  for (const Step& step : talk.steps) {
    now.time_ns += 1'000'000;
    ++now.packet;
    std::uint64_t& at = offset[step.direction];
    switch (step.kind) {
      case Step::Kind::data:
        dialog.data(step.direction, at, {reinterpret_cast<const std::uint8_t*>(step.bytes.data()), step.bytes.size()}, now, now);
        at += step.bytes.size();
        break;
      case Step::Kind::gap:
      case Step::Kind::cut:
        dialog.gap(step.direction, at, step.size, step.kind == Step::Kind::cut, now, now);
        at += step.size;
        break;
      case Step::Kind::end:
        dialog.end(step.direction, now);
        break;
      case Step::Kind::settle:
        break;
    }
  }
  dialog.close(now);
}

}  // namespace kparse::fuzz
