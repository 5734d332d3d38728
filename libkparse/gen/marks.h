// SPDX-License-Identifier: MIT
// What `import` proposes for a field that is new: its mark, and whether it is a secret. Afterwards the .k file decides.
#pragma once

#include "model.h"

namespace kschema {

/// Fields of `known` (the same message or layout before) keep what they have; only those not in it get proposals.
void propose_marks(const Message& message, std::vector<Field>& fields, const std::vector<Field>* known);

}  // namespace kschema
