// SPDX-License-Identifier: MIT
// Reads message descriptions from JSON: Kafka's own files (FetchRequest.json), the merged form with closed ranges
// ({"messages": [...]}) and lists of alternative layouts ([{"name", "version", "signature", ...}]).
#pragma once

#include <string>
#include <vector>

#include "model.h"

namespace kschema {

struct Imported {
  Message message;
  bool none = false;   ///< Kafka reserves the key but describes no version any more
  bool whole = false;  ///< describes every version there ever was, not only those of one release
};

struct ImportedAlternative {
  std::string message;
  Alternative layout;
};

struct Import {
  std::vector<Imported> messages;
  std::vector<ImportedAlternative> alternatives;
};

void read_json(const std::string& file, const std::string& text, Import& out, Diagnostics& diagnostics);

/// "Topics:[]{Name:string?,Partitions:[]int32}": the fields of one version.
bool read_signature(std::string_view text, int version, std::vector<Field>& out);

}  // namespace kschema
