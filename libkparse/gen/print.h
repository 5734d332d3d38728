// SPDX-License-Identifier: MIT
// Writes messages as .k text, aligned: what `import` leaves behind.
#pragma once

#include <string>

#include "model.h"

namespace kschema {

/// `messages` of one file, in order; a request stands just before its response.
std::string print(const std::vector<const Message*>& messages);

}  // namespace kschema
