// SPDX-License-Identifier: MIT
#include "output/interrupt.h"

#include <csignal>

#include <atomic>

namespace kparse::cli {
namespace {

std::atomic<bool> stopped{false};
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

void stop(int) { stopped.store(true, std::memory_order_relaxed); }

}  // namespace

void handle_interrupts() noexcept {
  struct sigaction action {};
  action.sa_handler = stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  action.sa_flags = 0;
  sigaction(SIGPIPE, &action, nullptr);
}

bool stop_requested() noexcept { return stopped.load(std::memory_order_relaxed); }
const std::atomic<bool>& stop_flag() noexcept { return stopped; }

}  // namespace kparse::cli
