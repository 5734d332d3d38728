// SPDX-License-Identifier: MIT
// Kafka's vectors, and a sink that writes down what it hears.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/decode.h"

namespace kparse::test {

using Blob = std::vector<std::uint8_t>;

[[nodiscard]] Blob from_hex(std::string_view hex);  ///< blanks are skipped

/// Lines of a file beside the tests, or (gzip) in the folder of facts; empty when it isn't there.
[[nodiscard]] std::vector<std::string> lines_of(const std::filesystem::path&);
[[nodiscard]] std::filesystem::path data_file(std::string_view name);  ///< tests/NAME
[[nodiscard]] std::filesystem::path shared_folder();                   ///< KPARSE_SHARED
[[nodiscard]] std::vector<std::filesystem::path> shared_messages();    ///< its golden message files

struct Vector {
  const Message* message = nullptr;
  int version = 0;
  Blob body;
  bool old_layout = false;
};
/// Of message files.
[[nodiscard]] std::vector<Vector> vectors_of(const std::filesystem::path&);

/// One line for each event: what, field, value, place.
class Log : public Sink {
 public:
  explicit Log(Bytes body) : body_(body) {}
  std::vector<std::string> lines;
  std::vector<NodeId> nodes;  ///< beside the lines
  std::vector<Note> notes;
  int open = 0;  ///< structs, arrays and tags begun and not ended

  void begin_struct(NodeId n, const std::uint8_t* at) noexcept {
    ++open;
    line("begin", n, "", at);
  }
  void end_struct(NodeId n, const std::uint8_t* at) noexcept {
    --open;
    line("end", n, "", at);
  }
  void begin_array(NodeId n, std::int32_t count, const std::uint8_t* at) noexcept {
    ++open;
    line("array", n, std::to_string(count), at);
  }
  void end_array(NodeId n, const std::uint8_t* at) noexcept {
    --open;
    line("end", n, "", at);
  }
  void null(NodeId n, Bytes s) noexcept { line("null", n, "", s.data()); }
  void boolean(NodeId n, bool v, Bytes s) noexcept { line("bool", n, v ? "true" : "false", s.data()); }
  void integer(NodeId n, std::int64_t v, Bytes s) noexcept { line("int", n, std::to_string(v), s.data()); }
  void float64(NodeId n, double v, Bytes s) noexcept { line("float", n, std::to_string(v), s.data()); }
  void uuid(NodeId n, Bytes s) noexcept { line("uuid", n, std::string(text(s)), s.data()); }
  void string(NodeId n, std::string_view v, Bytes s) noexcept { line("string", n, std::string(v), s.data()); }
  void bytes(NodeId n, Bytes v, Bytes s) noexcept { line("bytes", n, std::string(text(v)), s.data()); }
  void records(NodeId n, Bytes v, Bytes s) noexcept { line("records", n, std::string(text(v)), s.data()); }
  void begin_tag(NodeId, Bytes) noexcept { ++open; }
  void end_tag(NodeId) noexcept { --open; }
  void unknown_tag(NodeId n, std::uint32_t tag, Bytes v) noexcept {
    line("tag", n, std::to_string(tag) + " " + std::string(text(v)), v.data());
  }
  void note(const Note& n) noexcept { notes.push_back(n); }

  /// Values of the field with this name, in order.
  [[nodiscard]] std::vector<std::string> values(std::string_view field_name) const;

 private:
  void line(const char* what, NodeId n, const std::string& value, const std::uint8_t* at);
  Bytes body_;
  std::vector<std::string> values_;
};

struct Walked {
  Error error;
  Log log;
};
[[nodiscard]] Walked walk_all(std::string_view message, int version, Bytes body);

}  // namespace kparse::test
