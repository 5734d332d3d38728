// SPDX-License-Identifier: MIT
// A talk, to an observer.
#pragma once

#include "kparse/cluster.h"
#include "kparse/events.h"
#include "talk.h"

namespace kparse::fuzz {

/// Through all that stands between packets and observers: TLS, frames, pairing, bodies.
void observe(const Talk&, Cluster&, Observer&);

}  // namespace kparse::fuzz
