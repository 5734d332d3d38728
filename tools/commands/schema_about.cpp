// SPDX-License-Identifier: MIT
#include "commands/schema_about.h"

#include <algorithm>
#include <iterator>

namespace kparse::cli {
namespace {

struct Said {
  std::string_view name, text;
};

// Sorted by name. Only names that mean the same wherever they occur.
constexpr Said by_name[] = {
    {"abortedTransactions", "aborted transactions that touch the fetched range"},
    {"assignorName", "assignor that the group uses"},
    {"brokerEpoch", "epoch of the broker's registration"},
    {"controllerEpoch", "epoch of the controller that sends this"},
    {"controllerId", "node id of the active controller"},
    {"currentLeaderEpoch", "leader epoch that the sender knows, checked by the receiver; -1: don't check"},
    {"errorMessage", "text to the error code; null if there is none"},
    {"fetchOffset", "offset to read from"},
    {"firstOffset", "first offset of the range, inclusive"},
    {"forgottenTopicsData", "partitions to remove from the fetch session"},
    {"groupInstanceId", "static member's own id; null: dynamic member"},
    {"groupState", "state of the group, as text"},
    {"groupType", "classic, consumer, share or streams"},
    {"heartbeatIntervalMs", "how often the member shall send heartbeats, ms"},
    {"highWatermark", "offset up to which records are committed"},
    {"instanceId", "static member's own id; null: dynamic member"},
    {"isolationLevel", "0: everything; 1: only what is committed"},
    {"isrNodes", "nodes in sync with the leader"},
    {"lastOffset", "last offset of the range, inclusive"},
    {"lastStableOffset", "offset below which all transactions are decided"},
    {"leaderEpoch", "epoch of the partition's leader"},
    {"leaderId", "node id of the leader; -1: none"},
    {"logAppendTimeMs", "the broker's time if it stamps the records, else -1"},
    {"logDir", "path of the log directory"},
    {"logStartOffset", "earliest offset there is"},
    {"maxBytes", "most bytes of records to answer with"},
    {"nodeEndpoints", "addresses of the leaders named in this answer"},
    {"partitionMaxBytes", "most bytes of records of this partition"},
    {"preferredReadReplica", "node to read this partition from instead; -1: go on here"},
    {"principal", "who, as TYPE:NAME"},
    {"rack", "rack of the node; null: none"},
    {"rackId", "rack of the client or node; null: none said"},
    {"rebalanceTimeoutMs", "how long the member may take to join again, ms"},
    {"records", "record batches, or message sets before magic 2"},
    {"sessionTimeoutMs", "without heartbeat for so long the member is removed, ms"},
    {"subscribedTopicNames", "topics that the member wants"},
    {"subscribedTopicRegex", "pattern of topics that the member wants"},
    {"timeoutMs", "how long the server may work on it, ms"},
    {"validateOnly", "check only, change nothing"},
};

std::string_view by_mark(Mark mark) noexcept {
  switch (mark) {
    case Mark::error:
      return "error code; 0: none";
    case Mark::topic:
      return "topic name";
    case Mark::topic_id:
      return "topic id";
    case Mark::partition:
      return "partition number";
    case Mark::group:
      return "group id";
    case Mark::member:
      return "member id that the coordinator gave";
    case Mark::generation:
      return "generation of the group, or epoch of the member";
    case Mark::client_id:
      return "name that the client gives itself";
    case Mark::correlation_id:
      return "number that the response repeats";
    case Mark::api_key:
      return "which API";
    case Mark::api_version:
      return "which version of it";
    case Mark::throttle:
      return "how long the client was, or shall be, held back by a quota, ms";
    case Mark::acks:
      return "-1: all in-sync replicas, 1: the leader, 0: nobody answers";
    case Mark::transactional_id:
      return "transactional id";
    case Mark::producer_id:
      return "producer id; -1: none";
    case Mark::producer_epoch:
      return "producer epoch; -1: none";
    case Mark::offset:
      return "offset that the first record got";
    case Mark::broker_id:
      return "node id";
    case Mark::host:
      return "host name or address of the node";
    case Mark::port:
      return "TCP port of the node";
    case Mark::software_name:
      return "the client library's name";
    case Mark::software_version:
      return "the client library's version";
    case Mark::session_id:
      return "fetch session; 0: none";
    case Mark::session_epoch:
      return "count within the session; 0: starts it, -1: ends or has none";
    case Mark::max_wait:
      return "how long the broker may wait for data, ms";
    case Mark::min_bytes:
      return "answer as soon as there are so many bytes";
    case Mark::mechanism:
      return "SASL mechanism";
    case Mark::auth_bytes:
      return "SASL token";
    case Mark::metadata:
      return "what the member says in the group's protocol";
    case Mark::assignment:
      return "what the member gets, in the group's protocol";
    case Mark::protocol_type:
      return "consumer, connect, ...";
    case Mark::protocol_name:
      return "assignor, or variant of the protocol";
    case Mark::config_name:
      return "config key";
    case Mark::config_sensitive:
      return "the broker keeps the value to itself";
    case Mark::config_value:
      return "config value";
    case Mark::cluster_id:
      return "cluster id";
    case Mark::none:
      return "";
  }
  return "";
}

}  // namespace

std::string_view about(const Field& f) noexcept {
  if (const auto text = by_mark(f.mark); !text.empty()) return text;
  const auto at = std::lower_bound(std::begin(by_name), std::end(by_name), f.name,
                                   [](const Said& s, std::string_view name) { return s.name < name; });
  return at != std::end(by_name) && at->name == f.name ? at->text : std::string_view{};
}

}  // namespace kparse::cli
