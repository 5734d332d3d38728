// SPDX-License-Identifier: MIT
// What each field of the schema means to the interpreter.
#pragma once

#include <cstdint>
#include <vector>

#include "kparse/decode.h"
#include "kparse/schema.h"

namespace kparse {

enum class Role : std::uint8_t {
  none,
  error,
  topic,
  topics,            ///< an array of names, each a topic of its own
  topic_id,
  topic_ids,
  partition,
  partitions,
  group,
  groups,
  member,
  acks,
  transactional_id,
  max_wait,
  throttle,
  broker_id,
  host,
  port,
  software_name,
  software_version,
  mechanism,
  auth_bytes,
  records,
  produced_at,       ///< Produce response: base offset
  append_time,       ///< Produce response: log append time
  snapshot_end,      ///< FetchSnapshot response: the snapshot's id
  snapshot_epoch,
  snapshot_position,
};

/// One role for each row of the schema.
[[nodiscard]] std::vector<Role> make_roles();
/// The fields whose role is not none.
[[nodiscard]] Interest interest_in(const std::vector<Role>&);

}  // namespace kparse
