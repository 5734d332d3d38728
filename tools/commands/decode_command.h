// SPDX-License-Identifier: MIT
// What `kparse decode` does, without its command line.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/json.h"
#include "output/output.h"

namespace kparse::cli {

enum class DecodeWhat : std::uint8_t { message, records, payload };

/// One thing to decode.
struct DecodeJob {
  DecodeWhat what = DecodeWhat::message;
  std::string name;  ///< of the message; of the kind of payload
  int version = -1;
  int api_key = -1;     ///< coordinator values: the type of the key
  bool header = false;  ///< a request or response header comes before the body
};

/// Decodes what one command asked for. Not thread-safe.
class JobDecoder {
 public:
  explicit JobDecoder(const JsonOptions& o) : dump_(o) {}

  /// Appends one JSON value. Returns "" or what is wrong with the job itself (no such message); nothing is written
  /// then. error(): where decoding stopped. What Kafka's own readers refuse or read otherwise is an error here,
  /// although it doesn't stop decoding: null where none is allowed, a tag of the wrong size.
  std::string run(const DecodeJob&, Bytes, JsonWriter&);
  [[nodiscard]] const Error& error() const noexcept { return error_; }
  /// There was an error, also one that stands in the JSON already (of a record batch).
  [[nodiscard]] bool failed() const noexcept { return failed_ || error_; }
  [[nodiscard]] const std::vector<Note>& notes() const noexcept { return notes_; }

 private:
  std::string message(const DecodeJob&, Bytes, JsonWriter&);
  void body(const Message&, int version, Bytes, JsonWriter&);
  std::string with_header(const Message&, int version, Bytes, JsonWriter&);

  JsonDump dump_;
  Error error_;
  bool failed_ = false;
  std::vector<Note> notes_;
};

/// ndjson in, ndjson out, line by line in order. `base` fills what a line leaves unsaid.
void decode_batch(std::FILE* in, const DecodeJob& base, JobDecoder&, Output&);

}  // namespace kparse::cli
