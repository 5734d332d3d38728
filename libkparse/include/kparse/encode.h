// SPDX-License-Identifier: MIT
// The one encoder: values in the shape of Kafka's JSON to the bytes of any message of any version, over the same tables
// that the decoder walks. What Kafka's converters and writers refuse is refused here.
// Source: Kafka's JsonConverterGenerator and MessageDataGenerator (generated *JsonConverter and *Data classes),
// KIP-482.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "kparse/schema.h"
#include "kparse/value.h"
#include "kparse/writer.h"

namespace kparse {

/// A field of a message, and which element of each array around it.
struct FieldPlace {
  static constexpr std::uint32_t no_index = 0xffffffff;
  static constexpr std::size_t max_depth = 10;

  NodeId node = no_node;
  std::array<std::uint32_t, max_depth> index{};  ///< by depth: 0 is the message itself; no_index: none
};
/// "topics[0].partitions[3].partitionIndex" into `out` (cut if it doesn't fit).
[[nodiscard]] std::string_view path_of(const FieldPlace&, std::span<char> out) noexcept;

struct EncodeError {
  enum class Code : std::uint8_t {
    none,
    unknownVersion,  ///< the tables don't have it
    missing,         ///< a field that is mandatory in this version
    wrongType,       ///< `got` is no value for this field
    outOfRange,      ///< an integer (`number`) that the field's type doesn't hold
    nullNotAllowed,
    tooLong,       ///< `number` bytes or elements
    notInVersion,  ///< set to something else than its default, but this version can't carry it
    badBase64,
    badUuid,
    tagsNotAllowed,  ///< "$tags", but this version has no tagged fields
    tagOrder,        ///< "$tags": `number` is not above the one before, or not below 2^31 - 1
    tagKnown,        ///< "$tags": the schema has a field of this `number`
    badTags,         ///< "$tags" of another shape
    redacted,        ///< "(redacted)" stands where a secret was
    noMemory,
  };
  Code code = Code::none;
  FieldPlace place{};
  Value::Kind got = Value::Kind::null;
  std::int16_t version = -1;
  std::int64_t number = 0;

  explicit operator bool() const noexcept { return code != Code::none; }
};
/// camelCase, as printed in JSON.
[[nodiscard]] std::string_view name_of(EncodeError::Code) noexcept;
/// What is wrong, as a sentence without the field's name: "70000 does not fit into int16". Cut if it doesn't fit.
[[nodiscard]] std::string_view message_of(const EncodeError&, std::span<char> out) noexcept;

/// A member of an object that left no trace in the bytes, as in Kafka's converters.
struct Ignored {
  FieldPlace place;       ///< of the field; of the object, where the schema has no such field
  std::string_view name;  ///< the member's: a view into the source's values
  bool known = false;     ///< true: set, but this version lacks it, and the schema says that this doesn't matter
};

/// Not thread-safe; keeps nothing from call to call but the notes of the last one.
class Encoder {
 public:
  /// `source` must outlive it.
  explicit Encoder(const ValueSource& source);
  ~Encoder();
  Encoder(Encoder&&) noexcept;

  /// Appends the message in this version. `value` is an object as Kafka's converters print it, with the field names of
  /// the newest schema:
  /// - untagged fields of the version must be there; tagged ones may be left out, and are where they are at their
  ///   default; members that aren't in the schema are ignored (see ignored()).
  /// - integers may be numbers or strings ("12", "0x1f"); bytes and records are base64 or Value::Kind::bytes; uuids
  ///   base64url or 16 bytes; floats numbers or "NaN", "Infinity", "-Infinity".
  /// - "$tags": [{"tag","data"}], tagged fields that the schema lacks, tags ascending.
  /// After an error nothing has been appended. O(size of the value); allocates only in `out`.
  [[nodiscard]] EncodeError message(const Message&, int version, const Value& value, Writer& out) noexcept;

  /// Of the last call, at most `max_ignored` of them; all_ignored() counts the rest too. Members NAME.decoded aren't
  /// among them.
  [[nodiscard]] std::span<const Ignored> ignored() const noexcept;
  [[nodiscard]] std::uint64_t all_ignored() const noexcept;
  static constexpr std::size_t max_ignored = 16;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The header that goes before a request's body: version 0, 1 or 2, whichever the API's version has. Client ids over
/// 32767 bytes are cut.
void write_request_header(const Api&, int version, std::int32_t correlation_id,
                          std::optional<std::string_view> client_id, Writer& out) noexcept;
/// `version`: of the API.
void write_response_header(const Api&, int version, std::int32_t correlation_id, Writer& out) noexcept;

/// A frame is four bytes of size and what is written after them: begin_frame, header, body, end_frame with what
/// begin_frame gave. False: more than 2^31 - 1 bytes.
[[nodiscard]] std::size_t begin_frame(Writer& out) noexcept;
bool end_frame(Writer& out, std::size_t begun) noexcept;

}  // namespace kparse
