// SPDX-License-Identifier: GPL-2.0-or-later
// What the open capture has taught, and the memory that lasts as long as it is open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "conversation.h"
#include "kept_bytes.h"
#include "kparse/cluster.h"

namespace kparse::dissector {

/// Wireshark's file scope; small pieces are cut from larger ones.
void* in_file_scope(std::size_t size);

template <class T>
T* in_file_scope() {
  static_assert(alignof(T) <= 8);
  return new (in_file_scope(sizeof(T))) T;
}

struct Capture {
  Cluster cluster;
  std::unordered_set<std::string> words;  ///< that Pdus point to
  ByteStore bytes{in_file_scope};
  std::vector<std::unique_ptr<Conversation>> conversations;
  std::uint8_t* spare = nullptr;  ///< for small things: file scope takes 16 to 32 bytes more for each call
  std::size_t spare_bytes = 0;
};
Capture*& capture() noexcept;

/// Of equal words the same, until the capture is closed.
const char* keep(std::string_view word);

}  // namespace kparse::dissector
