// SPDX-License-Identifier: MIT
#include "report/slowest.h"

#include <algorithm>
#include <utility>

namespace kparse::report {
namespace {

bool slower(const SlowExchange& a, const SlowExchange& b) noexcept {
  if (a.latency_ns != b.latency_ns) return a.latency_ns > b.latency_ns;
  if (earlier(a.request, b.request) || earlier(b.request, a.request)) return earlier(a.request, b.request);
  if (a.conversation != b.conversation) return a.conversation < b.conversation;
  return earlier(a.last, b.last);
}

}  // namespace

void Slowest::add(SlowExchange e) {
  rows_.insert(std::upper_bound(rows_.begin(), rows_.end(), e, slower), std::move(e));
  if (rows_.size() > limit) rows_.pop_back();
}

void Slowest::merge(Slowest&& other) {
  for (SlowExchange& e : other.rows_) add(std::move(e));
}

}  // namespace kparse::report
