// SPDX-License-Identifier: MIT
// What TCP suffered, written.
#pragma once

#include "details/details_out.h"

namespace kparse::details {

/// `"network":{...}` of an open object.
void write_network(JsonWriter&, const Everything&);
/// For people; nothing where there is nothing.
void print_network(cli::Output&, const cli::Painter&, const Everything&);

}  // namespace kparse::details
