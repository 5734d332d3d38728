// SPDX-License-Identifier: MIT
// Bytes under a file name, for what reads files only.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "targets.h"

namespace kparse::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(Bytes b) : fd_(memfd_create("input", MFD_CLOEXEC)) {
    KPARSE_HOLDS(fd_ >= 0);
    KPARSE_HOLDS(write(fd_, b.data(), b.size()) == static_cast<ssize_t>(b.size()));
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] std::string name() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace kparse::fuzz
