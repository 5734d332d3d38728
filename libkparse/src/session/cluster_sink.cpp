// SPDX-License-Identifier: MIT
#include "session/cluster_sink.h"

#include <algorithm>

#include "kparse/node.h"

namespace kparse {
namespace {

namespace ask = node::find_coordinator_request;
namespace found = node::find_coordinator_response;
namespace meta = node::metadata_response::topics;
namespace produced = node::produce_response::responses;
namespace versions = node::api_versions_response;

bool is_zero(Bytes id) noexcept {
  return std::all_of(id.begin(), id.end(), [](std::uint8_t b) { return b == 0; });
}

}  // namespace

void add_cluster_interest(Interest& i) {
  for (const NodeId n : {ask::key,
                         ask::key_type,
                         found::coordinators::key,
                         found::coordinators::node_id,
                         found::coordinators::host,
                         found::coordinators::port,
                         found::coordinators::error_code,
                         found::error_code,
                         found::node_id,
                         found::host,
                         found::port,
                         meta::name,
                         meta::topic_id,
                         meta::partitions::error_code,
                         meta::partitions::partition_index,
                         meta::partitions::leader_id,
                         meta::partitions::leader_epoch,
                         produced::name,
                         produced::topic_id,
                         produced::partition_responses::index,
                         produced::partition_responses::error_code,
                         produced::partition_responses::current_leader::leader_id,
                         produced::partition_responses::current_leader::leader_epoch,
                         versions::api_keys::api_key,
                         versions::api_keys::min_version,
                         versions::api_keys::max_version})
    i.add(n);
}

void CoordinatorRequestSink::integer(NodeId node, std::int64_t v, Bytes) noexcept {
  if (node == ask::key_type) asked.type = static_cast<std::int8_t>(v);
}
void CoordinatorRequestSink::string(NodeId node, std::string_view v, Bytes) noexcept {
  if (node == ask::key) asked.key = v;
}

void ClusterSink::begin_struct(NodeId node, const std::uint8_t*) noexcept {
  switch (node) {
    case meta::self:
      topic_ = {};
      break;
    case meta::partitions::self:
    case produced::partition_responses::self:
      partition_ = -1;
      error_ = 0;
      leader_ = {};
      leader_told_ = false;
      break;
    case found::coordinators::self:
    case found::self:
      coordinator_ = {};
      coordinator_told_ = false;
      break;
    default:
      break;
  }
}

void ClusterSink::leader(LeaderTold::Source source) noexcept {
  if (!leader_told_ || (topic_.name.empty() && !topic_.id)) return;
  cluster_.learn_leader(topic_, partition_, leader_);
  observer_.on_leader({.source = source,
                       .topic = topic_,
                       .partition = partition_,
                       .leader = leader_.node,
                       .leader_epoch = leader_.epoch,
                       .error = error_});
}

void ClusterSink::coordinator() noexcept {
  if (!coordinator_told_) return;
  coordinator_told_ = false;
  if (coordinator_.key.empty()) coordinator_.key = asked_.key;
  if (asked_.type < 0 || asked_.type > 2) return;
  coordinator_.of = static_cast<CoordinatorTold::Of>(asked_.type);
  observer_.on_coordinator(coordinator_);
}

void ClusterSink::end_struct(NodeId node, const std::uint8_t*) noexcept {
  switch (node) {
    case meta::partitions::self:
      leader(LeaderTold::Source::metadata);
      break;
    case produced::partition_responses::self:
      leader(LeaderTold::Source::produce);
      break;
    case found::coordinators::self:
    case found::self:
      coordinator();
      break;
    case versions::api_keys::self:
      cluster_.learn_advertised(server_, versions_.api_key, {versions_.lowest, versions_.highest});
      observer_.on_versions(versions_);
      break;
    default:
      break;
  }
}

void ClusterSink::integer(NodeId node, std::int64_t v, Bytes) noexcept {
  const auto i = static_cast<std::int32_t>(v);
  const auto s = static_cast<std::int16_t>(v);
  switch (node) {
    case meta::partitions::error_code:
    case produced::partition_responses::error_code:
      error_ = s;
      break;
    case meta::partitions::partition_index:
    case produced::partition_responses::index:
      partition_ = i;
      break;
    case meta::partitions::leader_id:
    case produced::partition_responses::current_leader::leader_id:
      leader_.node = i;
      leader_told_ = true;
      break;
    case meta::partitions::leader_epoch:
    case produced::partition_responses::current_leader::leader_epoch:
      leader_.epoch = i;
      break;
    case found::coordinators::node_id:
    case found::node_id:
      coordinator_.node = i;
      coordinator_told_ = true;
      break;
    case found::coordinators::port:
    case found::port:
      coordinator_.port = i;
      break;
    case found::coordinators::error_code:
    case found::error_code:
      coordinator_.error = s;
      break;
    case versions::api_keys::api_key:
      versions_.api_key = s;
      break;
    case versions::api_keys::min_version:
      versions_.lowest = s;
      break;
    case versions::api_keys::max_version:
      versions_.highest = s;
      break;
    default:
      break;
  }
}

void ClusterSink::uuid(NodeId node, Bytes id) noexcept {
  if (node == meta::topic_id && !is_zero(id)) {
    topic_.id = id.data();
    if (topic_.name.empty()) topic_.name = cluster_.topic_name(id.data());
  }
  if (node == produced::topic_id) topic_ = {.name = cluster_.topic_name(id.data()), .id = id.data()};
}

void ClusterSink::string(NodeId node, std::string_view v, Bytes) noexcept {
  switch (node) {
    case meta::name:
      topic_.name = v;
      break;
    case produced::name:
      topic_ = {.name = v, .id = nullptr};
      break;
    case found::coordinators::key:
      coordinator_.key = v;
      break;
    case found::coordinators::host:
    case found::host:
      coordinator_.host = v;
      break;
    default:
      break;
  }
}

}  // namespace kparse
