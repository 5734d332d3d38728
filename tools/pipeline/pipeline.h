// SPDX-License-Identifier: MIT
// Captures to events: packets, TCP streams, frames, exchanges. What every command that reads captures runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/file_info.h"
#include "capture/tcp.h"
#include "kparse/cluster.h"
#include "kparse/events.h"
#include "pipeline/options.h"

namespace kparse::cli {

class Diagnostics;

/// What was read, whatever was asked of it.
struct Summary {
  std::vector<capture::FileInfo> inputs;
  capture::TcpStats tcp;
  std::uint64_t packets = 0;           ///< of all inputs, before any filter
  std::uint64_t not_tcp = 0;
  std::uint64_t undecodable = 0;       ///< a header is cut off or contradicts itself, or the link type is unknown
  std::uint64_t fragments = 0;
  bool stopped = false;                ///< by a signal: the rest was not read
  bool unreadable = false;             ///< an input could not be read at all (exit status 3)
  bool bad_filter = false;             ///< --filter is no filter: nothing was read (exit status 2)
};

/// Reads `captures` as one observation and tells `observer` what passes the filters of `options`. Problems with inputs
/// go to `diagnostics` as well. `bodies`: false when the observer needs nothing from inside the bodies.
/// With --names all the captures are read twice, the first time only for the names in `cluster`.
/// Throws std::bad_alloc only.
Summary run_pipeline(const CommonOptions& options, const std::vector<std::string>& captures, Cluster& cluster, Observer& observer,
                     bool bodies, Diagnostics& diagnostics);

/// The exit status that a summary stands for (COMMAND: "Exit status").
int status_of(const Summary&) noexcept;

}  // namespace kparse::cli
