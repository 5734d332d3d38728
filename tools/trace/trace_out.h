// SPDX-License-Identifier: MIT
// The ways of records, written.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "output/output.h"
#include "output/text.h"
#include "trace/trace_rows.h"

namespace kparse::trace {

struct Show {
  std::vector<std::string> captures;
  bool grouped = false;      ///< by key or trace id: only marked records, those of one mark together
  std::int64_t offset = -1;  ///< only this one
  std::int32_t partition = -1;
  std::uint64_t most = 100'000;  ///< records listed
};

/// `"trace":[...],"delays":[...],"topics":[...],"limits":[...]`, of an open object that has members already, and its
/// end. Writes as it goes.
void write_trace(cli::Output&, const TraceSeen&, const Show&);
/// For people: who waits how long for whose records; `list`: and each record.
void print_trace(cli::Output&, const cli::Painter&, const TraceSeen&, const Show&, bool list);

/// Calls f(const Way&, mark) for each record to be listed, in order; mark -1: none. Returns how many were left out.
template <class F>
std::uint64_t each_listed(const TraceSeen& seen, const Show& show, F f) {
  std::uint64_t listed = 0, left_out = 0;
  std::vector<std::pair<std::int64_t, Way>> marked;
  each_way(seen, [&](Way& way) {
    if (show.offset >= 0 && way.offset != show.offset) return true;
    if (show.partition >= 0 && way.partition.partition != show.partition) return true;
    const auto it = seen.marked.find({way.partition, way.offset});
    const std::int64_t mark = it == seen.marked.end() ? -1 : std::int64_t{it->second};
    if (show.grouped && mark < 0) return true;
    if (listed >= show.most) {
      ++left_out;
      return true;
    }
    ++listed;
    if (show.grouped) {
      marked.emplace_back(mark, way);
    } else {
      f(static_cast<const Way&>(way), mark);
    }
    return true;
  });
  const auto when = [](const Way& w) {
    return w.written ? w.written->at : w.read.empty() ? Stamp{} : w.read.front()->at;
  };
  std::stable_sort(marked.begin(), marked.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first)
      return seen.marks[static_cast<std::size_t>(a.first)] < seen.marks[static_cast<std::size_t>(b.first)];
    return story::earlier(when(a.second), when(b.second));
  });
  for (const auto& [mark, way] : marked) f(static_cast<const Way&>(way), mark);
  return left_out;
}

}  // namespace kparse::trace
