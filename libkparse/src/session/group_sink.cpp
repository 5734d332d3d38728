// SPDX-License-Identifier: MIT
#include "session/group_sink.h"

namespace kparse {

void GroupFacts::clear() noexcept {
  call = {};
  answer = {};
  protocols.clear();
  members.clear();
  topics.clear();
  status.clear();
  partitions.clear();
  tasks.clear();
}

std::uint64_t GroupFacts::left_out() const noexcept {
  return protocols.left_out() + members.left_out() + topics.left_out() + status.left_out() + partitions.left_out() +
         tasks.left_out();
}

void GroupSink::finish() noexcept {
  if (response_) {
    f_.answer.members = f_.members.view();
    f_.answer.assigned = f_.partitions.view();
    f_.answer.tasks = f_.tasks.view();
    f_.answer.status = f_.status.view();
    return;
  }
  GroupCall& c = f_.call;
  // Before version 3 of LeaveGroup the member leaves for itself.
  if (c.kind == GroupCall::Kind::leave && f_.members.size() == 0 && !c.member.empty())
    f_.members.push({.member = c.member});
  c.protocols = f_.protocols.view();
  c.members = f_.members.view();
  c.topics = f_.topics.view();
  c.owned = f_.partitions.view();
  c.tasks = f_.tasks.view();
}

void GroupSink::begin_struct(NodeId node, const std::uint8_t*) noexcept {
  switch (parts_[node]) {
    case Part::members:
      f_.members.push({});
      break;
    case Part::assignment:
      if (response_) f_.answer.assignment_told = true;
      break;
    default:
      break;
  }
}

// Null and empty differ: null means that nothing changed.
void GroupSink::begin_array(NodeId node, std::int32_t, const std::uint8_t*) noexcept {
  const Part part = parts_[node];
  switch (part) {
    case Part::topics:
      f_.call.topics_told = true;
      break;
    case Part::owned:
      f_.call.owned_told = true;
      break;
    case Part::active_tasks:
    case Part::standby_tasks:
    case Part::warmup_tasks:
      role_ = part == Part::active_tasks    ? StreamsTask::Role::active
              : part == Part::standby_tasks ? StreamsTask::Role::standby
                                            : StreamsTask::Role::warmup;
      (response_ ? f_.answer.assignment_told : f_.call.owned_told) = true;
      break;
    default:
      break;
  }
}

void GroupSink::integer(NodeId node, std::int64_t v, Bytes) noexcept {
  const auto i = static_cast<std::int32_t>(v);
  switch (parts_[node]) {
    case Part::generation:
      (response_ ? f_.answer.generation : f_.call.generation) = i;
      break;
    case Part::error:
      f_.answer.error = static_cast<std::int16_t>(v);
      break;
    case Part::session_timeout:
      f_.call.session_timeout_ms = i;
      break;
    case Part::rebalance_timeout:
      f_.call.rebalance_timeout_ms = i;
      break;
    case Part::heartbeat_interval:
      f_.answer.heartbeat_interval_ms = i;
      break;
    case Part::member_error:
      if (f_.members.size() > 0) f_.members.items().back().error = static_cast<std::int16_t>(v);
      break;
    case Part::row_partitions:
      f_.partitions.push({.topic = topic_, .partition = i});
      break;
    case Part::task_partitions:
      f_.tasks.push({.role = role_, .subtopology = subtopology_, .partition = i});
      break;
    default:
      break;
  }
}

void GroupSink::uuid(NodeId node, Bytes id) noexcept {
  if (parts_[node] == Part::row_topic_id) topic_ = {.name = cluster_.topic_name(id.data()), .id = id.data()};
}

void GroupSink::string(NodeId node, std::string_view v, Bytes) noexcept {
  switch (parts_[node]) {
    case Part::group:
      f_.call.group = v;
      break;
    case Part::member:
      (response_ ? f_.answer.member : f_.call.member) = v;
      break;
    case Part::instance:
      f_.call.instance = v;
      break;
    case Part::protocol_type:
      (response_ ? f_.answer.protocol_type : f_.call.protocol_type) = v;
      break;
    case Part::protocol:
      (response_ ? f_.answer.protocol : f_.call.protocol) = v;
      break;
    case Part::reason:
      f_.call.reason = v;
      break;
    case Part::error_message:
      f_.answer.error_message = v;
      break;
    case Part::leader:
      f_.answer.leader = v;
      break;
    case Part::topics:
      f_.topics.push(v);
      break;
    case Part::topic_regex:
      f_.call.topic_regex = v;
      break;
    case Part::rack:
      f_.call.rack = v;
      break;
    case Part::server_assignor:
      f_.call.server_assignor = v;
      break;
    case Part::protocol_name:
      f_.protocols.push({.name = v, .metadata = {}});
      break;
    case Part::member_id:
      if (f_.members.size() > 0) f_.members.items().back().member = v;
      break;
    case Part::member_instance:
      if (f_.members.size() > 0) f_.members.items().back().instance = v;
      break;
    case Part::member_reason:
      if (f_.members.size() > 0) f_.members.items().back().reason = v;
      break;
    case Part::task_subtopology:
      subtopology_ = v;
      break;
    case Part::status_detail:
      f_.status.push(v);
      break;
    default:
      break;
  }
}

void GroupSink::bytes(NodeId node, Bytes v, Bytes) noexcept {
  switch (parts_[node]) {
    case Part::protocol_metadata:
      if (f_.protocols.size() > 0) f_.protocols.items().back().metadata = v;
      break;
    case Part::member_data:
      if (f_.members.size() > 0) f_.members.items().back().data = v;
      break;
    case Part::assignment:
      f_.answer.assignment_told = true;
      f_.answer.assignment = v;
      break;
    default:
      break;
  }
}

}  // namespace kparse
