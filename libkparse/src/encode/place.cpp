// SPDX-License-Identifier: MIT
#include <iterator>

#include "encode/text.h"
#include "kparse/encode.h"

namespace kparse {

std::string_view path_of(const FieldPlace& place, std::span<char> out) noexcept {
  NodeId chain[FieldPlace::max_depth];
  std::size_t depth = 0;
  for (NodeId n = place.node; n < fields().size() && field(n).parent != no_node && depth < std::size(chain);
       n = field(n).parent)
    chain[depth++] = n;
  Text text(out);
  for (std::size_t d = 1; depth > 0; ++d) {
    text << field(chain[--depth]).name;
    if (d < place.index.size() && place.index[d] != FieldPlace::no_index) text << "[" << place.index[d] << "]";
    if (depth > 0) text << ".";
  }
  return text.view();
}

}  // namespace kparse
