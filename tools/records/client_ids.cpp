// SPDX-License-Identifier: MIT
#include "records/client_ids.h"

#include <algorithm>
#include <iterator>

namespace kparse::cli {

void ClientIds::request(std::uint64_t serial, std::string_view client_id, bool null) {
  if (!changes_.empty() && changes_.back().null == null && changes_.back().client_id == client_id) return;
  if (changes_.size() >= max_changes) changes_.erase(changes_.begin());
  changes_.push_back({serial, null, std::string(client_id)});
}

ClientIds::Found ClientIds::of(std::uint64_t serial) const {
  if (changes_.empty()) return {};
  auto after = std::upper_bound(changes_.begin(), changes_.end(), serial,
                                [](std::uint64_t s, const Change& c) { return s < c.from; });
  const Change& c = after == changes_.begin() ? *after : *std::prev(after);
  return {c.client_id, c.null};
}

}  // namespace kparse::cli
