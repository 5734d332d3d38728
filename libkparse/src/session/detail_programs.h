// SPDX-License-Identifier: MIT
// What the detail readers of one thread share: programs, and lists that are filled anew for each body.
#pragma once

#include <array>

#include "kparse/compress.h"
#include "kparse/decode.h"
#include "session/fetch_sink.h"
#include "session/group_sink.h"
#include "session/parts.h"
#include "session/row_sink.h"
#include "session/share_sink.h"

namespace kparse {

struct DetailPrograms {
  DetailPrograms();

  std::vector<Part> parts;
  ProgramSet programs;
  ProgramSet assignments;  ///< ConsumerProtocolAssignment, all of it
  const Message* assignment;
  GroupFacts asked_group, answered_group;
  RowFacts asked_rows, answered_rows;
  /// Of the Fetch requests that were read last: their answers need them again.
  std::array<FetchFacts, 8> fetches;
  [[nodiscard]] FetchFacts& fetch_of(std::uint64_t conversation) noexcept {
    return fetches[conversation % fetches.size()];
  }
  ShareFacts asked_share, answered_share;
  Listing<AbortedTransaction> aborted;
  Listing<PartitionRef> partitions;
  Listing<PartitionResult> results;

  Scratch scratch;

  /// How much found a list of a body full, over all bodies.
  [[nodiscard]] std::uint64_t left_out() const noexcept;
  std::uint64_t told = 0;  ///< of that
};

}  // namespace kparse
