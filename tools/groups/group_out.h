// SPDX-License-Identifier: MIT
// The stories, written.
#pragma once

#include <string>
#include <vector>

#include "groups/group_rows.h"
#include "output/output.h"
#include "output/text.h"

namespace kparse::groups {

/// `"groups":[...],"limits":[...]`, of an open object.
void write_groups(JsonWriter&, const GroupsSeen&, const std::vector<std::string>& captures);
/// For people. `all`: also what is left out when there is much of it.
void print_groups(cli::Output&, const cli::Painter&, const GroupsSeen&, const std::vector<std::string>& captures,
                  bool all);

/// How far a group is behind in one partition.
struct Lag {
  PartitionKey partition;
  std::int64_t committed = -1;
  bool committed_here = false;  ///< by a commit in the capture; else as OffsetFetch told
  bool none = false;            ///< nothing was committed, as OffsetFetch told
  std::uint64_t commits = 0, failed = 0;
  Stamp at;
  End end;  ///< offset -1: nothing told it
  [[nodiscard]] std::int64_t lag() const noexcept {
    return committed < 0 || end.offset < 0 ? -1 : end.offset > committed ? end.offset - committed : 0;
  }
};
[[nodiscard]] std::vector<Lag> lags(const Group&, const GroupsSeen&);

}  // namespace kparse::groups
