// SPDX-License-Identifier: GPL-2.0-or-later
// The bytes of frames that lie in several packets, for later passes: Wireshark hands out one packet at a time. What is
// kept is less than the frames: not what the last packet has, and a record batch that comes several times (produced,
// replicated, fetched by many) only once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "kparse/bytes.h"
#include "pdu.h"

namespace kparse::dissector {

/// Writes all but the last `here` bytes of the frame.
void put_kept(const Kept&, std::uint8_t* to) noexcept;

/// Of one capture. What it keeps is of `allocate`d memory, which it never frees: it goes with the capture.
class ByteStore {
 public:
  using Allocate = void* (*)(std::size_t);
  explicit ByteStore(Allocate from) noexcept : allocate_(from) {}

  /// `size` is the size field, `data` what follows. `record_sets`: views into `data`, in any order. `here`: so many bytes
  /// at the end are the first ones of the packet that is being looked at.
  [[nodiscard]] Kept* keep(std::uint32_t size, Bytes data, std::span<const Bytes> record_sets, std::uint32_t here);

 private:
  void share_batches(Bytes data, Bytes records, std::uint32_t end);
  void copy(std::uint32_t size, Bytes data, std::uint32_t end, Kept&);
  template <class T>
  T* allocate(std::size_t count) {
    return static_cast<T*>(allocate_(count * sizeof(T)));
  }

  struct Shared {  // a batch's bytes from its magic on: brokers change what goes before
    std::uint32_t at, length;  // in the frame
    const std::uint8_t* kept;  // nullptr: for the first time
    std::uint64_t key;
  };
  struct Batch {
    const std::uint8_t* bytes;
    std::uint32_t length;
  };
  Allocate allocate_;
  std::vector<Shared> shared_;  // of the frame that is being kept
  std::unordered_map<std::uint64_t, Batch> batches_;
};

}  // namespace kparse::dissector
