// SPDX-License-Identifier: MIT
#include "output/diagnostics.h"

#include <unistd.h>

#include <string>

#include "output/text.h"

namespace kparse::cli {

void Diagnostics::error(std::string_view file, std::string_view message) {
  errors_.fetch_add(1, std::memory_order_relaxed);
  print(file, message);
}

void Diagnostics::warning(std::string_view file, std::string_view message) {
  if (!quiet_) print(file, message);
}

void Diagnostics::detail(std::string_view file, std::string_view message) {
  if (verbose_) print(file, message);
}

void Diagnostics::before_message(std::function<void()> before) {
  const std::lock_guard lock(mutex_);
  before_ = std::move(before);
}

void Diagnostics::print(std::string_view file, std::string_view message) {
  std::string line = "kparse: ";
  if (!file.empty()) {
    append_printable(line, file);
    line += ": ";
  }
  append_printable(line, message);
  line += '\n';
  const std::lock_guard lock(mutex_);
  if (before_) before_();
  // One write a message, so that messages of several processes don't mix. Nobody to tell when it fails.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace kparse::cli
