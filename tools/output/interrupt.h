// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM end the reading, not the report.
#pragma once

#include <atomic>

namespace kparse::cli {

/// Installs the handlers (the second signal ends the process as usual) and ignores SIGPIPE: a closed pipe is seen as
/// EPIPE by Output. System calls are not restarted: a reader that gets EINTR should look at stop_requested().
void handle_interrupts() noexcept;

/// True once a signal came. A relaxed load: cheap enough for every packet.
[[nodiscard]] bool stop_requested() noexcept;
/// The same flag, for readers that wait.
[[nodiscard]] const std::atomic<bool>& stop_flag() noexcept;

}  // namespace kparse::cli
