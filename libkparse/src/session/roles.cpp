// SPDX-License-Identifier: MIT
#include "session/roles.h"

#include <string_view>

namespace kparse {
namespace {

Role by_mark(const Field& f) {
  switch (f.mark) {
    case Mark::error: return Role::error;
    case Mark::topic: return f.array ? Role::topics : Role::topic;
    case Mark::topic_id: return f.array ? Role::topic_ids : Role::topic_id;
    case Mark::partition: return f.array ? Role::partitions : Role::partition;
    case Mark::group: return f.array ? Role::groups : Role::group;
    case Mark::member: return f.array ? Role::none : Role::member;
    case Mark::acks: return Role::acks;
    case Mark::transactional_id: return f.array ? Role::none : Role::transactional_id;
    case Mark::max_wait: return Role::max_wait;
    case Mark::throttle: return Role::throttle;
    case Mark::broker_id: return f.array ? Role::none : Role::broker_id;
    case Mark::host: return Role::host;
    case Mark::port: return Role::port;
    case Mark::software_name: return Role::software_name;
    case Mark::software_version: return Role::software_version;
    case Mark::mechanism: return f.array ? Role::none : Role::mechanism;
    case Mark::auth_bytes: return Role::auth_bytes;
    default: return f.type == Type::records ? Role::records : Role::none;
  }
}

struct Named {
  std::string_view message, field;
  Role role;
};

// Fields that mean something in one message only.
constexpr Named named[] = {
    {"ProduceResponse", "baseOffset", Role::produced_at},
    {"ProduceResponse", "logAppendTimeMs", Role::append_time},
    {"FetchSnapshotResponse", "endOffset", Role::snapshot_end},
    {"FetchSnapshotResponse", "epoch", Role::snapshot_epoch},
    {"FetchSnapshotResponse", "position", Role::snapshot_position},
};

}  // namespace

std::vector<Role> make_roles() {
  std::vector<Role> roles(fields().size(), Role::none);
  for (const Message& m : messages()) {
    if (m.kind != Kind::request && m.kind != Kind::response) continue;
    for (int n = m.root + 1; n <= m.root + field(m.root).below; ++n) {
      const Field& f = field(static_cast<NodeId>(n));
      roles[n] = by_mark(f);
      for (const Named& special : named)
        if (special.message == m.name && special.field == f.name) roles[n] = special.role;
    }
  }
  return roles;
}

Interest interest_in(const std::vector<Role>& roles) {
  Interest wanted = Interest::nothing();
  for (std::size_t n = 0; n < roles.size(); ++n)
    if (roles[n] != Role::none) wanted.add(static_cast<NodeId>(n));
  return wanted;
}

}  // namespace kparse
