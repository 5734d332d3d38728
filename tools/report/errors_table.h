// SPDX-License-Identifier: MIT
// Error codes in answers: which, of what, how often, where first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/bounded_table.h"
#include "report/names.h"

namespace kparse::report {

struct ErrorRow {
  std::int16_t api_key = -1;
  std::int16_t code = 0;
  TopicKey topic;                ///< neither name nor id: none
  std::int32_t partition = -1;
  std::string group;
  std::uint64_t count = 0;
  Stamp first;                   ///< the packet with the first byte of the first such answer
  ClientName first_client;       ///< who got it
  SmallSet<ClientName> clients{64};

  [[nodiscard]] std::uint64_t weight() const noexcept { return count; }
  void merge(ErrorRow&&);
};

using ErrorTable = BoundedTable<ErrorRow>;

/// A row with its topic's name; rows that differ only in how the wire named the topic are one.
struct NamedError {
  TopicLabel topic;
  ErrorRow row;
};
/// Most frequent first, then by place.
[[nodiscard]] std::vector<NamedError> named_errors(const ErrorTable&, const Cluster&);

}  // namespace kparse::report
