// SPDX-License-Identifier: MIT
// Writes the schema as constant C++ tables (tables.cpp) and the node ids (kparse/node.h).
#pragma once

#include <string>

#include "model.h"

namespace kschema {

struct Emitted {
  std::string tables;  ///< included by the library's schema layer; see src/schema/tables.h for what it defines
  std::string nodes;
};

Emitted emit(const Schema& schema);

}  // namespace kschema
