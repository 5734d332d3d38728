// SPDX-License-Identifier: MIT
// How far a long job is, on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include "output/when.h"

namespace kparse::cli {

class Diagnostics;

/// A bar that appears when standard error is a terminal and the job takes over a second, and takes itself away for
/// messages and at the end. update() costs a clock read; call it every few hundred packets.
class Progress {
 public:
  /// `total`: what is to be done, in the unit of update(); 0 when nobody knows (standard input).
  Progress(When when, bool quiet, std::uint64_t total, Diagnostics& diagnostics);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` bytes of the captures, `packets` so far.
  void update(std::uint64_t done, std::uint64_t packets);
  void finish();

 private:
  void clear();

  std::mutex mutex_;
  Diagnostics& diagnostics_;
  const std::uint64_t total_;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
  bool on_;
  bool shown_ = false;
};

}  // namespace kparse::cli
