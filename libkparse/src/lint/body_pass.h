// SPDX-License-Identifier: MIT
// One walk over all fields of a body, for the rules about how it is written.
#pragma once

#include <vector>

#include "kparse/decode.h"
#include "lint/rule.h"

namespace kparse::lint {

/// Who wants to hear of it; in calling order.
struct BodyRules {
  std::vector<Rule*> note, unknown_tag, overlong;
  [[nodiscard]] bool any() const noexcept { return !(note.empty() && unknown_tag.empty() && overlong.empty()); }
};

class BodyPass {
 public:
  explicit BodyPass(const BodyRules&);
  void body(const Message&, int version, Bytes);

 private:
  const BodyRules& rules_;
  ProgramSet programs_;
};

}  // namespace kparse::lint
