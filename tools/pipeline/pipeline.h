// SPDX-License-Identifier: MIT
// Captures to events: packets, TCP streams, frames, exchanges. What every command that reads captures runs.
#pragma once

#include <string>
#include <vector>

#include "kparse/cluster.h"
#include "kparse/events.h"
#include "pipeline/options.h"
#include "pipeline/summary.h"

namespace kparse::cli {

class Diagnostics;

/// Reads `captures` as one observation and tells `observer` what passes the filters of `options`. Problems with inputs
/// go to `diagnostics` as well. `bodies`: false when the observer needs nothing from inside the bodies.
/// With --names all the captures are read twice, the first time only for the names in `cluster`.
/// Throws std::bad_alloc only.
Summary run_pipeline(const CommonOptions& options, const std::vector<std::string>& captures, Cluster& cluster, Observer& observer,
                     bool bodies, Diagnostics& diagnostics);

/// The exit status that a summary stands for (COMMAND: "Exit status").
int status_of(const Summary&) noexcept;

}  // namespace kparse::cli
