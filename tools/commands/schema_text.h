// SPDX-License-Identifier: MIT
// The schema as text for people.
#pragma once

#include <optional>

#include "kparse/schema.h"
#include "output/text.h"

namespace kparse::cli {

class Output;

void print_api_table(Output&, const Painter&);
/// With a version the layout of just that one.
void print_message(Output&, const Painter&, const Message&, std::optional<int> version);

}  // namespace kparse::cli
