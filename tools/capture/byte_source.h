// SPDX-License-Identifier: MIT
// Where bytes come from: a file, standard input, or either unpacked on the way.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/file_info.h"
#include "kparse/bytes.h"

namespace kparse::capture {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `room` bytes; 0 = the end, or damage().
  virtual std::size_t read(std::uint8_t* to, std::size_t room) = 0;
  /// Why read() gave 0 although there should be more.
  [[nodiscard]] const std::optional<Damage>& damage() const noexcept { return damage_; }

 protected:
  std::optional<Damage> damage_;
};

/// A file as it is. Not opened before the first read.
class RawSource : public ByteSource {
 public:
  /// `stop`: set by a signal handler; a read that is waiting then ends as if the file did. May be null.
  RawSource(std::string name, const std::atomic<bool>* stop) : name_(std::move(name)), stop_(stop) {}
  ~RawSource() override;
  RawSource(const RawSource&) = delete;
  RawSource& operator=(const RawSource&) = delete;

  /// Empty, or why it can't be opened.
  [[nodiscard]] std::string open();
  std::size_t read(std::uint8_t* to, std::size_t room) override;
  /// Gives these bytes again before any others.
  void unread(Bytes);
  /// Can be opened a second time and gives the same bytes (pipes don't).
  [[nodiscard]] bool regular() const noexcept { return regular_; }
  /// From now on the file is open during a read only. Has no effect on what isn't a regular file.
  void close_between_reads() noexcept;

 private:
  std::string name_;
  const std::atomic<bool>* stop_;
  int fd_ = -1;
  bool regular_ = false;
  bool close_between_reads_ = false;
  std::uint64_t offset_ = 0;
  std::vector<std::uint8_t> again_;
  std::size_t again_at_ = 0;
};

enum class Packing : std::uint8_t { none, gzip, zstd };

/// By the first bytes (4 are enough).
[[nodiscard]] Packing packing_of(Bytes head) noexcept;

/// Unpacks what `raw` gives, several members or frames one after another too. `raw` must outlive it.
[[nodiscard]] std::unique_ptr<ByteSource> unpacker(Packing, ByteSource& raw);

}  // namespace kparse::capture
