// SPDX-License-Identifier: MIT
#pragma once

#include "kparse/json.h"
#include "kparse/records.h"

namespace kparse::cli {

/// A record's headers: [[name, value],...] in wire order; values are left out for BytesAs::nothing.
void write_headers(JsonWriter&, const Record&, BytesAs);

}  // namespace kparse::cli
