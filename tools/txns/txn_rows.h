// SPDX-License-Identifier: MIT
// What is known of producers and their transactions: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "story/json.h"
#include "story/people.h"
#include "story/topic_index.h"

namespace kparse::txns {

using story::PartitionKey;

enum class Outcome : std::uint8_t {
  open,  ///< no end was seen
  committed,
  aborted,
  fenced,   ///< the producer was told that it is none any more, or a newer one took its id; no marker was seen
  unknown,  ///< an end was asked for, and no answer seen or that it isn't open any more: it has ended, nobody said how
};
[[nodiscard]] std::string_view name_of(Outcome) noexcept;

struct Fault {
  std::string_view call;
  std::int16_t error = 0;
  std::uint64_t count = 0;
  Stamp first, at;  ///< of the first
};

struct TxnPartition {
  bool added = false;  ///< by AddPartitionsToTxn
  std::uint64_t batches = 0, bytes = 0;  ///< sent
  std::uint64_t records = 0;             ///< each once, without those that a broker refused
  std::int64_t first_offset = -1, last_offset = -1;
  std::int16_t error = 0;           ///< the last one, unless it went well after that
  std::int16_t marker = -1;         ///< 0 ABORT, 1 COMMIT
  std::int64_t marker_offset = -1;  ///< -1: told by WriteTxnMarkers, which has no offset
  std::vector<std::int32_t> refused;  ///< only while reading: the sequences of refused batches, which may be sent again
};

struct TxnOffset {
  std::string group;
  PartitionKey partition;
  std::int64_t offset = -1;
  bool answered = false;
  std::int16_t error = 0;
};

struct Txn {
  bool begin_known = false;  ///< false: there may be more of it before what was seen, or nothing belongs to it
  Stamp begin_first, begin;  ///< the first request that belongs to it
  bool end_known = false;
  /// The answer to EndTxn, or what told of the end; of a marker that a consumer got: when it was written, by the broker's
  /// clock, in the packet that brought it.
  Stamp end_first, end;
  Outcome outcome = Outcome::open;
  bool by_marker = false;  ///< the outcome is that of a marker; EndTxn's answer was not seen
  std::int16_t epoch = -1;
  bool whole = true;       ///< nothing of its producer's connections was lost while it went on
  // Only while reading.
  std::uint64_t gaps = 0;       ///< lost when it began
  std::int64_t idle_since = 0;  ///< its producer was between transactions then
  bool end_asked = false;       ///< its EndTxn was seen
  std::int64_t told = 0;        ///< by_marker: when it was read
  bool by_broker = false;       ///< what was seen of its begin is what a broker did for the producer
  std::map<PartitionKey, TxnPartition> partitions;
  std::vector<TxnOffset> offsets;
  std::set<std::string> groups;
  std::vector<Fault> faults;
};

struct Marker {
  PartitionKey partition;
  std::int64_t offset = -1;
  std::int16_t type = -1, epoch = -1;
  Stamp first;
};

struct Producer {
  std::string transactional_id;  ///< "" idempotent only, or not known
  bool transactional = false;
  std::int64_t id = -1;
  std::set<std::int16_t> epochs;
  std::int32_t timeout_ms = -1;
  bool own_adds = false;      ///< it says itself which partitions belong to a transaction (transaction.version below 2)
  bool implied_adds = false;  ///< it doesn't (2, KIP-890)
  std::map<std::pair<std::string, std::string>, story::Person> people;  ///< by address and client id
  bool requests_seen = false;  ///< false: it is known by what consumers got only
  std::uint64_t batches = 0, records = 0;
  std::uint64_t repeated = 0, gaps = 0, old_epochs = 0;
  std::uint64_t committed = 0, aborted = 0, others = 0;
  std::set<PartitionKey> partitions;
  std::vector<Txn> transactions;
  std::vector<Fault> faults;    ///< outside of a transaction
  std::vector<Marker> markers;  ///< of transactions that were not seen
  // Only while reading.
  bool idle = false;            ///< it was seen to be between transactions
  std::int64_t idle_since = 0;
  std::set<std::uint64_t> conversations;
};

/// A last stable offset that stayed behind the high watermark.
struct Held {
  PartitionKey partition;
  std::int64_t offset = -1;
  Stamp since_first, since, until;  ///< the first and the last fetch that showed it
  std::int64_t most = 0;            ///< records behind it
  bool at_end = false;              ///< no later fetch showed that it moved
};

/// Whose transaction holds an offset back: indexes of producer and transaction; -1: not seen.
struct Holder {
  std::ptrdiff_t producer = -1, transaction = -1;
};

struct TxnsSeen {
  std::vector<Producer> producers;
  std::vector<Held> held;
  std::map<std::pair<PartitionKey, std::int64_t>, Holder> first_offsets;  ///< of transactions
  story::TopicIndex topics;                                               ///< resolved
  Stamp last;                                                             ///< the newest frame
  std::vector<story::Limit> limits;
};

[[nodiscard]] Holder holder_of(const Held&, const TxnsSeen&);

}  // namespace kparse::txns
