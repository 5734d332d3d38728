// SPDX-License-Identifier: MIT
#include "session/parts.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace kparse {
namespace {

struct Named {
  std::string_view path;
  Part part;
};

constexpr Named group_fields[] = {
    {"groupId", Part::group},
    {"memberId", Part::member},
    {"groupInstanceId", Part::instance},
    {"instanceId", Part::instance},
    {"generationId", Part::generation},
    {"memberEpoch", Part::generation},
    {"protocolType", Part::protocol_type},
    {"protocolName", Part::protocol},
    {"reason", Part::reason},
    {"sessionTimeoutMs", Part::session_timeout},
    {"rebalanceTimeoutMs", Part::rebalance_timeout},
    {"heartbeatIntervalMs", Part::heartbeat_interval},
    {"errorCode", Part::error},
    {"errorMessage", Part::error_message},
    {"leader", Part::leader},
    {"protocols.name", Part::protocol_name},
    {"protocols.metadata", Part::protocol_metadata},
    {"members", Part::members},
    {"members.memberId", Part::member_id},
    {"members.groupInstanceId", Part::member_instance},
    {"members.metadata", Part::member_data},
    {"members.reason", Part::member_reason},
    {"members.errorCode", Part::member_error},
    {"assignments", Part::members},
    {"assignments.memberId", Part::member_id},
    {"assignments.assignment", Part::member_data},
    {"assignment", Part::assignment},
    {"subscribedTopicNames", Part::topics},
    {"subscribedTopicRegex", Part::topic_regex},
    {"rackId", Part::rack},
    {"serverAssignor", Part::server_assignor},
    {"topicPartitions", Part::owned},
    {"topicPartitions.topicId", Part::row_topic_id},
    {"topicPartitions.partitions", Part::row_partitions},
    {"assignment.topicPartitions.topicId", Part::row_topic_id},
    {"assignment.topicPartitions.partitions", Part::row_partitions},
    {"assignment.assignedTopicPartitions.topicId", Part::row_topic_id},
    {"assignment.assignedTopicPartitions.partitions", Part::row_partitions},
    {"topology.subtopologies.sourceTopics", Part::topics},
    {"activeTasks", Part::active_tasks},
    {"activeTasks.subtopologyId", Part::task_subtopology},
    {"activeTasks.partitions", Part::task_partitions},
    {"standbyTasks", Part::standby_tasks},
    {"standbyTasks.subtopologyId", Part::task_subtopology},
    {"standbyTasks.partitions", Part::task_partitions},
    {"warmupTasks", Part::warmup_tasks},
    {"warmupTasks.subtopologyId", Part::task_subtopology},
    {"warmupTasks.partitions", Part::task_partitions},
    {"status.statusDetail", Part::status_detail},
};

constexpr Named row_fields[] = {
    {"groupId", Part::group},
    {"memberId", Part::member},
    {"groupInstanceId", Part::instance},
    {"generationIdOrMemberEpoch", Part::generation},
    {"errorCode", Part::error},
    {"isolationLevel", Part::isolation},
    {"groups", Part::section},
    {"groups.groupId", Part::group},
    {"groups.memberId", Part::member},
    {"groups.memberEpoch", Part::generation},
    {"groups.errorCode", Part::error},
    {"groups.topics.topicId", Part::row_topic_id},
    {"groups.topics.name", Part::row_topic},
    {"groups.topics.partitions.partitionIndex", Part::row_partition},
    {"groups.topics.partitions.committedOffset", Part::row_offset},
    {"groups.topics.partitions.metadata", Part::row_metadata},
    {"groups.topics.partitions.errorCode", Part::row_error},
    {"topics.topicId", Part::row_topic_id},
    {"topics.name", Part::row_topic},
    {"topics.partitions", Part::row_partitions},
    {"topics.partitions.partitionIndex", Part::row_partition},
    {"topics.partitions.committedOffset", Part::row_offset},
    {"topics.partitions.committedLeaderEpoch", Part::row_leader_epoch},
    {"topics.partitions.committedMetadata", Part::row_metadata},
    {"topics.partitions.metadata", Part::row_metadata},
    {"topics.partitions.timestamp", Part::row_timestamp},
    {"topics.partitions.offset", Part::row_offset},
    {"topics.partitions.oldStyleOffsets", Part::row_offset},
    {"topics.partitions.errorCode", Part::row_error},
    {"transactionalId", Part::transactional_id},
    {"transactionTimeoutMs", Part::timeout},
    {"producerId", Part::producer_id},
    {"producerEpoch", Part::producer_epoch},
    {"committed", Part::result},
    {"transactions", Part::section},
    {"transactions.transactionalId", Part::transactional_id},
    {"transactions.producerId", Part::producer_id},
    {"transactions.producerEpoch", Part::producer_epoch},
    {"transactions.verifyOnly", Part::verify_only},
    {"transactions.topics.name", Part::row_topic},
    {"transactions.topics.partitions", Part::row_partitions},
    {"v3AndBelowTransactionalId", Part::transactional_id},
    {"v3AndBelowProducerId", Part::producer_id},
    {"v3AndBelowProducerEpoch", Part::producer_epoch},
    {"v3AndBelowTopics.name", Part::row_topic},
    {"v3AndBelowTopics.partitions", Part::row_partitions},
    {"resultsByTransaction", Part::section},
    {"resultsByTransaction.transactionalId", Part::transactional_id},
    {"resultsByTransaction.topicResults.name", Part::row_topic},
    {"resultsByTransaction.topicResults.resultsByPartition.partitionIndex", Part::row_partition},
    {"resultsByTransaction.topicResults.resultsByPartition.partitionErrorCode", Part::row_error},
    {"resultsByTopicV3AndBelow.name", Part::row_topic},
    {"resultsByTopicV3AndBelow.resultsByPartition.partitionIndex", Part::row_partition},
    {"resultsByTopicV3AndBelow.resultsByPartition.partitionErrorCode", Part::row_error},
    {"markers", Part::section},
    {"markers.producerId", Part::producer_id},
    {"markers.producerEpoch", Part::producer_epoch},
    {"markers.transactionResult", Part::result},
    {"markers.topics.name", Part::row_topic},
    {"markers.topics.partitionIndexes", Part::row_partitions},
    {"markers.topics.partitions.partitionIndex", Part::row_partition},
    {"markers.topics.partitions.errorCode", Part::row_error},
};

struct Messages {
  std::int16_t key;
  std::span<const Named> fields;
};
constexpr Messages about[] = {
    {2, row_fields},    {8, row_fields},    {9, row_fields},    {11, group_fields},
    {12, group_fields}, {13, group_fields}, {14, group_fields}, {22, row_fields},
    {24, row_fields},   {25, row_fields},   {26, row_fields},   {27, row_fields},
    {28, row_fields},   {68, group_fields}, {76, group_fields}, {88, group_fields},
};

std::string path_below(NodeId n, NodeId root) {
  std::string path(field(n).name);
  for (NodeId up = field(n).parent; up != root && up != no_node; up = field(up).parent)
    path = std::string(field(up).name) + "." + path;
  return path;
}

void assign(NodeId root, std::span<const Named> named, std::vector<Part>& parts) {
  for (int n = root + 1; n <= root + field(root).below; ++n) {
    const std::string path = path_below(static_cast<NodeId>(n), root);
    for (const Named& f : named) {
      if (f.path != path) continue;
      // An array of structs of that name holds rows; an array of numbers is of them.
      if (f.part == Part::row_partitions && field(static_cast<NodeId>(n)).type == Type::structure) continue;
      parts[n] = f.part;
    }
  }
}

}  // namespace

std::vector<Part> make_parts() {
  std::vector<Part> parts(fields().size(), Part::none);
  for (const Messages& m : about) {
    const Api* api = find_api(m.key);
    if (!api || !api->request || !api->response) continue;
    for (const Message* message : {api->request, api->response}) {
      assign(message->root, m.fields, parts);
      for (const AltLayout& alt : alt_layouts())
        if (alt.message == message->name) assign(alt.root, m.fields, parts);
    }
  }
  return parts;
}

void add_interest(const std::vector<Part>& parts, Interest& interest) {
  for (std::size_t n = 0; n < parts.size(); ++n)
    if (parts[n] != Part::none) interest.add(static_cast<NodeId>(n));
}

}  // namespace kparse
