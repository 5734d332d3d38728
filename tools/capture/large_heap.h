// SPDX-License-Identifier: MIT
// What is kept of thousands of interleaved connections lies all over the heap: with pages of 4 KiB, finding them costs
// more than using what stands in them.
#pragma once

#include <cstddef>

namespace kparse::capture {

/// Asks for large pages (MADV_HUGEPAGE) for what the heap grows by from now on. Where the system has none, or the C library
/// isn't glibc, nothing happens.
class LargeHeap {
 public:
  /// Tells that there is one thing more to be kept. Cheap.
  void grow() noexcept;

 private:
  std::size_t things_ = 0;
  char* advised_ = nullptr;  ///< end of what was asked for
};

}  // namespace kparse::capture
