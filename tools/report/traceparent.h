// SPDX-License-Identifier: MIT
#pragma once

#include "kparse/bytes.h"

namespace kparse::report {

/// Is this a traceparent value by the grammar of W3C Trace Context (section 3.2)? version "-" 32 hex "-" 16 hex "-" 2 hex,
/// lower case, no id of zeros only, version not ff; a version after 00 may have more after a further "-".
/// A few nanoseconds.
[[nodiscard]] bool valid_traceparent(Bytes value) noexcept;

}  // namespace kparse::report
