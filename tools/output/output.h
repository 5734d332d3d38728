// SPDX-License-Identifier: MIT
// Where a command's result goes: standard output, or a file that is written whole or not at all.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace kparse::cli {

class Diagnostics;

/// Buffered; not thread-safe. A file is written beside its name and renamed into place by commit(); what isn't a
/// regular file (/dev/null, a named pipe) is written directly.
class Output {
 public:
  explicit Output(Diagnostics&);
  /// Discards what was not committed.
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// "" is standard output. False: it can't be written; the error has been printed.
  [[nodiscard]] bool open(const std::string& path);

  void write(std::string_view text) {
    if (text.size() >= large || text.size() > sizeof_buffer - buffer_.size()) return write_slow(text);
    buffer_.append(text.data(), text.data() + text.size());
  }
  void write(char c) { write(std::string_view(&c, 1)); }
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() >= sizeof_buffer) flush();
  }

  /// Hands what is buffered to the system. For output that somebody watches.
  void flush();
  /// False when nothing more needs to be written: the reader has gone, or the disk is full.
  [[nodiscard]] bool wanted() const noexcept { return state_ == State::open; }
  /// Is standard output, and that is a terminal.
  [[nodiscard]] bool is_terminal() const noexcept;

  /// Flushes, and puts the file in its place. False: it could not be written (the error has been printed).
  /// A closed pipe is no error.
  [[nodiscard]] bool commit();
  /// A file keeps its former content. Standard output keeps what was written.
  void discard() noexcept;
  /// Committed or discarded.
  [[nodiscard]] bool closed() const noexcept { return state_ == State::closed; }

 private:
  enum class State { closed, open, pipe_closed, failed };
  static constexpr std::size_t sizeof_buffer = 256 * 1024;
  static constexpr std::size_t large = 32 * 1024;  ///< isn't worth a copy

  void write_slow(std::string_view);
  void write_all(const char*, std::size_t);
  void fail(const char* what, int error_number);

  Diagnostics& diagnostics_;
  fmt::memory_buffer buffer_;
  std::string path_;       ///< as given, for messages
  std::string target_;     ///< what is replaced: path_ with symbolic links followed
  std::string temporary_;  ///< "" when the file is written directly
  int fd_ = -1;
  State state_ = State::closed;
};

}  // namespace kparse::cli
