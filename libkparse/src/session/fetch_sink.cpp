// SPDX-License-Identifier: MIT
#include "session/fetch_sink.h"

#include "kparse/node.h"

namespace kparse {
namespace {

namespace ask = node::fetch_request;
namespace got = node::fetch_response;
namespace part = node::fetch_response::responses::partitions;

}  // namespace

void add_fetch_interest(Interest& i) {
  for (const NodeId n : {ask::replica_state::replica_id,
                         ask::replica_id,
                         ask::max_wait_ms,
                         ask::min_bytes,
                         ask::isolation_level,
                         ask::session_id,
                         ask::session_epoch,
                         ask::topics::topic_id,
                         ask::topics::topic,
                         ask::topics::partitions::partition,
                         ask::topics::partitions::current_leader_epoch,
                         ask::topics::partitions::fetch_offset,
                         ask::forgotten_topics_data::topic_id,
                         ask::forgotten_topics_data::topic,
                         ask::forgotten_topics_data::partitions,
                         ask::rack_id,
                         got::error_code,
                         got::session_id,
                         got::responses::self,
                         got::responses::topic_id,
                         got::responses::topic,
                         part::partition_index,
                         part::error_code,
                         part::high_watermark,
                         part::last_stable_offset,
                         part::log_start_offset,
                         part::current_leader::leader_id,
                         part::current_leader::leader_epoch,
                         part::aborted_transactions::producer_id,
                         part::aborted_transactions::first_offset,
                         part::preferred_read_replica,
                         part::records})
    i.add(n);
}

// Source: FetchMetadata of kafka-clients: epoch 0 opens, -1 closes, others go on. Versions before 7 have no sessions.
void FetchRequestSink::finish(int version) noexcept {
  FetchAsked& a = f_.asked;
  if (version < 7 || (a.session_epoch == -1 && a.session_id == 0)) {
    a.kind = FetchAsked::Kind::sessionless;
  } else if (a.session_epoch == -1) {
    a.kind = FetchAsked::Kind::closing;
  } else if (a.session_epoch == 0 || a.session_id == 0) {
    a.kind = FetchAsked::Kind::full;
  } else {
    a.kind = FetchAsked::Kind::incremental;
  }
  a.named = f_.named.view();
  a.forgotten = f_.forgotten.view();
}

void FetchRequestSink::end_struct(NodeId node, const std::uint8_t*) noexcept {
  if (node == ask::topics::partitions::self) f_.named.push(target_);
}

void FetchRequestSink::integer(NodeId node, std::int64_t v, Bytes) noexcept {
  const auto i = static_cast<std::int32_t>(v);
  switch (node) {
    case ask::replica_state::replica_id:
    case ask::replica_id:
      f_.asked.replica_id = i;
      break;
    case ask::max_wait_ms:
      f_.asked.max_wait_ms = i;
      break;
    case ask::min_bytes:
      f_.asked.min_bytes = i;
      break;
    case ask::isolation_level:
      f_.asked.isolation = static_cast<std::int8_t>(v);
      break;
    case ask::session_id:
      f_.asked.session_id = i;
      break;
    case ask::session_epoch:
      f_.asked.session_epoch = i;
      break;
    case ask::topics::partitions::partition:
      target_.partition = i;
      target_.offset = -1;
      target_.leader_epoch = -1;
      break;
    case ask::topics::partitions::current_leader_epoch:
      target_.leader_epoch = i;
      break;
    case ask::topics::partitions::fetch_offset:
      target_.offset = v;
      break;
    case ask::forgotten_topics_data::partitions:
      f_.forgotten.push({.topic = target_.topic, .partition = i});
      break;
    default:
      break;
  }
}

void FetchRequestSink::uuid(NodeId node, Bytes id) noexcept {
  if (node == ask::topics::topic_id || node == ask::forgotten_topics_data::topic_id)
    target_.topic = {.name = cluster_.topic_name(id.data()), .id = id.data()};
}

void FetchRequestSink::string(NodeId node, std::string_view v, Bytes) noexcept {
  if (node == ask::topics::topic || node == ask::forgotten_topics_data::topic)
    target_.topic = {.name = v, .id = nullptr};
  if (node == ask::rack_id) f_.asked.rack = v;
}

void FetchResponseSink::head() noexcept {
  if (head_told_) return;
  head_told_ = true;
  c_.head(c_.with, answered_);
}

void FetchResponseSink::begin_array(NodeId node, std::int32_t, const std::uint8_t*) noexcept {
  if (node == got::responses::self) head();
}

void FetchResponseSink::begin_struct(NodeId node, const std::uint8_t*) noexcept {
  if (node != part::self) return;
  partition_ = {};
  leader_ = {};
  leader_told_ = false;
  c_.aborted.clear();
}

void FetchResponseSink::end_struct(NodeId node, const std::uint8_t*) noexcept {
  if (node == part::aborted_transactions::self) c_.aborted.push(aborted_);
  if (node != part::self) return;
  partition_.topic = topic_;
  if (c_.wants & (Wants::fetches | Wants::offsets)) {
    partition_.asked_offset = c_.offsets.of(topic_, partition_.partition);
    partition_.aborted = c_.aborted.view();
    c_.observer.on_partition_fetched(partition_);
  }
  if (!leader_told_ || !(c_.wants & Wants::cluster)) return;
  c_.cluster.learn_leader(topic_, partition_.partition, leader_);
  c_.observer.on_leader({.source = LeaderTold::Source::fetch,
                         .topic = topic_,
                         .partition = partition_.partition,
                         .leader = leader_.node,
                         .leader_epoch = leader_.epoch,
                         .error = partition_.error});
}

void FetchResponseSink::integer(NodeId node, std::int64_t v, Bytes) noexcept {
  const auto i = static_cast<std::int32_t>(v);
  switch (node) {
    case got::error_code:
      answered_.error = static_cast<std::int16_t>(v);
      break;
    case got::session_id:
      answered_.session_id = i;
      break;
    case part::partition_index:
      partition_.partition = i;
      break;
    case part::error_code:
      partition_.error = static_cast<std::int16_t>(v);
      break;
    case part::high_watermark:
      partition_.high_watermark = v;
      break;
    case part::last_stable_offset:
      partition_.last_stable_offset = v;
      break;
    case part::log_start_offset:
      partition_.log_start_offset = v;
      break;
    case part::preferred_read_replica:
      partition_.preferred_read_replica = i;
      break;
    case part::current_leader::leader_id:
      leader_.node = i;
      leader_told_ = true;
      break;
    case part::current_leader::leader_epoch:
      leader_.epoch = i;
      break;
    case part::aborted_transactions::producer_id:
      aborted_.producer_id = v;
      break;
    case part::aborted_transactions::first_offset:
      aborted_.first_offset = v;
      break;
    default:
      break;
  }
}

void FetchResponseSink::uuid(NodeId node, Bytes id) noexcept {
  if (node == got::responses::topic_id) topic_ = {.name = c_.cluster.topic_name(id.data()), .id = id.data()};
}

void FetchResponseSink::string(NodeId node, std::string_view v, Bytes) noexcept {
  if (node == got::responses::topic) topic_ = {.name = v, .id = nullptr};
}

void FetchResponseSink::records(NodeId node, Bytes v, Bytes) noexcept {
  if (node == part::records) partition_.record_bytes = v.size();
}

// Here, where the events' bodies can be put into the walk.
Error FetchRequestSink::read(const Program& program, Bytes body) noexcept { return walk(program, body, *this); }
Error FetchResponseSink::read(const Program& program, Bytes body) noexcept { return walk(program, body, *this); }

}  // namespace kparse
