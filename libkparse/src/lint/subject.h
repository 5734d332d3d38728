// SPDX-License-Identifier: MIT
// How messages name what they are about. Who: telling.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "lint/connection.h"
#include "lint/text.h"

namespace kparse::lint {

/// orders-0; orders without a partition
struct Partition {
  std::string_view topic;
  std::int32_t partition = -1;
};
inline Text& operator<<(Text& t, const Partition& p) {
  t << Quoted{p.topic, 249};
  return p.partition < 0 ? t : t << "-" << p.partition;
}

/// "1 record", "2 records"
struct Records {
  std::int64_t count = 0;
};
inline Text& operator<<(Text& t, const Records& r) { return t << r.count << (r.count == 1 ? " record" : " records"); }

/// What an error is about: a partition, a topic, a group, or the request as a whole.
struct About {
  std::string_view topic;
  std::int32_t partition = -1;
  std::string_view group;
};
inline Text& operator<<(Text& t, const About& a) {
  if (!a.topic.empty()) return t << Partition{a.topic, a.partition};
  return a.group.empty() ? t << "the request" : t << "group " << Quoted{a.group};
}

}  // namespace kparse::lint
