// SPDX-License-Identifier: MIT
#include "details/produced_times.h"

#include <algorithm>

namespace kparse::details {

void ProducedTimes::forget_older_half() {
  logs_.each([this](const story::PartitionKey&, Log& mine) {
    std::vector<Entry>& e = mine.entries;
    const std::size_t half = (e.size() + 1) / 2;
    e.erase(e.begin(), e.begin() + static_cast<std::ptrdiff_t>(half));
    mine.next = 0;
    size_ -= half;
    left_out_ += half;
  });
  logs_.erase_if([](const story::PartitionKey&, const Log& l) { return l.entries.empty(); });
}

void ProducedTimes::put(const story::PartitionKey& key, std::int64_t first_offset, std::int64_t time_ns) {
  if (size_ >= limit_) forget_older_half();
  Log* mine = logs_.find(key);
  if (!mine) mine = &logs_.add(key);
  std::vector<Entry>& e = mine->entries;
  if (e.empty() || first_offset > e.back().offset) {
    e.push_back({first_offset, time_ns});
    ++size_;
    return;
  }
  const auto from = e.end() - static_cast<std::ptrdiff_t>(std::min(window, e.size()));
  const auto at = std::lower_bound(from, e.end(), first_offset,
                                   [](const Entry& x, std::int64_t offset) { return x.offset < offset; });
  if (at->offset == first_offset) return;  // sent again: the first time counts
  if (at == from && from != e.begin()) {
    size_ -= e.size();
    left_out_ += e.size();
    e.clear();
    mine->next = 0;
    e.push_back({first_offset, time_ns});
  } else {
    e.insert(at, {first_offset, time_ns});
  }
  ++size_;
}

const std::int64_t* ProducedTimes::find(const story::PartitionKey& key, std::int64_t first_offset) {
  Log* mine = logs_.find(key);
  if (!mine) return nullptr;
  const std::vector<Entry>& e = mine->entries;
  if (mine->next >= e.size() || e[mine->next].offset != first_offset) {
    const auto at = std::lower_bound(e.begin(), e.end(), first_offset,
                                     [](const Entry& x, std::int64_t offset) { return x.offset < offset; });
    if (at == e.end() || at->offset != first_offset) return nullptr;
    mine->next = static_cast<std::size_t>(at - e.begin());
  }
  return &e[mine->next++].time_ns;
}

}  // namespace kparse::details
