// SPDX-License-Identifier: MIT
#include "capture/byte_source.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kparse::capture {

std::string text_of(const Damage& d) {
  return d.reason + " at byte " + std::to_string(d.offset) + (d.compressed ? " of the compressed file" : "");
}

RawSource::~RawSource() {
  if (fd_ > 0) ::close(fd_);
}

std::string RawSource::open() {
  if (fd_ >= 0) return {};
  fd_ = name_ == "-" ? 0 : ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) return std::strerror(errno);
  struct stat s {};
  if (::fstat(fd_, &s) != 0) return std::strerror(errno);
  if (S_ISDIR(s.st_mode)) return "Is a directory";
  regular_ = S_ISREG(s.st_mode) && fd_ != 0;
  if (regular_ && offset_ != 0) ::lseek(fd_, static_cast<off_t>(offset_), SEEK_SET);
  return {};
}

std::size_t RawSource::read(std::uint8_t* to, std::size_t room) {
  if (again_at_ < again_.size()) {
    const std::size_t n = std::min(room, again_.size() - again_at_);
    std::memcpy(to, again_.data() + again_at_, n);
    again_at_ += n;
    return n;
  }
  if (damage_) return 0;
  if (std::string why = open(); !why.empty()) {
    damage_ = Damage{std::move(why), offset_, false};
    return 0;
  }
  ssize_t n = 0;
  do {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return 0;
    n = ::read(fd_, to, room);
  } while (n < 0 && errno == EINTR);
  if (n < 0) {
    damage_ = Damage{std::strerror(errno), offset_, false};
    n = 0;
  }
  offset_ += static_cast<std::uint64_t>(n);
  if (close_between_reads_ && regular_) {
    ::close(fd_);
    fd_ = -1;
  }
  return static_cast<std::size_t>(n);
}

void RawSource::unread(Bytes b) {
  again_.erase(again_.begin(), again_.begin() + static_cast<std::ptrdiff_t>(again_at_));
  again_.insert(again_.begin(), b.begin(), b.end());
  again_at_ = 0;
}

void RawSource::close_between_reads() noexcept {
  close_between_reads_ = true;
  if (regular_ && fd_ > 0) {
    ::close(fd_);
    fd_ = -1;
  }
}

Packing packing_of(Bytes b) noexcept {
  if (b.size() >= 2 && b[0] == 0x1f && b[1] == 0x8b) return Packing::gzip;
  if (b.size() >= 4 && b[1] == 0xb5 && b[2] == 0x2f && b[3] == 0xfd && b[0] == 0x28) return Packing::zstd;
  // a skippable frame may come first (pzstd writes one)
  if (b.size() >= 4 && (b[0] & 0xf0) == 0x50 && b[1] == 0x2a && b[2] == 0x4d && b[3] == 0x18) return Packing::zstd;
  return Packing::none;
}

}  // namespace kparse::capture
