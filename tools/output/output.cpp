// SPDX-License-Identifier: MIT
#include "output/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "output/diagnostics.h"

namespace kparse::cli {
namespace {

mode_t wanted_mode(const struct stat* former) {
  if (former != nullptr) return former->st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Output::Output(Diagnostics& diagnostics) : diagnostics_(diagnostics) { buffer_.reserve(sizeof_buffer); }

Output::~Output() { discard(); }

bool Output::open(const std::string& path) {
  path_ = path;
  if (path.empty()) {
    fd_ = STDOUT_FILENO;
    state_ = State::open;
    return true;
  }
  struct stat former {};
  const bool exists = ::stat(path.c_str(), &former) == 0;
  if (exists && !S_ISREG(former.st_mode)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) {
      fail("cannot be opened for writing", errno);
      return false;
    }
    state_ = State::open;
    return true;
  }
  target_ = path;
  if (exists) {
    char resolved[PATH_MAX];
    if (::realpath(path.c_str(), resolved) != nullptr) target_ = resolved;
  }
  const auto slash = target_.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  temporary_ = target_.substr(0, name) + ".kparse-XXXXXX";
  fd_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (fd_ < 0) {
    const int why = errno;
    temporary_.clear();
    fail("cannot be created", why);
    return false;
  }
  ::fchmod(fd_, wanted_mode(exists ? &former : nullptr));
  state_ = State::open;
  return true;
}

void Output::write_slow(std::string_view text) {
  flush();
  if (text.size() >= large) return write_all(text.data(), text.size());
  buffer_.append(text.data(), text.data() + text.size());
}

void Output::flush() {
  write_all(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void Output::write_all(const char* data, std::size_t size) {
  while (size > 0 && state_ == State::open) {
    const ssize_t n = ::write(fd_, data, size);
    if (n >= 0) {
      data += n;
      size -= static_cast<std::size_t>(n);
    } else if (errno == EPIPE) {
      state_ = State::pipe_closed;
    } else if (errno != EINTR) {
      fail("cannot be written", errno);
    }
  }
}

bool Output::is_terminal() const noexcept { return fd_ >= 0 && path_.empty() && ::isatty(fd_) == 1; }

void Output::fail(const char* what, int error_number) {
  state_ = State::failed;
  diagnostics_.error(path_.empty() ? "standard output" : path_,
                     fmt::format("{}: {}", what, std::strerror(error_number)));
}

bool Output::commit() {
  if (state_ == State::open) flush();
  if (!temporary_.empty() && state_ == State::open) {
    // Some file systems say only now that there is no space.
    if (::fsync(fd_) != 0 && errno != EINVAL) fail("cannot be written", errno);
    if (::close(fd_) != 0 && state_ == State::open) fail("cannot be written", errno);
    fd_ = -1;
    if (state_ == State::open && ::rename(temporary_.c_str(), target_.c_str()) != 0)
      fail("cannot be put in place", errno);
    if (state_ == State::open) temporary_.clear();
  }
  const bool good = state_ == State::open || state_ == State::pipe_closed;
  discard();
  return good;
}

void Output::discard() noexcept {
  if (state_ == State::open && path_.empty()) flush();
  buffer_.clear();
  if (fd_ > STDERR_FILENO) ::close(fd_);
  fd_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  if (state_ == State::open || state_ == State::pipe_closed) state_ = State::closed;
}

}  // namespace kparse::cli
