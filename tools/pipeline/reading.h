// SPDX-License-Identifier: MIT
// Captures to TCP streams, with what every reading has: messages, a progress bar, the end by a signal.
#pragma once

#include <string>
#include <vector>

#include "capture/capture.h"
#include "pipeline/options.h"
#include "pipeline/secret_store.h"
#include "pipeline/summary.h"
#include "pipeline/tls_gate.h"

namespace kparse::cli {

class Diagnostics;
class Output;

/// What opens TLS: the secrets of the run, and those that this reading meets.
class ReadingTls final : public TlsShared {
 public:
  explicit ReadingTls(SecretStore& store) : store_(store) {}
  KeyLog& log() noexcept override { return store_.log(); }
  bool look_for_more() override;

 private:
  friend Summary read_captures(const CommonOptions&, const std::vector<std::string>&, capture::StreamHandler&,
                               ReadingTls&, Diagnostics&, bool, const Output*);
  SecretStore& store_;
  const capture::Timeline* timeline_ = nullptr;
};

/// Bytes on disk, together; 0: not known (standard input, a pipe, one that can't be read).
[[nodiscard]] std::uint64_t size_of(const std::vector<std::string>& captures);

/// Reads `captures` as one observation. `loud`: problems with inputs go to `diagnostics`, and a bar is shown. `out`
/// (may be null): reading ends when it wants no more.
Summary read_captures(const CommonOptions&, const std::vector<std::string>& captures, capture::StreamHandler&,
                      ReadingTls&, Diagnostics&, bool loud, const Output* out);

}  // namespace kparse::cli
