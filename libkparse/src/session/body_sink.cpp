// SPDX-License-Identifier: MIT
#include "session/body_sink.h"

#include <algorithm>

namespace kparse {
namespace {

bool is_zero(const std::uint8_t* id) noexcept {
  return std::all_of(id, id + 16, [](std::uint8_t b) { return b == 0; });
}

}  // namespace

// Level 0 is the request's; the message itself is level 1.
void BodySink::begin_struct(NodeId, const std::uint8_t*) noexcept {
  if (++depth_ < max_levels) [[likely]]
    return levels_.enter(depth_, levels_[depth_ - 1]);
  const Level around = top();
  levels_.enter(max_levels - 1, around);
}

void BodySink::end_struct(NodeId, const std::uint8_t*) noexcept {
  if (depth_ == 0) return;
  if (Level& l = top(); l.has != 0 || l.pending_count != 0) leave(l);
  --depth_;
}

void BodySink::leave(Level& l) noexcept {
  if (l.has & Level::own_partition) {
    if (l.has_topic()) tell_partition(l.topic, l.partition);
  } else if (l.own_topic() && !(l.has & Level::told_partition) && l.has_topic()) {
    tell_partition(l.topic, -1);
  }
  if (l.pending_count != 0) tell_errors(l);
  if (l.has & Level::produced) {
    c_.observer.on_produce_answered({.request_serial = c_.serial,
                                     .topic = l.topic,
                                     .partition = l.partition,
                                     .error = l.last_error,
                                     .base_offset = l.base_offset,
                                     .log_append_time = l.append_time});
  }
  if ((l.has & (Level::own_group | Level::own_member)) != 0 && !l.group.empty()) {
    c_.observer.on_group({.group = l.group, .member = l.has & Level::own_member ? l.member : std::string_view{}});
  }
  if ((l.has & Level::own_endpoint) && l.port > 0 && l.host.data() && l.broker_id >= 0) {
    if (!l.host.empty()) c_.cluster.learn_broker(l.broker_id, l.host, l.port);
    c_.observer.on_broker({.id = l.broker_id, .host = l.host, .port = l.port});
  }
}

void BodySink::tell_partition(const TopicRef& topic, std::int32_t partition) noexcept {
  for (int i = std::min(depth_, max_levels - 1); i > 0; --i) {
    levels_[i].has |= Level::told_partition;
    if (levels_[i].own_topic()) break;
  }
  c_.observer.on_partition({.topic = topic, .partition = partition});
}

void BodySink::error(NodeId node, std::int16_t code) noexcept {
  Level& l = top();
  l.last_error = code;
  if (code == 0) return;
  found_.errors = true;
  if (l.pending_count == l.pending.size()) tell_errors(l);
  l.pending[l.pending_count++] = {code, node};
}

void BodySink::tell_errors(Level& l) noexcept {
  for (int i = 0; i < l.pending_count; ++i) {
    c_.observer.on_error({.code = l.pending[i].code,
                          .node = l.pending[i].node,
                          .topic = l.topic,
                          .partition = l.partition,
                          .group = l.group});
  }
  l.pending_count = 0;
}

// A name and an id in one struct belong together, whatever the message.
void BodySink::pair(Level& l) noexcept {
  constexpr auto both = Level::own_name | Level::own_id;
  if ((l.has & both) != both) return;
  c_.cluster.learn_topic(l.topic.id, l.topic.name);
  c_.observer.on_topic_id({.name = l.topic.name, .id = l.topic.id});
}

void BodySink::integer(NodeId node, std::int64_t v, Bytes) noexcept {
  Level& l = top();
  switch (c_.roles[node]) {
    case Role::error:
      if (c_.response) error(node, static_cast<std::int16_t>(v));
      break;
    case Role::partition:
      l.partition = static_cast<std::int32_t>(v);
      l.has |= Level::own_partition;
      slice_ = {};
      break;
    case Role::partitions:
      if (l.has_topic()) tell_partition(l.topic, static_cast<std::int32_t>(v));
      break;
    case Role::acks: c_.observer.on_acks(static_cast<std::int16_t>(v)); break;
    case Role::max_wait:
      found_.has_wait = true;
      found_.max_wait_ms = static_cast<std::int32_t>(v);
      break;
    case Role::throttle:
      if (v > 0) c_.observer.on_throttle(static_cast<std::int32_t>(v));
      break;
    case Role::broker_id: l.broker_id = static_cast<std::int32_t>(v); break;
    case Role::port:
      l.port = static_cast<std::int32_t>(v);
      l.has |= Level::own_endpoint;
      break;
    case Role::produced_at:
      l.has |= Level::produced;
      l.base_offset = v;
      break;
    case Role::append_time: l.append_time = v; break;
    case Role::snapshot_end: slice_.end_offset = v; break;
    case Role::snapshot_epoch: slice_.epoch = v; break;
    case Role::snapshot_position: slice_.position = v; break;
    default: break;
  }
}

void BodySink::uuid(NodeId node, Bytes id) noexcept {
  if (is_zero(id.data())) return;
  const Role role = c_.roles[node];
  if (role == Role::topic_ids) {
    tell_partition({.name = c_.cluster.topic_name(id.data()), .id = id.data()}, -1);
  } else if (role == Role::topic_id) {
    Level& l = top();
    l.topic.id = id.data();
    if (!(l.has & Level::own_name)) l.topic.name = c_.cluster.topic_name(id.data());
    l.has |= Level::own_id;
    pair(l);
  }
}

void BodySink::string(NodeId node, std::string_view v, Bytes) noexcept {
  Level& l = top();
  switch (c_.roles[node]) {
    case Role::topic:
      if (v.empty()) break;  // clients that ask by id send "" as well as null
      l.topic.name = v;
      if (!(l.has & Level::own_id)) l.topic.id = nullptr;
      l.has |= Level::own_name;
      pair(l);
      break;
    case Role::topics:
      if (!v.empty()) tell_partition({.name = v, .id = nullptr}, -1);
      break;
    case Role::group:
      l.group = v;
      l.has |= Level::own_group;
      if (found_.group.empty()) found_.group = v;
      break;
    case Role::groups:
      if (!v.empty()) c_.observer.on_group({.group = v, .member = {}});
      if (found_.group.empty()) found_.group = v;
      break;
    case Role::member:
      l.member = v;
      l.has |= Level::own_member;
      break;
    case Role::host: l.host = v; break;
    case Role::transactional_id:
      if (!v.empty()) c_.observer.on_transactional_id(v);
      break;
    case Role::mechanism: found_.mechanism = v; break;
    case Role::software_name: found_.software_name = v; break;
    case Role::software_version: found_.software_version = v; break;
    default: break;
  }
}

void BodySink::bytes(NodeId node, Bytes v, Bytes) noexcept {
  if (c_.roles[node] != Role::auth_bytes) return;
  found_.auth_bytes = v;
  found_.has_auth = true;
}

void BodySink::records(NodeId node, Bytes v, Bytes) noexcept {
  if (c_.roles[node] != Role::records) return;
  if (!v.empty()) found_.data = true;
  if (c_.via == Via::snapshot) return snapshot(v);
  const Level& l = top();
  tell_records({.via = c_.via, .topic = l.topic, .partition = l.partition, .records = v, .position = 0, .unread = 0});
}

void BodySink::snapshot(Bytes v) noexcept {
  const Level& l = top();
  slice_.topic = l.topic.name;
  slice_.partition = l.partition;
  slice_.bytes = v;
  if (v.empty()) return;
  RecordsSeen seen{.via = Via::snapshot, .topic = l.topic, .partition = l.partition, .records = {}, .position = 0, .unread = 0};
  const std::uint64_t unread = c_.snapshots.add(slice_, [&](std::uint64_t position, Bytes batches) noexcept {
    seen.position = position;
    seen.records = batches;
    tell_records(seen);
  });
  if (unread == 0) return;
  seen.records = {};
  seen.position = static_cast<std::uint64_t>(slice_.position) + v.size() - unread;
  seen.unread = unread;
  tell_records(seen);
}

void BodySink::tell_records(const RecordsSeen& seen) noexcept {
  c_.learn(c_.with, seen);
  if (!c_.batches) return c_.observer.on_records(seen);
  RecordsSeen shared = seen;
  shared.also = c_.batches;
  c_.batches->begin(shared);
  c_.observer.on_records(shared);
  c_.batches->end();
}

// Here, where the events' bodies can be put into the walk.
Error BodySink::read(const Program& program, Bytes body) noexcept {
  const Error error = walk(program, body, *this);
  while (depth_ > 0) end_struct(no_node, nullptr);
  return error;
}

}  // namespace kparse
