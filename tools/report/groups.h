// SPDX-License-Identifier: MIT
// Consumer groups and their like.
#pragma once

#include <cstdint>
#include <string>

#include "report/bounded_table.h"
#include "report/clients.h"
#include "report/names.h"

namespace kparse::report {

struct GroupRow {
  std::string group;
  std::uint64_t mentions = 0;
  Calls calls;                            ///< requests that name it
  std::uint64_t errors = 0;               ///< error codes in answers about it
  SmallSet<std::string> members{256};
  ClientSet clients;
  SmallSet<std::string> coordinators{64}; ///< servers that got its requests, but FindCoordinator's

  [[nodiscard]] std::uint64_t weight() const noexcept { return mentions; }
  void merge(GroupRow&&);
};

using GroupTable = BoundedTable<GroupRow>;

}  // namespace kparse::report
