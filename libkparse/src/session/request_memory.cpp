// SPDX-License-Identifier: MIT
#include "session/request_memory.h"

#include <new>
#include <utility>

namespace kparse {

RequestFacts* RequestMemory::put(std::uint64_t serial) noexcept {
  if (ring_.empty() && !grow()) return nullptr;
  // Serials are dense: two live ones share a place only if more requests are open than the ring has places.
  while (ring_[serial & (ring_.size() - 1)].live && grow()) {
  }
  RequestFacts& facts = ring_[serial & (ring_.size() - 1)];
  if (facts.live && facts.serial != serial) ++left_out_;
  facts.serial = serial;
  facts.live = true;
  facts.has_wait = false;
  facts.group.clear();
  return &facts;
}

RequestFacts* RequestMemory::find(std::uint64_t serial) noexcept {
  if (ring_.empty()) return nullptr;
  RequestFacts& facts = ring_[serial & (ring_.size() - 1)];
  return facts.live && facts.serial == serial ? &facts : nullptr;
}

void RequestMemory::forget(std::uint64_t serial) noexcept {
  if (RequestFacts* facts = find(serial)) facts->live = false;
}

bool RequestMemory::grow() noexcept {
  if (ring_.size() >= max_requests) return false;
  try {
    std::vector<RequestFacts> larger(ring_.empty() ? 8 : ring_.size() * 2);
    for (RequestFacts& facts : ring_)
      if (facts.live) larger[facts.serial & (larger.size() - 1)] = std::move(facts);
    ring_ = std::move(larger);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace kparse
