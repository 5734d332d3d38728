// SPDX-License-Identifier: MIT
// The lists beside the messages: error codes, enums, releases.
#pragma once

#include "model.h"

namespace kschema {

struct Line {
  Place place;
  int indent = 0;
  std::vector<std::string> words;
};

enum class List { none, errors, values, releases, apis };

/// The list that the line starts, if any.
List start_list(const Line& line, Schema& schema, Diagnostics& diagnostics);
void list_row(List list, const Line& line, Schema& schema, Diagnostics& diagnostics);

}  // namespace kschema
