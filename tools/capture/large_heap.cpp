// SPDX-License-Identifier: MIT
#include "capture/large_heap.h"

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace kparse::capture {

void LargeHeap::grow() noexcept {
#ifdef __GLIBC__
  constexpr std::size_t few = 64;                         // for these the heap stays as it is
  constexpr int step = 16 << 20;                          // the heap grows by so much at once: address space, not memory
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  if (++things_ < few) return;
  if (things_ == few) {
    mallopt(M_TOP_PAD, step);
    mallopt(M_TRIM_THRESHOLD, 2 * step);
  }
  char* const end = static_cast<char*>(sbrk(0));
  if (end == advised_ || end == reinterpret_cast<char*>(-1)) return;
  const auto whole = [](const char* at) { return reinterpret_cast<std::uintptr_t>(at) & ~(page - 1); };
  if (advised_ && whole(advised_) < whole(end))
    madvise(reinterpret_cast<void*>(whole(advised_)), whole(end) - whole(advised_), MADV_HUGEPAGE);
  advised_ = end;
#endif
}

}  // namespace kparse::capture
