// SPDX-License-Identifier: MIT
// What `kparse encode` does, without its command line.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "commands/json_source.h"
#include "kparse/encode.h"
#include "kparse/json.h"
#include "output/output.h"

namespace kparse::cli {

/// One message to encode.
struct EncodeJob {
  std::string name;
  int version = -1;
  bool header = false;  ///< the JSON is {"header":{...},"body":{...}}, as `decode --header` prints it
  bool frame = false;   ///< the size of all goes before the header
};

/// Not thread-safe.
class JobEncoder {
 public:
  JobEncoder() : encoder_(source_) {}

  /// Appends the bytes. Returns "" or what is wrong with the job itself (no such message). error(): what can't be
  /// encoded; nothing is appended then.
  [[nodiscard]] std::string run(const EncodeJob&, const rapidjson::Value&, Writer&);
  [[nodiscard]] const EncodeError& error() const noexcept { return error_; }

  /// A member that left no trace in the bytes.
  struct Note {
    std::string_view rule;
    std::string field, message;
  };
  /// Of the last run; of many, the first ones and how many more there were.
  [[nodiscard]] const std::vector<Note>& notes() const noexcept { return notes_; }

 private:
  [[nodiscard]] std::string with_header(const EncodeJob&, const Message&, const rapidjson::Value&, Writer&);
  bool part(const Message&, int version, const rapidjson::Value&, Writer&);

  JsonSource source_;
  Encoder encoder_;
  EncodeError error_;
  std::vector<Note> notes_;
};

/// ndjson in, ndjson out, line by line in order. `base` fills what a line leaves unsaid.
void encode_batch(std::FILE* in, const EncodeJob& base, JobEncoder&, Output&);

}  // namespace kparse::cli
