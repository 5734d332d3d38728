// SPDX-License-Identifier: MIT
#include "decrypt/stream_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "output/diagnostics.h"

namespace kparse::cli {
namespace {
constexpr std::size_t most_open = 64, most_waiting = 64u << 10;
}

StreamFiles::~StreamFiles() {
  for (auto& [key, file] : files_)
    if (file.fd >= 0) ::close(file.fd);
}

std::string StreamFiles::name_of(std::uint64_t key) const {
  return fmt::format("{}/{}-{}.bin", folder_, key / 2, key % 2 == 0 ? "client" : "server");
}

void StreamFiles::fail(const std::string& name, int why) {
  if (!failed_) diagnostics_.error(name, fmt::format("can't be written: {}", std::strerror(why)));
  failed_ = true;
}

bool StreamFiles::open() {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error || !std::filesystem::is_directory(folder_, error)) {
    diagnostics_.error(folder_,
                       fmt::format("is no folder to write to{}{}", error ? ": " : "", error ? error.message() : ""));
    return false;
  }
  return true;
}

void StreamFiles::close_file(File& f) {
  if (f.fd < 0) return;
  ::close(f.fd);
  f.fd = -1;
  open_.erase(f.place);
}

void StreamFiles::write(std::uint64_t key, File& f) {
  const std::string name = name_of(key);
  if (f.fd >= 0) {
    open_.splice(open_.begin(), open_, f.place);
  } else {
    if (open_.size() >= most_open) close_file(files_[open_.back()]);
    f.fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (f.begun ? O_APPEND : O_TRUNC), 0666);
    if (f.fd < 0) {
      fail(name, errno);
    } else {
      f.begun = true;
      open_.push_front(key);
      f.place = open_.begin();
    }
  }
  for (std::size_t at = 0; f.fd >= 0 && at < f.waiting.size();) {
    const ssize_t n = ::write(f.fd, f.waiting.data() + at, f.waiting.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      fail(name, errno);
      break;
    }
    at += static_cast<std::size_t>(n);
  }
  f.waiting.clear();
}

void StreamFiles::data(const OpenedConnection& c, bool from_client, std::uint64_t, Bytes b, Stamp) {
  const std::uint64_t key = c.number * 2 + (from_client ? 0 : 1);
  File& f = files_[key];
  f.waiting += text(b);
  if (f.waiting.size() >= most_waiting) write(key, f);
}

void StreamFiles::close(const OpenedConnection& c, Stamp) {
  for (const std::uint64_t key : {c.number * 2, c.number * 2 + 1}) {
    const auto found = files_.find(key);
    if (found == files_.end()) continue;
    if (!found->second.waiting.empty()) write(key, found->second);
    close_file(found->second);
    files_.erase(found);
  }
}

bool StreamFiles::finish() { return !failed_; }

}  // namespace kparse::cli
