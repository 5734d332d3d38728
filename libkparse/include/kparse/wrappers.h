// SPDX-License-Identifier: MIT
// Headers before Kafka had them, and beside those it has: the wrappers that frameworks put around a record's value, the
// prefixes that name a schema. One read and one write function each; whether bytes are one of them is carriers.h's
// guess. Views point into what was read. Sources stand at each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "kparse/bytes.h"
#include "kparse/writer.h"

namespace kparse {

/// What says which schema a value was written with.
struct SchemaPrefix {
  enum class Form : std::uint8_t {
    confluent,       ///< 00, id int32: Confluent's serializers (also in a header)
    confluent_guid,  ///< 01, 16 bytes: the same since Schema Registry 8, normally in a header
    glue,            ///< 03, compression (0 none, 5 zlib), 16 bytes: AWS Glue
    apicurio,        ///< 00, id int64: Apicurio Registry to 2.x, by default
  };
  Form form = Form::confluent;
  std::int64_t id = 0;
  std::array<std::uint8_t, 16> uuid{};
  std::uint8_t compression = 0;
  Bytes payload;  ///< what follows
};
/// False: too short, or another first byte. No plausibility is asked for.
[[nodiscard]] bool read_schema_prefix(Bytes, SchemaPrefix::Form, SchemaPrefix& out) noexcept;
/// Prefix and payload.
void write_schema_prefix(const SchemaPrefix&, Writer& out) noexcept;

/// Which message of a Protobuf schema: Confluent's serializer puts it between prefix and message, a count and as many
/// numbers, zigzag varints; [0] is the single byte 00.
struct MessageIndexes {
  static constexpr std::size_t most = 16;  ///< deeper nesting is refused

  std::array<std::int32_t, most> items{};
  std::size_t count = 0;
  Bytes message;  ///< what follows
};
[[nodiscard]] bool read_message_indexes(Bytes payload, MessageIndexes& out) noexcept;
void write_message_indexes(std::span<const std::int32_t>, Writer& out) noexcept;

/// Spring Cloud Stream's embedded headers (EmbeddedHeaderUtils): ff, count, name and JSON text each, payload. Spring
/// XD's before them have neither the ff nor JSON, and lengths of one byte: they can't be recognised, only read.
struct EmbeddedHeaders {
  enum class Form : std::uint8_t { stream, xd };
  Form form = Form::stream;
  std::uint8_t count = 0;
  Bytes headers;  ///< encoded
  Bytes payload;

  struct Item {
    std::string_view name, value;  ///< value: JSON text (stream) or plain (xd)
  };
  /// Walks headers that were read: cannot fail. Begin with a copy of `headers`.
  [[nodiscard]] bool next(Bytes& rest, Item& out) const noexcept;
};
[[nodiscard]] bool read_embedded_headers(Bytes, EmbeddedHeaders::Form, EmbeddedHeaders& out) noexcept;
/// False, and nothing written: more than 255 headers, a name over 255 bytes, a value too long for the form.
bool write_embedded_headers(EmbeddedHeaders::Form, std::span<const EmbeddedHeaders::Item>, Bytes payload,
                            Writer& out) noexcept;

/// LinkedIn's headers in the value (li-apache-kafka-clients, development branches of 2016 and 2017): magic, version and
/// flags, length, headers, the user's value. Keys were integers first and strings then, under the same magic and
/// version: read as strings where that uses up the block, else as integers.
struct LinkedInHeaders {
  static constexpr std::array<std::uint8_t, 8> magic{0xc0, 0xcc, 0xcd, 0xce, 0xcf, 0xcb, 0xda, 0xc4};

  bool int_keys = false;
  std::int32_t count = 0;
  Bytes headers;  ///< encoded
  Bytes value;    ///< data() == nullptr: null

  struct Item {
    std::string_view name;  ///< of string keys
    std::int32_t key = 0;   ///< of integer keys
    Bytes value;
  };
  [[nodiscard]] bool next(Bytes& rest, Item& out) const noexcept;
};
[[nodiscard]] bool read_linkedin_headers(Bytes, LinkedInHeaders& out) noexcept;
/// False, and nothing written: a key that the form can't hold (names of 1 to 127 bytes, keys from 0).
bool write_linkedin_headers(bool int_keys, std::span<const LinkedInHeaders::Item>, Bytes value, Writer& out) noexcept;

/// A part of a large message by the same library: before the payload (DefaultSegmentSerializer), or as header `_lm`.
struct LinkedInSegment {
  std::uint8_t type = 0;  ///< of the header: 0 without a size, 2: the value has no prefix
  std::array<std::uint8_t, 16> uuid{};
  std::int32_t number = 0, count = 0;  ///< number: from 0
  std::int32_t total_size = -1;        ///< -1: not told
  Bytes payload;
};
/// By length, version, checksum and numbers, as its reader does it (but version 0 only).
[[nodiscard]] bool read_linkedin_segment(Bytes value, LinkedInSegment& out) noexcept;
void write_linkedin_segment(const LinkedInSegment&, Writer& out) noexcept;
[[nodiscard]] bool read_linkedin_lm(Bytes header, LinkedInSegment& out) noexcept;
void write_linkedin_lm(const LinkedInSegment&, Writer& out) noexcept;

/// What KIP-82 proposed in its first weeks: one blob of a Map<String, String>. The page names the three encodings and
/// no bytes; these are their natural readings.
enum class MapForm : std::uint8_t {
  none,
  pairs,  ///< a=1&b=2, percent signs as in URLs
  json,   ///< one flat object of strings (and nulls)
  avro,   ///< map<string>: blocks of a count, keys and values
};
[[nodiscard]] std::string_view name_of(MapForm) noexcept;

struct StringMapEntry {
  std::string_view name, value;  ///< as they stand there: see unescape()
  bool null = false;
};
class StringMap {
 public:
  /// Which form it is: json where it begins with {, else avro where that uses up every byte, else pairs where each is
  /// one.
  explicit StringMap(Bytes) noexcept;
  [[nodiscard]] MapForm form() const noexcept { return form_; }
  [[nodiscard]] std::int32_t size() const noexcept { return size_; }
  /// Walks it once.
  [[nodiscard]] bool next(StringMapEntry& out) noexcept;

 private:
  bool step(StringMapEntry& out) noexcept;

  Bytes all_, rest_;
  MapForm form_ = MapForm::none;
  std::int32_t size_ = 0;
  std::int64_t block_ = 0;  ///< avro: entries left in it
  bool whole_ = false;      ///< the last step came to a proper end
};
/// Appends the text without escapes (JSON's, or the pairs' percent signs).
void unescape(std::string_view, MapForm, Writer& out) noexcept;
void write_string_map(MapForm, std::span<const std::pair<std::string_view, std::string_view>>, Writer& out) noexcept;

}  // namespace kparse
