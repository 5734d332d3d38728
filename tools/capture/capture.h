// SPDX-License-Identifier: MIT
// All of it put together: files in, streams out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "capture/decoder.h"
#include "capture/tcp.h"
#include "capture/timeline.h"

namespace kparse::capture {

struct CaptureStats {
  std::uint64_t packets = 0;  ///< that passed the filter
  std::uint64_t tcp = 0;      ///< of these (datagrams put together from fragments: with their last fragment)
  std::uint64_t other = 0;
  std::uint64_t fragments = 0;  ///< that didn't complete a datagram
  std::uint64_t undecodable = 0;
};

/// Not thread-safe. A time range is not applied here: conversations are numbered before it counts, so whoever sees the
/// events drops those outside.
class Capture {
 public:
  Capture(std::vector<std::string> names, StreamHandler& handler, TimelineOptions timeline = {}, TcpOptions tcp = {})
      : timeline_(std::move(names), timeline), tcp_(handler, tcp) {}

  /// See Timeline. Before open().
  [[nodiscard]] std::string filter(std::string expression) { return timeline_.filter(std::move(expression)); }
  void open() { timeline_.open(); }
  /// One packet. Null: that was the last; finish() is next.
  const Packet* step();
  void finish() { tcp_.finish(); }

  [[nodiscard]] const CaptureStats& stats() const noexcept { return stats_; }
  [[nodiscard]] const TcpStats& tcp_stats() const noexcept { return tcp_.stats(); }
  /// `incomplete()` are datagrams of which fragments are missing, `given_up()` those that the full table dropped.
  [[nodiscard]] const Fragments& fragments() const noexcept { return decoder_.fragments(); }
  [[nodiscard]] const Timeline& timeline() const noexcept { return timeline_; }

 private:
  Timeline timeline_;
  Decoder decoder_;
  TcpTable tcp_;
  Segment segment_;
  CaptureStats stats_;
};

}  // namespace kparse::capture
