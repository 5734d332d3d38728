// SPDX-License-Identifier: MIT
#include "kparse/decode.h"

namespace kparse {

Interest Interest::everything() {
  Interest i;
  i.all_ = true;
  return i;
}

Interest Interest::nothing() { return {}; }

void Interest::add(NodeId n) {
  if (n >= fields().size()) return;
  wanted_.resize(fields().size());
  wanted_[n] = true;
}

void Interest::add(Mark mark) {
  for (std::size_t n = 0; n < fields().size(); ++n)
    if (fields()[n].mark == mark) add(static_cast<NodeId>(n));
}

}  // namespace kparse
