// SPDX-License-Identifier: GPL-2.0-or-later
// The names of Wireshark's own Kafka dissector (kafka.*, as of 4.4 and 4.6), and the fields of Kafka's schema that they
// show.
#pragma once

#include <cstdint>
#include <span>

#include "compat.h"

namespace kparse::dissector {

struct LegacyName {
  const char* name;
  ftenum type;
  const char* title;
  /// Where it is found, words with a blank between; the first kind that a field has a word of decides:
  ///   FetchRequest.maxWaitMs   this field; with "/0" or "/1+" of this version, or from it on, only
  ///   maxWaitMs                fields of this name in any request or response
  ///   @topic                   fields with this mark (kparse::Mark)
  /// "": not a field of the schema. Other code fills it, see legacy_field().
  const char* where = "";
  std::uint64_t mask = 0;
};

[[nodiscard]] std::span<const LegacyName> legacy_names() noexcept;

}  // namespace kparse::dissector
