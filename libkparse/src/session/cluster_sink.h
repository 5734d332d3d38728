// SPDX-License-Identifier: MIT
// Answers that tell of the cluster: Metadata, Produce (KIP-951), FindCoordinator, ApiVersions.
#pragma once

#include "kparse/cluster.h"
#include "kparse/decode.h"
#include "kparse/events.h"

namespace kparse {

/// Of a FindCoordinator request: what the answer is about.
struct CoordinatorAsked {
  std::string_view key;  ///< before version 4
  std::int8_t type = 0;
};

class CoordinatorRequestSink : public Sink {
 public:
  CoordinatorAsked asked;
  void integer(NodeId, std::int64_t, Bytes) noexcept;
  void string(NodeId, std::string_view, Bytes) noexcept;
};

class ClusterSink : public Sink {
 public:
  ClusterSink(Cluster& cluster, Observer& observer, std::string_view server, const CoordinatorAsked& asked) noexcept
      : cluster_(cluster), observer_(observer), server_(server), asked_(asked) {}

  void begin_struct(NodeId, const std::uint8_t*) noexcept;
  void end_struct(NodeId, const std::uint8_t*) noexcept;
  void integer(NodeId, std::int64_t, Bytes) noexcept;
  void uuid(NodeId, Bytes) noexcept;
  void string(NodeId, std::string_view, Bytes) noexcept;

 private:
  void leader(LeaderTold::Source) noexcept;
  void coordinator() noexcept;

  Cluster& cluster_;
  Observer& observer_;
  std::string_view server_;
  CoordinatorAsked asked_;
  TopicRef topic_;
  std::int32_t partition_ = -1;
  std::int16_t error_ = 0;
  Cluster::Leader leader_;
  bool leader_told_ = false;
  CoordinatorTold coordinator_;
  bool coordinator_told_ = false;
  VersionsTold versions_;
};

void add_cluster_interest(Interest&);

}  // namespace kparse
