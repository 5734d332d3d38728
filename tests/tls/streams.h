// SPDX-License-Identifier: MIT
// Captures to inner streams, for tests: with losses made on the way, if wanted.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "kparse/tls.h"

namespace kparse::test {

/// One TLS connection and what was inside.
struct Inner {
  std::string client, server;  ///< "ip:port"
  std::string bytes[2];        ///< by sender: client, server; without what is missing
  struct Hole {
    std::uint64_t at;  ///< in `bytes`
    TlsGap gap;
  };
  std::vector<Hole> holes[2];
  /// Inner bytes that one packet completed, and the packets that carried them.
  struct Step {
    std::uint64_t now, bytes;
    std::vector<std::uint64_t> packets;
  };
  std::vector<Step> steps[2];
  std::uint64_t hellos[2] = {0, 0};  ///< packets of each side's first bytes
  TlsInfo info;
  bool sealed_told = false;
};

/// TCP segments that a test leaves out: by number of the packet. Asked for those with payload.
using Drop = std::function<bool(std::uint64_t)>;

/// All connections that begin with a hello, by number. Secrets are those of `log` and of the capture itself.
[[nodiscard]] std::map<std::uint64_t, Inner> open_capture(const std::string& file, KeyLog& log, const Drop& drop = {});

[[nodiscard]] std::string shared_folder();
[[nodiscard]] std::string read_text(const std::string& file);
[[nodiscard]] std::string sha256(const std::string& bytes);

}  // namespace kparse::test
