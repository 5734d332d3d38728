// SPDX-License-Identifier: MIT
// Many capture files as one observation, ordered by time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/filter.h"
#include "capture/source.h"

namespace kparse::capture {

struct TimelineOptions {
  const std::atomic<bool>* stop = nullptr;  ///< see Source
  std::size_t max_open = 64;                ///< files held open at once; more that overlap are opened for each read
};

/// Order: files that don't overlap follow one another by the time of their first packets; overlapping ones are merged
/// packet by packet by time. Equal times: the file that begins earlier first, then the one given first. Packets of one
/// file are never reordered, even where its times go back. So a capture split at any packets, given in any order, comes
/// out as it was (as long as its times don't go back at a split).
/// Files are opened when their turn comes, hundreds of them are fine. What can't be read twice (pipes, standard input)
/// stays open from the start. Not thread-safe.
class Timeline {
 public:
  explicit Timeline(std::vector<std::string> names, TimelineOptions = {});
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// BPF expression; empty, or what is wrong with it. Packets that don't pass count in FileInfo, but don't come out.
  [[nodiscard]] std::string filter(std::string expression) { return filter_.set(std::move(expression)); }
  /// Looks at the start of every file. Files that can't be read have `error` in files() and are left out.
  void open();
  /// Null: the end. The packet is valid until the next call.
  [[nodiscard]] const Packet* next();
  /// In the order given; complete when next() gave null.
  [[nodiscard]] const std::vector<FileInfo>& files() const noexcept { return files_; }
  /// Secrets blocks of all pcapng files read so far, in the order of reading. For a TLS stage: those of a file stand in
  /// front of the packets that need them.
  [[nodiscard]] const std::vector<Secret>& secrets() const noexcept { return secrets_; }

 private:
  struct Input;
  struct Later;
  const Packet* next_any();
  bool start(Input&);
  bool advance(Input&);
  void peek(Input&);
  void close(Input&);
  bool one_instant(const Input&) const;

  TimelineOptions options_;
  Filter filter_;
  std::vector<FileInfo> files_;
  std::vector<std::unique_ptr<Input>> inputs_;  // by time of the first packet; index = rank
  std::size_t unopened_ = 0;                    // the first of inputs_ that is not open yet
  std::vector<Input*> open_;                    // heap: its front has the earliest packet
  Input* current_ = nullptr;                    // gave the last packet
  std::vector<Secret> secrets_;
  std::size_t holding_ = 0;  // sources that hold a descriptor
};

}  // namespace kparse::capture
