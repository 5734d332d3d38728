// SPDX-License-Identifier: MIT
// libFuzzer's entry: KPARSE_FUZZ_TARGET is a function of targets.h, or of fuzz.h in tests/tls.
#include <cstddef>
#include <cstdint>

#include "kparse/bytes.h"

namespace kparse::fuzz {
void KPARSE_FUZZ_TARGET(Bytes);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kparse::fuzz::KPARSE_FUZZ_TARGET({data, size});
  return 0;
}
