// SPDX-License-Identifier: MIT
// Messages to people, on standard error: `kparse: FILE: what, where, why`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>

namespace kparse::cli {

/// Thread-safe. Control characters in what is printed are shown as escapes (file names, text from captures).
class Diagnostics {
 public:
  Diagnostics() = default;
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;

  void set_quiet(bool quiet) noexcept { quiet_ = quiet; }
  void set_verbose(bool verbose) noexcept { verbose_ = verbose; }
  [[nodiscard]] bool verbose() const noexcept { return verbose_; }

  /// Something that was asked for can't be done. Printed also with --quiet. `file` may be "".
  void error(std::string_view file, std::string_view message);
  /// Something to know that changes what the output means. Not with --quiet.
  void warning(std::string_view file, std::string_view message);
  /// Only with -v.
  void detail(std::string_view file, std::string_view message);

  /// Errors so far. A reader of many captures can tell from it whether all could be read.
  [[nodiscard]] std::uint64_t errors() const noexcept { return errors_; }

  /// Called before each message (the progress bar takes itself away); an empty function ends that.
  void before_message(std::function<void()>);

 private:
  void print(std::string_view file, std::string_view message);

  std::mutex mutex_;
  std::function<void()> before_;
  std::atomic<std::uint64_t> errors_{0};
  bool quiet_ = false;
  bool verbose_ = false;
};

}  // namespace kparse::cli
