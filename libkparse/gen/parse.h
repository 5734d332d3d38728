// SPDX-License-Identifier: MIT
// Reads .k files. The grammar is in libkparse/schema/README.md.
#pragma once

#include <filesystem>
#include <string_view>

#include "model.h"

namespace kschema {

/// Adds what `text` says to `schema`; goes on after an error, so that one run shows them all.
void parse(const std::string& file, std::string_view text, Schema& schema, Diagnostics& diagnostics);
/// All *.k files of a folder, in the order of their names.
Schema parse_folder(const std::filesystem::path& folder, Diagnostics& diagnostics);

}  // namespace kschema
