// SPDX-License-Identifier: MIT
#include "corpus.h"

#include <fstream>
#include <iterator>
#include <vector>

namespace kparse::fuzz {

long each_input(const std::string& file, const std::function<void(Bytes)>& use) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return -1;
  const std::vector<char> all{std::istreambuf_iterator<char>(in), {}};
  long inputs = 0;
  for (std::size_t at = 0; at < all.size(); ++inputs) {
    if (all.size() - at < 2) return -1;
    const auto* head = reinterpret_cast<const std::uint8_t*>(all.data() + at);
    const std::size_t n = load_be<std::uint16_t>(head);
    if (n > all.size() - at - 2) return -1;
    const std::vector<std::uint8_t> own(head + 2, head + 2 + n);  // AddressSanitizer sees its end
    use(own);
    at += 2 + n;
  }
  return inputs;
}

}  // namespace kparse::fuzz
