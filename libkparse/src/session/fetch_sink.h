// SPDX-License-Identifier: MIT
// Fetch requests and answers.
#pragma once

#include "kparse/cluster.h"
#include "kparse/decode.h"
#include "kparse/events.h"
#include "session/listing.h"

namespace kparse {

/// What a Fetch request says; the lists belong to it and live until it is filled again.
struct FetchFacts {
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};
  std::uint64_t conversation = nobody;  ///< whose kept request (asked.serial) it was read from
  bool whole = false;                   ///< read to its end
  FetchAsked asked;
  Listing<FetchTarget> named;
  Listing<PartitionRef> forgotten;
};

class FetchRequestSink : public Sink {
 public:
  FetchRequestSink(const Cluster& cluster, FetchFacts& facts) noexcept : cluster_(cluster), f_(facts) {
    f_.conversation = FetchFacts::nobody;
    f_.asked = {};
    f_.named.clear();
    f_.forgotten.clear();
  }
  /// Walks it.
  Error read(const Program&, Bytes body) noexcept;
  void finish(int version) noexcept;

  void end_struct(NodeId, const std::uint8_t*) noexcept;
  void integer(NodeId, std::int64_t, Bytes) noexcept;
  void uuid(NodeId, Bytes) noexcept;
  void string(NodeId, std::string_view, Bytes) noexcept;

 private:
  const Cluster& cluster_;
  FetchFacts& f_;
  FetchTarget target_;
};

/// Where a partition was asked to be read from.
class AskedOffsets {
 public:
  virtual ~AskedOffsets() = default;
  [[nodiscard]] virtual std::int64_t of(const TopicRef&, std::int32_t partition) noexcept = 0;
};

/// Tells what it finds as it goes.
class FetchResponseSink : public Sink {
 public:
  /// `head(FetchAnswered)`: is called once, before the partitions, and may change what is told.
  struct Context {
    Cluster& cluster;
    Observer& observer;
    Wants wants;
    AskedOffsets& offsets;
    Listing<AbortedTransaction>& aborted;
    void (*head)(void* with, FetchAnswered&);
    void* with;
  };
  FetchResponseSink(const Context& c, const FetchAnswered& known) noexcept : c_(c), answered_(known) {}
  /// Walks it.
  Error read(const Program&, Bytes body) noexcept;
  void finish() noexcept { head(); }

  void begin_array(NodeId, std::int32_t, const std::uint8_t*) noexcept;
  void begin_struct(NodeId, const std::uint8_t*) noexcept;
  void end_struct(NodeId, const std::uint8_t*) noexcept;
  void integer(NodeId, std::int64_t, Bytes) noexcept;
  void uuid(NodeId, Bytes) noexcept;
  void string(NodeId, std::string_view, Bytes) noexcept;
  void records(NodeId, Bytes, Bytes) noexcept;

 private:
  void head() noexcept;

  Context c_;
  FetchAnswered answered_;
  bool head_told_ = false;
  TopicRef topic_;
  PartitionFetched partition_;
  Cluster::Leader leader_;
  bool leader_told_ = false;
  AbortedTransaction aborted_{-1, -1};
};

void add_fetch_interest(Interest&);

}  // namespace kparse
