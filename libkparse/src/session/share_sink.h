// SPDX-License-Identifier: MIT
// ShareFetch and ShareAcknowledge: ranges of records, in requests and answers.
#pragma once

#include "kparse/cluster.h"
#include "kparse/decode.h"
#include "kparse/events.h"
#include "session/listing.h"

namespace kparse {

struct ShareRange {
  TopicRef topic;
  std::int32_t partition = -1;
  std::int64_t first = -1, last = -1;
  std::int16_t number = 0;  ///< type of acknowledgement, or delivery count
};

struct ShareFacts {
  std::string_view group, member;
  std::int16_t error = 0;
  Listing<ShareRange> ranges;
  Listing<PartitionResult> results;  ///< of a request's acknowledgements, by partition
};

class ShareSink : public Sink {
 public:
  /// `leaders`: told to `observer`, or nullptr.
  ShareSink(Cluster& cluster, ShareFacts& facts, Observer* leaders) noexcept
      : cluster_(cluster), f_(facts), leaders_(leaders) {
    f_.group = f_.member = {};
    f_.error = 0;
    f_.ranges.clear();
    f_.results.clear();
  }

  void begin_struct(NodeId, const std::uint8_t*) noexcept;
  void end_struct(NodeId, const std::uint8_t*) noexcept;
  void integer(NodeId, std::int64_t, Bytes) noexcept;
  void uuid(NodeId, Bytes) noexcept;
  void string(NodeId, std::string_view, Bytes) noexcept;

 private:
  void acknowledge(std::int64_t type) noexcept;
  void end_batch() noexcept;

  Cluster& cluster_;
  ShareFacts& f_;
  Observer* leaders_;
  TopicRef topic_;
  PartitionResult result_;
  std::int16_t partition_error_ = 0;
  Cluster::Leader leader_;
  ShareRange range_;
  std::int64_t types_ = 0, run_from_ = 0;
  std::int16_t run_type_ = 0;
};

void add_share_interest(Interest&);

}  // namespace kparse
