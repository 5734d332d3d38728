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
class Output;

/// When topic ids are to have their names.
enum class Names : std::uint8_t {
  while_reading,  ///< `observer` prints as it goes: --names all reads the captures twice
  at_the_end,     ///< it asks `cluster` for names when everything was read
};

/// Reads `captures` as one observation and tells `observer` what passes the filters of `options`. Problems with inputs
/// go to `diagnostics` as well. Captures are read twice, the first time only for the names in `cluster`, where
/// --names all needs that, and with --topic, which has to know a name before it can tell what belongs to it.
/// `out` (may be null): reading ends when it wants no more. Throws std::bad_alloc only.
Summary run_pipeline(const CommonOptions& options, const std::vector<std::string>& captures, Cluster& cluster,
                     Observer& observer, Names names, Diagnostics& diagnostics, const Output* out = nullptr);

/// The exit status that a summary stands for (COMMAND: "Exit status").
int status_of(const Summary&) noexcept;
/// No packet was read, since an input could not be: there is nothing to report on.
inline bool read_nothing(const Summary& s) noexcept { return s.unreadable && s.packets == 0; }

}  // namespace kparse::cli
