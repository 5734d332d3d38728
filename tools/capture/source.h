// SPDX-License-Identifier: MIT
// One capture file: pcap or pcapng, plain or packed, or standard input.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "capture/byte_source.h"
#include "capture/file_info.h"
#include "capture/packet.h"
#include "capture/reader.h"
#include "capture/window.h"

namespace kparse::capture {

/// Reads in large pieces and gives packets as views into its buffer. Memory: the buffer (256 KiB, or the largest
/// packet).
class Source {
 public:
  /// `number` goes into Stamp::file. `stop` (may be null): when it becomes true, reading ends as if the file did.
  Source(std::string name, std::uint32_t number, const std::atomic<bool>* stop = nullptr,
         std::size_t read_size = 256u << 10);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// False: info().error says why. Reads the first bytes only.
  bool open();
  /// The next packet, numbered from 1. False: the end, or info().damage.
  bool next(Packet&);
  [[nodiscard]] const FileInfo& info() const noexcept { return info_; }
  /// Secrets blocks of a pcapng met so far: a TLS stage asks after each packet, or once at the end.
  [[nodiscard]] const std::vector<Secret>& secrets() const noexcept { return reader_->secrets(); }
  /// Can be read again from its start.
  [[nodiscard]] bool regular() const noexcept { return raw_.regular(); }
  /// Holds no descriptor between reads; for when very many files are open.
  void close_between_reads() noexcept {
    raw_.close_between_reads();
    holds_ = false;
  }
  [[nodiscard]] bool holds() const noexcept { return holds_; }

 private:
  FileInfo info_;
  bool holds_ = true;
  std::uint32_t number_;
  const std::atomic<bool>* stop_;
  std::size_t read_size_;
  RawSource raw_;
  std::unique_ptr<ByteSource> unpacked_;
  std::unique_ptr<Window> window_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace kparse::capture
