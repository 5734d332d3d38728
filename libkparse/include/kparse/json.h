// SPDX-License-Identifier: MIT
// JSON text: a writer, and message bodies, record sets and errors in it. Bodies look as Kafka's own JSON converters
// print them (MessageGenerator's *JsonConverter classes), with two changes: a records field becomes an object, and a
// known payload in a bytes field gets a sibling NAME.decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/decode.h"
#include "kparse/error.h"
#include "kparse/records.h"

namespace kparse {

/// Appends JSON to a buffer that is kept from use to use. Commas come by themselves. Keeping scopes balanced is the
/// caller's business. When memory runs out, what is written is dropped: ok() tells.
class JsonWriter {
 public:
  JsonWriter() noexcept = default;
  ~JsonWriter();
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  JsonWriter(JsonWriter&&) noexcept;
  JsonWriter& operator=(JsonWriter&&) noexcept;

  [[nodiscard]] std::string_view view() const noexcept { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool ok() const noexcept { return !failed_; }
  void clear() noexcept {
    size_ = 0;
    failed_ = false;
  }
  /// Takes back what was written since the size was `n`.
  void truncate(std::size_t n) noexcept {
    if (n < size_) size_ = n;
  }
  /// Puts a string in the place of the value that was written from `from` to `to`; returns how many bytes longer the
  /// text is.
  std::ptrdiff_t replace(std::size_t from, std::size_t to, std::string_view string) noexcept;
  /// Gives memory back that one huge value took.
  void shrink(std::size_t keep) noexcept;

  void begin_object() noexcept { open('{'); }
  void end_object() noexcept { put('}'); }
  void begin_array() noexcept { open('['); }
  void end_array() noexcept { put(']'); }
  /// `name` needs no escapes: a field name, a literal.
  void key(std::string_view name) noexcept {
    if (!room(name.size() + 4)) return;
    comma();
    char* out = data_ + size_;
    *out++ = '"';
    std::memcpy(out, name.data(), name.size());  // of a literal: a few stores
    out += name.size();
    *out++ = '"';
    *out++ = ':';
    size_ = static_cast<std::size_t>(out - data_);
  }
  /// `name`.decoded and its like.
  void key(std::string_view name, std::string_view suffix) noexcept;
  /// Any text as a key.
  void escaped_key(std::string_view name) noexcept;

  void null() noexcept { literal("null"); }
  void boolean(bool v) noexcept { literal(v ? "true" : "false"); }
  void integer(std::int64_t) noexcept;
  void unsigned_integer(std::uint64_t) noexcept;
  /// Shortest text that reads back as the same number; NaN and infinities as the strings that Kafka writes.
  void float64(double) noexcept;
  /// Control characters escaped; invalid UTF-8 becomes U+FFFD exactly as Java's decoder has it. Returns false if there
  /// was any.
  bool string(std::string_view) noexcept;
  /// The same for text without control characters (C0, DEL, C1) and invalid UTF-8. False: it has some, nothing was
  /// written.
  bool printable_string(std::string_view) noexcept;
  /// Two texts as one string.
  void joined_string(std::string_view, std::string_view) noexcept;
  /// UTF-16, big-endian; lone surrogates become U+FFFD.
  void utf16_string(Bytes) noexcept;
  void base64(Bytes) noexcept;
  void hex(Bytes) noexcept;
  /// 16 bytes, base64url without padding.
  void uuid(const std::uint8_t*) noexcept;
  /// Written as it is: a JSON value, or the parts of one.
  void raw(std::string_view json) noexcept;
  void newline() noexcept { put('\n'); }

 private:
  // A value always ends in another character than these, so the last one tells whether a comma is due.
  void comma() noexcept {
    if (size_ == 0) return;
    const char last = data_[size_ - 1];
    if (last == '{' || last == '[' || last == ':' || last == ',' || last == '\n') return;
    put(',');
  }
  void open(char c) noexcept {
    comma();
    put(c);
  }
  void put(char c) noexcept {
    if (room(1)) data_[size_++] = c;
  }
  void append(std::string_view) noexcept;
  void literal(std::string_view) noexcept;
  /// Returns whether it was valid; `printable_only`: ends at what isn't printable, and returns false.
  template <bool printable_only>
  bool escape(std::string_view) noexcept;
  [[nodiscard]] bool room(std::size_t n) noexcept { return n <= capacity_ - size_ || grow(n); }
  bool grow(std::size_t n) noexcept;

  char* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  bool failed_ = false;
};

/// How keys, values and header values are shown.
enum class BytesAs : std::uint8_t {
  text,  ///< a JSON string when it is printable UTF-8, otherwise {"base64":"..."}
  base64,
  hex,
  nothing,  ///< the member is left out
};
/// What of a records field is shown, besides its size.
enum class RecordsAs : std::uint8_t {
  nothing,
  batches,
  full,
  base64,  ///< instead: its bytes, unopened, as the encoder takes them (encode.h)
};

struct JsonOptions {
  bool show_secrets = false;
  bool unknown_tags = false;  ///< as "$tags"
  bool decoded = true;        ///< NAME.decoded members
  RecordsAs records = RecordsAs::full;
  BytesAs bytes = BytesAs::text;
  RecordOptions record_limits{};
};

/// What the decoding of a body can't know from the body itself. All may be left unset.
struct BodyContext {
  std::string_view
      protocol_type{};  ///< of the group ("consumer", "connect"): SyncGroup before 5, JoinGroup response before 7
  std::string_view protocol_name{};  ///< of the assignor: SyncGroup before 5
  std::string_view mechanism{};      ///< SASL: of the last SaslHandshake
  int inner_api_key = -1;            ///< Envelope response: of the request inside
  int inner_version = -1;
  /// Name of a topic id (16 bytes), "" unknown: so that records of internal topics can be decoded where only the id is
  /// given.
  std::string_view (*topic_name)(const void* with, const std::uint8_t* id) noexcept = nullptr;
  const void* topic_name_with = nullptr;
};

/// What a body tells for the decoding of later ones of its connection. Views into the body.
struct BodyFacts {
  std::string_view protocol_type{}, protocol_name{}, mechanism{};
  int inner_api_key = -1;
  int inner_version = -1;
};

/// One value as BytesAs has it; data() == nullptr is null. For `nothing` the caller leaves the member out.
void write_bytes(JsonWriter&, Bytes, BytesAs) noexcept;
/// A record's headers: [[name, value],...] in wire order; for `nothing` without values. Of a draft message (which `draft`
/// has read): [[key, value, name],...] with the key as a number, and its registered name where it has one.
void write_headers(JsonWriter&, const Batch&, const Record&, BytesAs, const DraftDecoder* draft = nullptr) noexcept;
/// {"code","limit"?,"field","offset","need","have"}; `need` and `have` where they mean something.
void write_error(JsonWriter&, const Error&) noexcept;
/// {"rule","field","offset","message"}.
void write_note(JsonWriter&, const Note&) noexcept;

/// Writes bodies and record sets. Keeps programs and buffers: one per thread, reused. Allocates nothing per body after
/// warm-up but for decompression.
class JsonDump {
 public:
  explicit JsonDump(const JsonOptions&);
  ~JsonDump();
  JsonDump(JsonDump&&) noexcept;

  [[nodiscard]] const JsonOptions& options() const noexcept;

  /// The body as one JSON object, valid also when decoding breaks off: it then holds what came before.
  Error body(JsonWriter&, const Message&, int version, Bytes body, const BodyContext& = {}) noexcept;
  /// Of the last body, at most `max_notes` of them; all_notes() counts the rest too.
  [[nodiscard]] std::span<const Note> notes() const noexcept;
  [[nodiscard]] std::uint64_t all_notes() const noexcept;
  [[nodiscard]] BodyFacts facts() const noexcept;
  static constexpr std::size_t max_notes = 64;

  /// {"batches":[...],"partial":{...}}. `topic`: of internal topics, records get keyDecoded and valueDecoded.
  /// Returns the first error of a batch.
  Error records(JsonWriter&, Bytes record_set, std::string_view topic = {}) noexcept;

  /// A payload by its kind (see payload.h) as one JSON value. False: no such kind, or nothing of it could be read;
  /// nothing is written then. `error`: where reading stopped.
  bool payload(JsonWriter&, std::string_view kind, int version, int api_key, Bytes, Error& error) noexcept;

  struct Impl;
  [[nodiscard]] Impl& impl() noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace kparse
