// SPDX-License-Identifier: MIT
#include "session/share_sink.h"

#include "kparse/node.h"
#include "kparse/saturate.h"

namespace kparse {
namespace {

namespace fetch = node::share_fetch_request;
namespace fetched = node::share_fetch_response;
namespace ack = node::share_acknowledge_request;
namespace acked = node::share_acknowledge_response;
namespace fetch_batch = node::share_fetch_request::topics::partitions::acknowledgement_batches;
namespace ack_batch = node::share_acknowledge_request::topics::partitions::acknowledgement_batches;
namespace fetched_part = node::share_fetch_response::responses::partitions;
namespace acked_part = node::share_acknowledge_response::responses::partitions;

}  // namespace

void add_share_interest(Interest& i) {
  for (const NodeId n : {fetch::group_id,
                         fetch::member_id,
                         fetch::topics::topic_id,
                         fetch::topics::partitions::partition_index,
                         fetch_batch::first_offset,
                         fetch_batch::last_offset,
                         fetch_batch::acknowledge_types,
                         ack::group_id,
                         ack::member_id,
                         ack::topics::topic_id,
                         ack::topics::partitions::partition_index,
                         ack_batch::first_offset,
                         ack_batch::last_offset,
                         ack_batch::acknowledge_types,
                         fetched::error_code,
                         fetched::responses::topic_id,
                         fetched_part::partition_index,
                         fetched_part::error_code,
                         fetched_part::acknowledge_error_code,
                         fetched_part::current_leader::leader_id,
                         fetched_part::current_leader::leader_epoch,
                         fetched_part::acquired_records::first_offset,
                         fetched_part::acquired_records::last_offset,
                         fetched_part::acquired_records::delivery_count,
                         acked::error_code,
                         acked::responses::topic_id,
                         acked_part::partition_index,
                         acked_part::error_code,
                         acked_part::current_leader::leader_id,
                         acked_part::current_leader::leader_epoch})
    i.add(n);
}

void ShareSink::begin_struct(NodeId node, const std::uint8_t*) noexcept {
  if (node == fetched_part::self || node == acked_part::self) {
    result_ = {};
    partition_error_ = 0;
    leader_ = {};
  }
  if (node == fetch_batch::self || node == ack_batch::self) {
    types_ = run_from_ = 0;
    run_type_ = 0;
  }
}

// One type stands for the whole range, else there is one for each offset (KIP-932).
void ShareSink::acknowledge(std::int64_t type) noexcept {
  const auto t = static_cast<std::int16_t>(type);
  if (types_ > 0 && t != run_type_) {
    ShareRange run = range_;
    run.first = saturated_sum(range_.first, run_from_);
    run.last = saturated_sum(range_.first, types_ - 1);
    run.number = run_type_;
    f_.ranges.push(run);
    run_from_ = types_;
  }
  run_type_ = t;
  ++types_;
}

void ShareSink::end_batch() noexcept {
  if (types_ == 0) return;
  ShareRange run = range_;
  run.first = saturated_sum(range_.first, run_from_);
  run.last = types_ == 1 ? range_.last : saturated_sum(range_.first, types_ - 1);
  run.number = run_type_;
  f_.ranges.push(run);
}

void ShareSink::end_struct(NodeId node, const std::uint8_t*) noexcept {
  switch (node) {
    case fetch_batch::self:
    case ack_batch::self:
      end_batch();
      break;
    case fetched_part::acquired_records::self:
      f_.ranges.push(range_);
      break;
    case fetched_part::self:
    case acked_part::self:
      result_.topic = topic_;
      f_.results.push(result_);
      if (!leaders_ || partition_error_ == 0 || leader_.node < 0) break;  // without an error it says nothing
      cluster_.learn_leader(topic_, result_.partition, leader_);
      leaders_->on_leader({.source = LeaderTold::Source::share,
                           .topic = topic_,
                           .partition = result_.partition,
                           .leader = leader_.node,
                           .leader_epoch = leader_.epoch,
                           .error = partition_error_});
      break;
    default:
      break;
  }
}

void ShareSink::integer(NodeId node, std::int64_t v, Bytes) noexcept {
  const auto i = static_cast<std::int32_t>(v);
  switch (node) {
    case fetched::error_code:
    case acked::error_code:
      f_.error = static_cast<std::int16_t>(v);
      break;
    case fetch::topics::partitions::partition_index:
    case ack::topics::partitions::partition_index:
      range_.topic = topic_;
      range_.partition = i;
      break;
    case fetched_part::partition_index:
    case acked_part::partition_index:
      range_.topic = topic_;
      range_.partition = result_.partition = i;
      break;
    case fetched_part::error_code:
      partition_error_ = static_cast<std::int16_t>(v);
      break;
    case fetched_part::acknowledge_error_code:
      result_.error = static_cast<std::int16_t>(v);
      break;
    case acked_part::error_code:
      result_.error = partition_error_ = static_cast<std::int16_t>(v);
      break;
    case fetched_part::current_leader::leader_id:
    case acked_part::current_leader::leader_id:
      leader_.node = i;
      break;
    case fetched_part::current_leader::leader_epoch:
    case acked_part::current_leader::leader_epoch:
      leader_.epoch = i;
      break;
    case fetch_batch::first_offset:
    case ack_batch::first_offset:
    case fetched_part::acquired_records::first_offset:
      range_.first = v;
      break;
    case fetch_batch::last_offset:
    case ack_batch::last_offset:
    case fetched_part::acquired_records::last_offset:
      range_.last = v;
      break;
    case fetched_part::acquired_records::delivery_count:
      range_.number = static_cast<std::int16_t>(v);
      break;
    case fetch_batch::acknowledge_types:
    case ack_batch::acknowledge_types:
      acknowledge(v);
      break;
    default:
      break;
  }
}

void ShareSink::uuid(NodeId node, Bytes id) noexcept {
  if (node == fetch::topics::topic_id || node == ack::topics::topic_id || node == fetched::responses::topic_id ||
      node == acked::responses::topic_id)
    topic_ = {.name = cluster_.topic_name(id.data()), .id = id.data()};
}

void ShareSink::string(NodeId node, std::string_view v, Bytes) noexcept {
  if (node == fetch::group_id || node == ack::group_id) f_.group = v;
  if (node == fetch::member_id || node == ack::member_id) f_.member = v;
}

}  // namespace kparse
