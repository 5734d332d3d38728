// SPDX-License-Identifier: MIT
// Differences, written.
#pragma once

#include <vector>

#include "diff/compare.h"
#include "kparse/json.h"
#include "output/output.h"
#include "output/text.h"

namespace kparse::diff {

/// `"diff":[...]`, of an open object.
void write_diff(JsonWriter&, const std::vector<Difference>&);
/// For people.
void print_diff(cli::Output&, const cli::Painter&, const std::vector<Difference>&, bool profiles);

}  // namespace kparse::diff
