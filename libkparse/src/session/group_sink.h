// SPDX-License-Identifier: MIT
// Bodies of the group protocols to GroupCall and GroupAnswer.
#pragma once

#include "kparse/cluster.h"
#include "kparse/decode.h"
#include "kparse/group_events.h"
#include "session/listing.h"
#include "session/parts.h"

namespace kparse {

/// What a body holds. The lists of a call or answer point into it: valid until it is filled again.
struct GroupFacts {
  GroupCall call;
  GroupAnswer answer;
  Listing<GroupProtocol, 256> protocols;
  Listing<GroupMember> members;
  Listing<std::string_view> topics, status;
  Listing<PartitionRef> partitions;
  Listing<StreamsTask> tasks;

  void clear() noexcept;
  [[nodiscard]] std::uint64_t left_out() const noexcept;
};

class GroupSink : public Sink {
 public:
  /// Fills facts.call (`response` false) or facts.answer.
  GroupSink(const Part* parts, const Cluster& cluster, GroupFacts& facts, bool response) noexcept
      : parts_(parts), cluster_(cluster), f_(facts), response_(response) {
    f_.clear();
  }
  /// After the walk: sets the lists.
  void finish() noexcept;

  void begin_struct(NodeId, const std::uint8_t*) noexcept;
  void begin_array(NodeId, std::int32_t, const std::uint8_t*) noexcept;
  void integer(NodeId, std::int64_t, Bytes) noexcept;
  void uuid(NodeId, Bytes) noexcept;
  void string(NodeId, std::string_view, Bytes) noexcept;
  void bytes(NodeId, Bytes, Bytes) noexcept;

 private:
  const Part* parts_;
  const Cluster& cluster_;
  GroupFacts& f_;
  bool response_;
  TopicRef topic_;
  StreamsTask::Role role_ = StreamsTask::Role::active;
  std::string_view subtopology_;
};

}  // namespace kparse
