// SPDX-License-Identifier: MIT
// What members say to their group's coordinator and hear from it: the classic protocol (JoinGroup, SyncGroup, Heartbeat,
// LeaveGroup), and the heartbeats of KIP-848 (consumer), KIP-932 (share) and KIP-1071 (streams).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/stamp.h"
#include "kparse/topic_ref.h"

namespace kparse {

enum class GroupKind : std::uint8_t { classic, consumer, share, streams };
/// "classic", ...
[[nodiscard]] std::string_view name_of(GroupKind) noexcept;

/// A task of Kafka Streams: a partition of a part of its topology.
struct StreamsTask {
  enum class Role : std::uint8_t { active, standby, warmup };
  Role role = Role::active;
  std::string_view subtopology;
  std::int32_t partition = -1;
};

/// A member as a call or an answer lists it.
struct GroupMember {
  std::string_view member{}, instance{};  ///< "" none
  std::string_view reason{};          ///< LeaveGroup, from version 5
  Bytes data{};                       ///< JoinGroup's answer: its metadata. SyncGroup: its assignment
  std::int16_t error = 0;             ///< LeaveGroup's answer
};

/// A protocol that a member offers in JoinGroup.
struct GroupProtocol {
  std::string_view name;
  Bytes metadata;                     ///< protocol type "consumer": int16 version and ConsumerProtocolSubscription
};

/// A request of a member. What its version or kind doesn't have keeps its default.
struct GroupCall {
  enum class Kind : std::uint8_t { join, sync, heartbeat, leave };
  Kind kind = Kind::heartbeat;
  GroupKind group_kind = GroupKind::classic;
  std::uint64_t serial = 0;           ///< of the request
  Stamp first, at;                    ///< the packet that begins the request; the one that made it complete
  bool whole = true;                  ///< false: the body was not kept or could not be read to its end
  std::string_view group, member, instance;
  std::int32_t generation = -1;       ///< or member epoch: 0 joins, -1 leaves, -2 a static member leaves for a while
  std::string_view protocol_type, protocol;
  std::string_view reason;
  std::int32_t session_timeout_ms = -1, rebalance_timeout_ms = -1;
  std::span<const GroupProtocol> protocols;
  std::span<const GroupMember> members;        ///< LeaveGroup: who leaves (also before version 3). SyncGroup: the leader's plan
  bool topics_told = false;                    ///< false: as told before
  std::span<const std::string_view> topics;
  std::string_view topic_regex, rack, server_assignor;
  bool owned_told = false;                     ///< false: as told before
  std::span<const PartitionRef> owned;         ///< partitions that the member has
  std::span<const StreamsTask> tasks;
};

/// The answer to it.
struct GroupAnswer {
  std::int16_t error = 0;
  std::string_view error_message;
  std::int32_t generation = -1;                ///< or member epoch
  std::string_view member, leader;
  std::string_view protocol_type, protocol;
  std::int32_t heartbeat_interval_ms = -1;
  std::span<const GroupMember> members;        ///< JoinGroup: all of them, told to the leader. LeaveGroup: results
  bool assignment_told = false;                ///< false: nothing new
  Bytes assignment;                            ///< SyncGroup, as the leader made it
  std::span<const PartitionRef> assigned;      ///< heartbeats, and SyncGroup where the protocol type is "consumer"
  std::span<const StreamsTask> tasks;
  std::span<const std::string_view> status;    ///< KIP-1071: what is amiss, in words
};

}  // namespace kparse
