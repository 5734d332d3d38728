// SPDX-License-Identifier: MIT
// What one pass over a batch's records tells all rules.
#pragma once

#include <cstdint>

#include "kparse/records.h"
#include "lint/odd_varints.h"
#include "lint/schema_prefix.h"

namespace kparse::lint {

/// A batch (or a message of magic 0, 1 with what is inside) after its records. Views live until the call returns.
struct BatchFacts {
  const Batch& batch;
  Bytes bytes;                          ///< the whole of it, on the wire, as far as it is there
  bool opened = false;                  ///< its records were read; false: nothing below is known
  bool complete = false;                ///< to the last one, without an error
  std::int32_t records = 0;             ///< that were read
  std::int64_t last_offset = -1;        ///< absolute, the highest
  std::int32_t odd_delta_at = -1;       ///< the first record whose place isn't its offset delta; -1: none
  std::int64_t odd_delta = 0;           ///< its delta
  std::int32_t unordered_at = -1;       ///< the first record whose offset isn't above that before it; -1: none
  std::int64_t min_time = 0, max_time = 0;   ///< of the records' own times (base + delta; magic 1: inner), 0 without records
  std::int32_t negative_time_at = -1;
  std::int32_t null_keys = 0;
  std::int32_t null_values = 0;
  std::int32_t empty_values = 0;        ///< of length 0, with a key
  std::int64_t largest_record = 0;      ///< bytes of key, value and headers
  std::int32_t largest_headers = 0;     ///< bytes of a record's headers, the most that one has
  const SchemaIds* key_ids = nullptr;   ///< of the keys and values that begin as a schema registry's; nullptr: none does
  const SchemaIds* value_ids = nullptr;
  OddVarints odd_varints;               ///< of its first records
};

/// A record's header that a rule asked for (Rule::wants_header).
struct HeaderSeen {
  const RecordHeader& header;
  const Record& record;
};

}  // namespace kparse::lint
