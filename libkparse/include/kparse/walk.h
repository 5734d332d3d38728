// SPDX-License-Identifier: MIT
// The one decoder: walks the bytes of a message by its compiled program and tells a sink what it meets.
// JSON, Wireshark's tree and the report's numbers are sinks of this walk; they differ in sink and interest only.
#pragma once

#include <cstdint>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/error.h"
#include "kparse/schema.h"

namespace kparse {

/// What doesn't end decoding but should be known.
struct Note {
  enum class Rule : std::uint8_t {
    surplusBytes,        ///< bytes after the last field: `have`
    tagSize,             ///< a known tag's value doesn't use the tag's size exactly
    tagOrder,            ///< tags out of order or twice
    nullNotAllowed,      ///< null where the schema allows none
    altLayout,           ///< decoded by an older release's layout of this version
    otherVersion,        ///< decoded by a neighbouring version's layout
    badUtf8,
  };
  Rule rule;
  NodeId node = no_node;
  std::uint64_t offset = 0;  ///< from the start of the body
  std::uint64_t have = 0;
  std::uint64_t need = 0;
};
[[nodiscard]] std::string_view name_of(Note::Rule) noexcept;

/// Base of all sinks: every event does nothing. Derive and hide what you want to hear (no virtual calls).
/// `span` is the value's whole encoding in the body, length prefix included: an offset is span.data() - body.data().
/// All views point into the body and live as long as it. Each begin has its end, also when the walk breaks off.
/// Elements of an array have the array's own node.
struct Sink {
  void begin_struct(NodeId, const std::uint8_t*) noexcept {}      ///< the message itself too (its root row)
  void end_struct(NodeId, const std::uint8_t*) noexcept {}
  void begin_array(NodeId, std::int32_t /*count*/, const std::uint8_t*) noexcept {}
  void end_array(NodeId, const std::uint8_t*) noexcept {}
  void null(NodeId, Bytes /*span*/) noexcept {}                   ///< a null string, bytes, array, records or struct
  void boolean(NodeId, bool, Bytes /*span*/) noexcept {}
  void integer(NodeId, std::int64_t, Bytes /*span*/) noexcept {}  ///< all integer types, unsigned ones too
  void float64(NodeId, double, Bytes /*span*/) noexcept {}
  void uuid(NodeId, Bytes /*16 bytes*/) noexcept {}
  void string(NodeId, std::string_view, Bytes /*span*/) noexcept {}
  void bytes(NodeId, Bytes, Bytes /*span*/) noexcept {}
  void records(NodeId, Bytes, Bytes /*span*/) noexcept {}
  void begin_tag(NodeId, Bytes /*value*/) noexcept {}             ///< before a known tagged field's own event
  void end_tag(NodeId) noexcept {}
  void unknown_tag(NodeId /*its struct*/, std::uint32_t /*tag*/, Bytes /*value*/) noexcept {}
  /// Bytes that only hold the message together: counts of arrays and tags, flags of nullable structs, tag numbers and
  /// sizes, what a tag's value leaves unused. With the values' spans they tile the body.
  void framing(NodeId, Bytes /*span*/) noexcept {}
  void note(const Note&) noexcept {}
};

/// Set of fields that a sink wants. A field not wanted, and nothing wanted below it, costs a skip.
class Interest;
/// (message, version, interest) compiled to a short program: see decode.h for how to get one.
class Program;

}  // namespace kparse
