// SPDX-License-Identifier: MIT
// The evolution rules: what makes a schema one that Kafka's own readers and writers could have.
#pragma once

#include "model.h"

namespace kschema {

void check(const Schema& schema, Diagnostics& diagnostics);

/// The marks that a .k file may use ("topicId"), in the order of kparse::Mark; the first is "none".
const std::vector<std::string>& mark_names();

}  // namespace kschema
