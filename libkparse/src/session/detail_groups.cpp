// SPDX-License-Identifier: MIT
// DetailReader: calls of the group protocols and their answers.
#include <algorithm>

#include "session/detail_walk.h"

namespace kparse {
namespace {

GroupCall::Kind call_kind(int api_key) noexcept {
  switch (api_key) {
    case 11:
      return GroupCall::Kind::join;
    case 13:
      return GroupCall::Kind::leave;
    case 14:
      return GroupCall::Kind::sync;
    default:
      return GroupCall::Kind::heartbeat;
  }
}

GroupKind group_kind(int api_key) noexcept {
  switch (api_key) {
    case 68:
      return GroupKind::consumer;
    case 76:
      return GroupKind::share;
    case 88:
      return GroupKind::streams;
    default:
      return GroupKind::classic;
  }
}

/// Partitions of a ConsumerProtocolAssignment.
struct AssignmentSink : Sink {
  Listing<PartitionRef>& partitions;
  std::string_view topic;

  explicit AssignmentSink(Listing<PartitionRef>& p) noexcept : partitions(p) {}
  void string(NodeId, std::string_view v, Bytes) noexcept { topic = v; }
  void integer(NodeId, std::int64_t v, Bytes) noexcept {
    partitions.push({.topic = {.name = topic, .id = nullptr}, .partition = static_cast<std::int32_t>(v)});
  }
};

}  // namespace

std::string_view name_of(GroupKind k) noexcept {
  switch (k) {
    case GroupKind::classic:
      return "classic";
    case GroupKind::consumer:
      return "consumer";
    case GroupKind::share:
      return "share";
    case GroupKind::streams:
      return "streams";
  }
  return "";
}

void DetailReader::group_call(const Message& m, int version, Bytes body, const Stamp& first, const Stamp& at,
                              std::uint64_t serial, bool whole) {
  GroupSink sink(p_.parts.data(), cluster_, p_.asked_group, false);
  GroupCall& call = p_.asked_group.call;
  call.kind = call_kind(m.api_key);
  call.group_kind = group_kind(m.api_key);
  call.serial = serial;
  call.first = first;
  call.at = at;
  const Error error = walk_body(m, version, body, sink);
  call.whole = whole && !error;
  sink.finish();
  if (call.kind == GroupCall::Kind::join && call.group.size() <= 1024 && call.protocol_type.size() <= 256) {
    group_ = call.group;
    protocol_type_ = call.protocol_type;
  }
  observer_.on_group_call(call);
}

// Newer versions of the assignment only add at its end (PROTOCOL: quirk 28).
void DetailReader::assigned(GroupAnswer& a, std::string_view protocol_type) {
  p_.partitions.clear();
  if (!a.assignment_told || !p_.assignment || (!protocol_type.empty() && protocol_type != "consumer")) return;
  if (a.assignment.size() < 2) return;
  const int version = load_be<std::int16_t>(a.assignment.data());
  if (version < 0) return;
  AssignmentSink sink(p_.partitions);
  const int known = std::min<int>(version, p_.assignment->versions.hi);
  const Error error = walk(p_.assignments.get(*p_.assignment, known), a.assignment.subspan(2), sink);
  // Where nothing says that it is one, only what reads as one to its last byte is taken for it.
  if (error && protocol_type.empty()) p_.partitions.clear();
  a.assigned = p_.partitions.view();
}

void DetailReader::group_answer(const Response& r, const KeptRequest* asked) {
  GroupCall& call = p_.asked_group.call;
  if (asked) {
    GroupSink sink(p_.parts.data(), cluster_, p_.asked_group, false);
    const Error error = walk_request(*asked, sink);
    call.first = asked->first;
    call.at = asked->completed;
    call.whole = asked->whole && !error;
    call.kind = call_kind(r.api_key);
    sink.finish();
  } else {
    p_.asked_group.clear();
    call.first = r.request_first;
    call.at = r.request_completed;
    call.whole = false;
    call.kind = call_kind(r.api_key);
  }
  call.group_kind = group_kind(r.api_key);
  call.serial = r.serial;

  GroupSink sink(p_.parts.data(), cluster_, p_.answered_group, true);
  (void)walk_body(*r.api->response, r.version, r.body, sink);
  sink.finish();
  GroupAnswer& answer = p_.answered_group.answer;
  if (call.kind == GroupCall::Kind::sync) {
    std::string_view type = !answer.protocol_type.empty() ? answer.protocol_type : call.protocol_type;
    if (type.empty() && call.group == group_) type = protocol_type_;
    assigned(answer, type);
    if (answer.protocol_type.empty()) answer.protocol_type = type;
  }
  observer_.on_group_answer(call, answer);
}

}  // namespace kparse
