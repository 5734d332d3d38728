// SPDX-License-Identifier: GPL-2.0-or-later
// Names of topic ids, learnt anywhere in the capture.
#pragma once

#include <cstdint>
#include <string_view>

#include "kparse/cluster.h"

namespace kparse::dissector {

/// Of the capture that is open. Emptied when another one is.
[[nodiscard]] Cluster& cluster() noexcept;

}  // namespace kparse::dissector
