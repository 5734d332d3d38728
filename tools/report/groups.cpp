// SPDX-License-Identifier: MIT
#include "report/groups.h"

namespace kparse::report {

void GroupRow::merge(GroupRow&& o) {
  if (mentions == 0) {
    *this = std::move(o);
    return;
  }
  mentions += o.mentions;
  calls.merge(o.calls);
  errors += o.errors;
  members.merge(o.members);
  clients.merge(o.clients);
  coordinators.merge(o.coordinators);
}

}  // namespace kparse::report
