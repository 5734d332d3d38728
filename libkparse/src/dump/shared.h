// SPDX-License-Identifier: MIT
// What all parts of one JsonDump share.
#pragma once

#include <array>

#include "kparse/json.h"

namespace kparse {

inline constexpr std::string_view redacted = "(redacted)";

struct JsonDump::Impl {
  explicit Impl(const JsonOptions& o) : options(o), programs(Interest::everything()) {}

  void add(const Note& n) noexcept {
    if (note_count < notes.size()) notes[note_count] = n;
    ++note_count;
  }

  JsonOptions options;
  ProgramSet programs;
  JsonWriter tags;  ///< "$tags" of the structs that are open
  std::array<Note, max_notes> notes;
  std::uint64_t note_count = 0;
  BodyFacts facts;
  Scratch records_scratch;  ///< in use while records are told
  Scratch payload_scratch;
};

}  // namespace kparse
