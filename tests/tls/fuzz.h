// SPDX-License-Identifier: MIT
// What the fuzz targets do with their bytes; ordinary tests call it too.
#pragma once

#include "kparse/bytes.h"

namespace kparse::fuzz {

/// Records, handshakes and gaps of both directions, with a key log that knows the connection, or one made of the input.
void records(Bytes);
/// Lines of a key log.
void key_log(Bytes);

}  // namespace kparse::fuzz
