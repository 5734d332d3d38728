// SPDX-License-Identifier: MIT
// What each field of the messages about groups, offsets and transactions is a part of. By path, so that all versions,
// also the preview releases' layouts, read alike.
#pragma once

#include <cstdint>
#include <vector>

#include "kparse/decode.h"
#include "kparse/schema.h"

namespace kparse {

enum class Part : std::uint8_t {
  none,
  // Of the message, or of the section around.
  section,  ///< an array of transactions, markers or groups: each element counts for itself
  group,
  member,
  instance,
  generation,
  protocol_type,
  protocol,
  reason,
  session_timeout,
  rebalance_timeout,
  heartbeat_interval,
  error,
  error_message,
  leader,
  topics,
  topic_regex,
  rack,
  server_assignor,
  assignment,  ///< the struct, or the bytes
  transactional_id,
  producer_id,
  producer_epoch,
  timeout,
  result,
  verify_only,
  isolation,
  // Lists.
  protocol_name,
  protocol_metadata,
  members,  ///< an array of them
  member_id,
  member_instance,
  member_reason,
  member_data,
  member_error,
  active_tasks,
  standby_tasks,
  warmup_tasks,  ///< arrays of them
  task_subtopology,
  task_partitions,
  status_detail,
  // Rows of partitions.
  owned,  ///< an array of topics
  row_topic_id,
  row_topic,
  row_partition,   ///< in a struct of its own
  row_partitions,  ///< an array of numbers
  row_offset,
  row_leader_epoch,
  row_metadata,
  row_timestamp,
  row_error,
};

/// One for each row of the schema.
[[nodiscard]] std::vector<Part> make_parts();
void add_interest(const std::vector<Part>&, Interest&);

}  // namespace kparse
