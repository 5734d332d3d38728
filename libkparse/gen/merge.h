// SPDX-License-Identifier: MIT
// Brings an import into the schema: marks, secrets, comments, alternatives, and versions that the import doesn't
// describe stay as they are.
#pragma once

#include "import.h"

namespace kschema {

/// Says what it could not bring in; such a message stays as it was.
void merge(const Import& import, Schema& schema, Diagnostics& diagnostics);

/// The .k file that a message which has none yet goes into.
std::string file_of(const Message& message);

}  // namespace kschema
