// SPDX-License-Identifier: MIT
// Record sets as JSON, in the shape of `kparse decode --records`.
#pragma once

#include "dump/shared.h"

namespace kparse {

/// A records field of a body: {"sizeInBytes":N, and what the options ask for}. `whole`: it begins with a batch.
void write_records_field(JsonDump::Impl&, JsonWriter&, Bytes records, std::string_view topic, bool whole) noexcept;

/// The members "batches" and "partial". Returns the first error of a batch.
Error write_record_set(JsonDump::Impl&, JsonWriter&, Bytes records, std::string_view topic) noexcept;

}  // namespace kparse
