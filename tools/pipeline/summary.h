// SPDX-License-Identifier: MIT
// What came of reading captures: plain data, for those who write about it.
#pragma once

#include <cstdint>
#include <vector>

#include "capture/file_info.h"
#include "capture/tcp.h"

namespace kparse::cli {

/// What was read, whatever was asked of it.
struct Summary {
  std::vector<capture::FileInfo> inputs;
  capture::TcpStats tcp;
  std::uint64_t packets = 0;  ///< of all inputs, before any filter
  std::uint64_t not_tcp = 0;
  std::uint64_t undecodable = 0;  ///< a header is cut off or contradicts itself, or the link type is unknown
  bool stopped = false;           ///< by a signal: the rest was not read
  bool unreadable = false;        ///< an input could not be read at all (exit status 3)
  bool bad_filter = false;        ///< --filter is no filter: nothing was read (exit status 2)
};

}  // namespace kparse::cli
