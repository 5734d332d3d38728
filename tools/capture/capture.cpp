// SPDX-License-Identifier: MIT
#include "capture/capture.h"

#include <algorithm>

namespace kparse::capture {

const Packet* Capture::step() {
  const Packet* p = timeline_.next();
  if (p == nullptr) return nullptr;
  ++stats_.packets;
  switch (decoder_.decode(*p, segment_)) {
    case Decoded::tcp:
      ++stats_.tcp;
      segment_.stored = static_cast<std::uint32_t>(p->data.size());
      segment_.missing = p->wire_length - std::min(p->wire_length, segment_.stored);
      tcp_.add(segment_, p->stamp);
      break;
    case Decoded::other:
      ++stats_.other;
      break;
    case Decoded::fragment:
      ++stats_.fragments;
      break;
    case Decoded::undecodable:
      ++stats_.undecodable;
      break;
  }
  return p;
}

}  // namespace kparse::capture
