// SPDX-License-Identifier: MIT
// What `report --details` adds of its own: end-to-end delay, leaders, throttling, fetch sessions, fetches that don't
// advance.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "details/produced_times.h"
#include "kparse/events.h"
#include "report/histogram.h"
#include "story/following_map.h"
#include "story/json.h"
#include "story/scene.h"
#include "story/topic_index.h"

namespace kparse::details {

using story::PartitionKey;

struct Leadership {
  std::int32_t leader = -1, epoch = -1;
  std::uint64_t changes = 0;  ///< to another leader
  std::uint64_t errors = 0;   ///< told with an error
};

struct Throttled {
  std::uint64_t answers = 0;
  std::int64_t sum_ms = 0, most_ms = 0;
};

struct Sessions {
  std::uint64_t opened = 0, refused = 0, lost = 0, broken = 0, closed = 0;
  std::uint64_t full = 0, incremental = 0, sessionless = 0;  ///< requests
};

/// A consumer that asks for the same offset again and again although there is more.
struct Stuck {
  std::int64_t offset = -1, behind = 0;
  std::uint64_t answers = 0;
  Stamp since, until;
};

struct DetailsSeen {
  std::map<PartitionKey, Leadership> leaders;
  std::map<std::pair<std::int16_t, std::string>, Throttled> throttled;       ///< by API and client id
  std::map<std::string, Sessions> sessions;                                  ///< by client id
  std::map<std::pair<std::string, PartitionKey>, Stuck> stuck;               ///< by client id
  std::map<std::pair<PartitionKey, std::string>, report::Histogram> delays;  ///< by topic (partition -1) and client id
  story::TopicIndex topics;                                                  ///< resolved
  std::vector<story::Limit> limits;
};

class DetailObserver final : public Observer {
 public:
  static constexpr std::size_t max_rows = 100'000, max_batches = 300'000, max_delays = 1000;

  [[nodiscard]] DetailsSeen finish(const Cluster&);

  /// Whoever calls also tells `scene`.
  void share(story::Scene& scene) noexcept { scene_.share(scene); }

  Wants wants() const noexcept override { return Wants::fetches | Wants::batches | Wants::cluster; }
  void begin_request(const ConversationInfo&, const Request&) override;
  void begin_response(const ConversationInfo&, const Response&) override;
  void end_response(const ConversationInfo&, const Response&, const Error&) override;
  void on_throttle(std::int32_t ms) override;
  void on_leader(const LeaderTold&) override;
  void on_fetch_asked(const FetchAsked&) override;
  void on_fetch_answered(const FetchAnswered&) override;
  void on_partition_fetched(const PartitionFetched&) override;
  void on_batch(const BatchSeen& b) override {
    if (b.via == Via::fetch) fetched(b);
  }
  void on_produce_answered(const ProduceAnswered&) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  /// Batches of one answer that stand together in a partition.
  struct Got {
    PartitionKey partition;
    std::int64_t offset;
    std::uint32_t records;
  };
  /// What one client does with one partition.
  struct Reading {
    std::int64_t up_to = -1;              ///< it had already
    report::Histogram* delays = nullptr;  ///< of seen_
    bool no_room = false;
    Stuck waits;
  };
  using ReadingKey = std::pair<std::uint32_t, PartitionKey>;  ///< number of the client id

  void fetched(const BatchSeen&);
  /// The client at hand, as a number.
  std::uint32_t client();
  /// nullptr: no room.
  Reading* reading(const PartitionKey&);

  DetailsSeen seen_;
  story::SomeScene scene_;
  ProducedTimes produced_{max_batches};
  std::vector<Got> got_;                                         ///< of the answer at hand
  std::map<std::string, std::uint32_t, std::less<>> numbers_;    ///< of client ids
  std::vector<std::string> names_;
  std::vector<Sessions> sessions_;                               ///< by number
  story::FollowingMap<ReadingKey, Reading> readings_;
  std::uint64_t left_out_ = 0;
  bool client_known_ = false;  ///< client_ is of the frame at hand
  std::uint32_t client_ = 0;
  std::int16_t api_ = -1;
  bool consumer_ = true;
  bool asked_whole_ = false;  ///< the request of the answer at hand was seen to its end
  std::int8_t isolation_ = 0;
  Stamp asked_at_;
};

}  // namespace kparse::details
