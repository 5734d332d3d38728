// SPDX-License-Identifier: MIT
// What connections know together of fetch sessions and producers, and the rest of what Cluster keeps. All tables are
// bounded; what finds them full is counted.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "kparse/cluster.h"
#include "kparse/events.h"
#include "kparse/fetch_session.h"

namespace kparse {

[[nodiscard]] TopicKept kept(const TopicRef&);

/// Sessions by broker and id: a client goes on with one over a new connection.
class FetchSessions {
 public:
  static constexpr std::size_t max_sessions = 4096;
  static constexpr std::size_t max_partitions = 200'000;  ///< of all sessions together

  /// After the changes that the request asks for. nullptr: not known, or something is missing between this request and
  /// the one before.
  const FetchSession* follow(std::string_view server, const FetchAsked&);
  void open(std::string_view server, std::int32_t id, std::span<const FetchTarget>);
  void close(std::string_view server, std::int32_t id);
  [[nodiscard]] const FetchSession* find(std::string_view server, std::int32_t id) const;
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  struct Entry {
    FetchSession session;
    std::int32_t next_epoch = 1;
    std::uint64_t used = 0;
  };
  using OfServer = std::map<std::int32_t, Entry>;
  void drop(std::map<std::string, OfServer, std::less<>>::iterator, OfServer::iterator);
  void drop_oldest();

  std::map<std::string, OfServer, std::less<>> servers_;
  std::size_t count_ = 0, partitions_ = 0;
  std::uint64_t uses_ = 0, left_out_ = 0;
};

/// The last batches of each producer and partition, as they were sent.
class Producers {
 public:
  static constexpr std::size_t limit = 50'000;

  Sequence follow(const TopicRef&, std::int32_t partition, const Batch&);
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  /// A broker knows the last five again.
  static constexpr int remembered = 5;
  struct Entry {
    std::int16_t epoch = -1;
    std::int32_t next = 0;
    int count = 0, newest = -1;
    std::int32_t bases[remembered] = {};
  };
  using OfTopics = std::map<TopicKept, Entry, TopicOrder>;
  std::map<std::pair<std::int64_t, std::int32_t>, OfTopics> entries_;  ///< by producer and partition
  std::size_t size_ = 0;
  std::uint64_t left_out_ = 0;
};

/// Leaders by topic and partition. A topic that comes with many partitions is looked for once.
class Leaders {
 public:
  static constexpr std::size_t limit = 200'000;

  /// nullptr: not known.
  [[nodiscard]] const Cluster::Leader* find(const TopicRef&, std::int32_t partition) const noexcept;
  /// False: there are `most` already. Throws std::bad_alloc without memory.
  bool learn(const TopicRef&, std::int32_t partition, const Cluster::Leader&, std::size_t most);

 private:
  using OfTopic = std::map<std::int32_t, Cluster::Leader>;
  using Topics = std::map<TopicKept, OfTopic, TopicOrder>;

  Topics topics_;
  Topics::iterator last_ = topics_.end();
  std::size_t size_ = 0;
};

class ClusterState {
 public:
  FetchSessions sessions;
  Producers producers;
  std::uint64_t told_sessions = 0, told_producers = 0;  ///< of what they left out

 private:
  friend class Cluster;
  Leaders by_id_, by_name_;
  std::map<std::string, std::map<std::int16_t, Cluster::Advertised>, std::less<>> advertised_;
};

}  // namespace kparse
