// SPDX-License-Identifier: MIT
// What every JSON document of a command begins and ends with.
#pragma once

#include <utility>

#include "kparse/json.h"
#include "output/output.h"
#include "output/version.h"

namespace kparse::cli {

inline void begin_document(JsonWriter& json) {
  json.begin_object();
  json.key("schemaVersion");
  json.integer(schema_version);
  json.key("kparse");
  json.string(version());
}

inline void end_document(JsonWriter& json, Output& out) {
  json.end_object();
  json.newline();
  out.write(json.view());
}

/// `members(JsonWriter&)` writes what is between.
template <class F>
void write_document(Output& out, F&& members) {
  JsonWriter json;
  begin_document(json);
  std::forward<F>(members)(json);
  end_document(json, out);
}

}  // namespace kparse::cli
