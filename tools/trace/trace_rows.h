// SPDX-License-Identifier: MIT
// Which records were written and read, when, and by whom: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/histogram.h"
#include "story/json.h"
#include "story/people.h"
#include "story/topic_index.h"

namespace kparse::trace {

using story::PartitionKey;
using story::TopicNumber;

/// A client as it writes or reads. Its group is what connections of the same client id and host say that were members
/// while it read: a program that was gone before is another one.
struct Actor {
  story::Person who;            ///< the address is the host only
  std::string group;            ///< "" not known, or none
  bool several_groups = false;  ///< the host and client id are those of members of several
};

/// Records that one Produce request wrote to one partition.
struct Written {
  PartitionKey partition;
  std::int64_t base = -1;  ///< -1: the answer told no offset
  std::uint32_t count = 0;
  std::uint32_t actor = 0;
  Stamp first, at;  ///< the request: where it begins, when it was complete
  std::int64_t answered_ns = -1;
  std::int64_t timestamp = -1;  ///< of the first record, ms
  bool whole = true;  ///< false: the capture lacks part of the request, `at` is when the last of the rest came
};

/// Records that one answer gave to a reader, without a hole.
struct Read {
  PartitionKey partition;
  std::int64_t from = -1, to = -1;  ///< both included
  std::uint32_t actor = 0;
  std::uint64_t conversation = 0;
  Stamp first, at;    ///< the answer
  bool whole = true;  ///< as above
};

/// What was asked for: a record's key or trace id.
struct Marked {
  PartitionKey partition;
  std::int64_t offset = -1;  ///< of a record that waits for its answer: its place in `written`
  std::size_t written = ~std::size_t{0};
  std::uint32_t mark = 0;
};

struct TopicShare {
  /// Records; read ones count each time.
  struct Side {
    std::uint64_t records = 0;
    std::uint64_t with_context = 0, valid = 0;  ///< with a trace header; with one that is valid
  };
  Side written, read;
};

/// End to end, of one topic and reader.
struct Delay {
  TopicNumber topic = story::no_topic;
  std::uint32_t actor = 0;
  std::uint64_t records = 0;  ///< read
  std::uint64_t matched = 0;  ///< whose production was seen
  report::Histogram ns;
};

/// One record's way.
struct Way {
  PartitionKey partition;
  std::int64_t offset = -1;
  const Written* written = nullptr;
  std::vector<const Read*> read;  ///< the first of each reader, by time
};

struct TraceSeen {
  std::vector<Actor> actors;
  std::vector<Written> written;  ///< by partition and base offset
  std::vector<Read> read;        ///< by partition, from, time
  std::vector<std::string> marks;
  std::map<std::pair<PartitionKey, std::int64_t>, std::uint32_t> marked;
  std::map<TopicNumber, TopicShare> topics;
  std::vector<Delay> delays;
  std::uint64_t without_offset = 0;  ///< records that were written, but no answer said where
  std::uint64_t failed = 0;          ///< records that were refused
  story::TopicIndex names;           ///< resolved
  std::vector<story::Limit> limits;
};

/// Calls `f(Way&)` for each record that was written or read, by topic, partition and offset. f returns false to stop.
template <class F>
void each_way(const TraceSeen&, F f);

}  // namespace kparse::trace
