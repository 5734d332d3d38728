// SPDX-License-Identifier: MIT
// What is known of groups: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kparse/group_events.h"
#include "story/json.h"
#include "story/people.h"
#include "story/topic_index.h"

namespace kparse::groups {

using story::PartitionKey;
using Partitions = std::set<PartitionKey>;

struct Task {
  StreamsTask::Role role = StreamsTask::Role::active;
  std::string subtopology;
  std::int32_t partition = -1;
  auto operator<=>(const Task&) const = default;
};

/// What a member is to do.
struct Assignment {
  bool told = false;
  bool cut = false;  ///< too much to keep: what is listed isn't all
  std::vector<PartitionKey> partitions;
  std::vector<Task> tasks;
  std::vector<std::uint8_t> raw;  ///< of other protocol types
};

enum class What : std::uint8_t {
  join,       ///< a member asks to join
  member_id,  ///< it gets its id, and is to ask again
  joined,
  assigned,    ///< it hears what it is to do
  owns,        ///< it says what it has
  epoch,       ///< it is in another epoch now, with nothing else new
  generation,  ///< all members of a generation have their assignments
  rebalance,   ///< it hears that others join or leave
  subscribed,  ///< it wants other topics than before
  leave,
  static_leave,  ///< for a while: its instance keeps its place
  removed,       ///< by somebody else
  not_listed,    ///< it isn't in the list that the leader of a newer generation is told
  fenced,
  status,  ///< KIP-1071: something is amiss
  error,
  unanswered,  ///< a call without an answer in the capture
};
[[nodiscard]] std::string_view name_of(What) noexcept;

struct Moved {
  PartitionKey what;
  std::uint32_t from = 0, to = 0;  ///< members, index + 1; 0: nobody
};

struct Event {
  Stamp first, at;
  What what = What::error;
  std::int32_t generation = -1;
  std::uint32_t member = 0;  ///< index + 1 into Group::members, 0 none
  std::uint32_t by = 0;      ///< index + 1 into Group::people: who sent it
  std::string reason, instance;
  std::int16_t error = 0;
  std::uint32_t count = 1;  ///< the same again and again
  std::string_view call;    ///< of errors: "heartbeat", ...
  Assignment assignment;
  std::vector<PartitionKey> added, removed;
  // Of a generation.
  std::string leader, protocol;
  std::vector<std::pair<std::uint32_t, Assignment>> plan;
  std::vector<Moved> moved;
  bool moved_known = false;  ///< the generation before was seen too
  std::int64_t standstill_ns = -1;
  std::uint32_t members = 0, synced = 0;
};

struct Member {
  std::string member, instance;
  std::uint32_t person = 0;  ///< index + 1 into Group::people
  std::string rack, topic_regex;
  std::set<std::string> topics;
  bool topics_known = false;
  Stamp first, last;  ///< seen
  Stamp joined;       ///< packet 0: not seen
  std::string gone;   ///< "left", "fenced", ...; "" it is still there as far as was seen
  std::string gone_reason;
  Stamp gone_at;
  std::int32_t generation = -1;
  std::uint64_t heartbeats = 0;
  std::set<std::string> status;  ///< KIP-1071: as told last
  bool assigned_known = false;
  Partitions assigned;
  Partitions held;  ///< KIP-848: what it owns, also while it is to give it up
  std::set<Task> tasks;
  std::map<std::int8_t, std::uint64_t> acknowledged;  ///< share: records by type
  std::uint64_t acquired = 0;
};

struct Commit {
  Stamp first, at;
  std::uint32_t member = 0, by = 0;
  std::int32_t generation = -1;
  PartitionKey partition;
  std::int64_t offset = -1;
  std::string metadata;
  std::string transactional_id;
  bool answered = true;
  std::int16_t error = 0;
};

/// Of one partition.
struct Progress {
  std::int64_t committed = -1;
  Stamp at;
  std::uint64_t commits = 0, failed = 0;
  std::int64_t told = -1;  ///< committed as OffsetFetch told, before the first commit was seen
  bool told_none = false;  ///< and it told that there was nothing
};

/// Of one partition of a share group.
struct Delivery {
  std::uint64_t acquired = 0, redelivered = 0;
  std::int16_t most_deliveries = 0;
  std::map<std::int8_t, std::uint64_t> acknowledged;  ///< records by type
  std::uint64_t failed = 0, unanswered = 0;           ///< records whose acknowledgement was refused; without answer
};

struct Group {
  std::string name;
  bool kind_known = false;
  GroupKind kind = GroupKind::classic;
  std::set<std::string> kinds;
  std::string protocol_type, protocol;
  std::vector<story::Person> people;
  std::vector<Member> members;
  std::vector<Event> events;
  std::vector<Commit> commits;
  std::map<PartitionKey, Progress> progress;
  std::map<PartitionKey, Delivery> deliveries;
  std::set<std::string> coordinators;
  std::int64_t standstill_ns = -1;  ///< -1: nothing of the kind was seen
  std::uint64_t generations = 0;
};

/// Where a partition ends, as the newest Fetch or ListOffsets told.
struct End {
  std::int64_t offset = -1;
  Stamp at;
};

struct GroupsSeen {
  std::vector<Group> groups;  ///< by name
  story::TopicIndex topics;   ///< resolved
  std::map<PartitionKey, End> ends;
  std::vector<story::Limit> limits;
};

}  // namespace kparse::groups
