// SPDX-License-Identifier: MIT
#include "session/kept_requests.h"

#include <new>

namespace kparse {
namespace {

constexpr std::size_t worth_keeping = 16u << 10;  ///< larger buffers are given back

}  // namespace

KeptRequest* KeptRequests::find(std::uint64_t serial) noexcept {
  for (KeptRequest& k : kept_)
    if (k.live && k.serial == serial) return &k;
  return nullptr;
}

void KeptRequests::release(KeptRequest& k) noexcept {
  bytes_ -= k.body.size();
  k.live = false;
  k.body.clear();
  if (k.body.capacity() > worth_keeping) k.body = {};
}

void KeptRequests::forget(std::uint64_t serial) noexcept {
  if (KeptRequest* k = find(serial)) release(*k);
}

KeptRequest* KeptRequests::put(const Request& r) noexcept {
  if (r.body.size() > max_body) {
    ++left_out_;
    return nullptr;
  }
  KeptRequest *free = nullptr, *oldest = nullptr;
  do {
    free = oldest = nullptr;
    for (KeptRequest& k : kept_) {
      if (!k.live) {
        free = &k;
      } else if (!oldest || k.serial < oldest->serial) {
        oldest = &k;
      }
    }
    const bool room = free || kept_.size() < max_requests;
    if (room && bytes_ + r.body.size() <= max_bytes) break;
    if (!oldest) return nullptr;
    release(*oldest);
    ++left_out_;
  } while (true);
  try {
    if (!free) free = &kept_.emplace_back();
    free->body.assign(r.body.begin(), r.body.end());
  } catch (const std::bad_alloc&) {
    ++left_out_;
    return nullptr;
  }
  bytes_ += r.body.size();
  free->serial = r.serial;
  free->api_key = r.api_key;
  free->version = r.version;
  free->live = true;
  free->whole = r.frame.whole();
  free->number = 0;
  free->first = r.frame.first;
  free->completed = r.frame.completed;
  return free;
}

}  // namespace kparse
