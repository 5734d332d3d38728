// SPDX-License-Identifier: MIT
// What `report --details` adds, written.
#pragma once

#include "details/everything.h"
#include "details/reader.h"
#include "groups/group_out.h"
#include "output/output.h"
#include "output/text.h"

namespace kparse::details {

/// `"details":{...}` of an open object.
void write_details(JsonWriter&, const Everything&);
/// For people: each section only where there is something.
void print_details(cli::Output&, const cli::Painter&, const Everything&);

}  // namespace kparse::details
