// SPDX-License-Identifier: MIT
// What --recognise and --draft-headers add to a record.
#pragma once

#include <string>

#include "kparse/carriers.h"
#include "kparse/json.h"
#include "kparse/records.h"

namespace kparse::cli {

struct RecordExtras {
  bool recognise = false;
  const DraftDecoder* draft = nullptr;  ///< that reads the records; nullptr: none
};

/// [{"kind","where":"headers"|"value","confidence","fields":{...}},...], or null where nothing was found. A field that
/// comes twice has an array of its values.
void write_carriers(JsonWriter&, const Record&, BytesAs);
/// "confluent schemaId=42, b3 traceId=..." for people; "" where nothing was found. Not yet made printable.
[[nodiscard]] std::string carriers_text(const Record&);

}  // namespace kparse::cli
