// SPDX-License-Identifier: MIT
// Events to the story of each producer.
#pragma once

#include <deque>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "kparse/events.h"
#include "story/scene.h"
#include "txns/txn_rows.h"

namespace kparse::txns {

/// How much may still be kept, of all producers together.
struct Budget {
  std::size_t producers = 20'000, transactions = 100'000, rows = 300'000, faults = 50'000, markers = 50'000;
};

class TxnObserver final : public Observer {
 public:
  explicit TxnObserver(const Budget& budget = {}) : budget_(budget), whole_(budget) {}

  /// After the last event. `cluster` gives topics their names.
  [[nodiscard]] TxnsSeen finish(const Cluster& cluster);

  /// Whoever calls also tells `scene`.
  void share(story::Scene& scene) noexcept { scene_.share(scene); }

  Wants wants() const noexcept override {
    return Wants::transactions | Wants::batches | Wants::offsets | Wants::fetches;
  }
  void begin_request(const ConversationInfo&, const Request&) override;
  void begin_response(const ConversationInfo&, const Response&) override;
  void on_client_software(const ClientSoftwareSeen&) override;
  void on_transactional_id(std::string_view) override;
  void on_txn_call(const TxnCall&) override;
  void on_txn_answer(const TxnCall&, const TxnAnswer&) override;
  void on_offset_commit(const OffsetCommit&) override;
  // Most are of no interest: that costs no call.
  void on_batch(const BatchSeen& b) override {
    if (b.batch.producer_id >= 0 && b.batch.magic == 2) batch(b);
  }
  void on_produce_answered(const ProduceAnswered& a) override {
    if (!sent_.empty()) produce_answered(a);
  }
  void on_partition_fetched(const PartitionFetched& f) override {
    if (f.last_stable_offset < f.high_watermark || !holding_.empty()) partition_fetched(f);
  }
  void on_unanswered(const ConversationInfo&, std::uint64_t serial) override;
  void on_gap(const ConversationInfo&, const Gap&) override;
  void on_resync(const ConversationInfo&, Side, std::uint64_t) override;
  void on_limit(const LimitReached&) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  static constexpr std::size_t max_sent = 20'000, max_held = 20'000, max_people = 64, max_partitions = 4096,
                               max_gaps = 100'000, max_refused = 16;
  /// A produced batch that waits for its offset.
  struct Sent {
    std::size_t producer;
    std::ptrdiff_t transaction;  ///< -1: none
    PartitionKey partition;
    std::uint64_t records;       ///< counted as the transaction's when it was sent
    std::uint64_t count;
    std::int32_t sequence;
  };
  using RequestKey = std::pair<std::uint64_t, std::uint64_t>;  ///< conversation, serial

  void batch(const BatchSeen&);
  void produce_answered(const ProduceAnswered&);
  void partition_fetched(const PartitionFetched&);
  Producer* producer(std::string_view transactional_id, std::int64_t id);
  Producer* known(std::int64_t id);
  [[nodiscard]] std::uint64_t gaps_of(const Producer&) const;
  void idle(Producer&);
  void lost(const ConversationInfo&, Side, std::int64_t shown_ns);
  void answered();
  void doubt(Producer&) const;
  void met(Producer&);
  Txn* current(Producer&) noexcept;
  /// The open transaction of that epoch, or a new one that begins with the frame at hand.
  Txn* open(Producer&, std::int16_t epoch, const Stamp& first, const Stamp& at, bool by_broker = false);
  TxnPartition* part(Txn&, const PartitionKey&);
  void fault(Producer&, Txn*, std::string_view call, std::int16_t error);
  void end(Producer&, const TxnCall&, const TxnAnswer&);
  static std::uint64_t& counter(Producer&, Outcome) noexcept;
  void close(Producer&, Txn&, Outcome);
  void init(const TxnCall&, const TxnAnswer&);
  /// `written_ns`: by the broker's clock; -1: not known.
  void marker(std::int64_t id, std::int16_t epoch, std::int16_t type, const PartitionKey&, std::int64_t offset,
              std::int64_t written_ns);
  bool take(std::size_t& left, std::uint64_t& out) noexcept;

  Budget budget_, whole_;
  struct {
    std::uint64_t producers = 0, transactions = 0, rows = 0, faults = 0, markers = 0, sent = 0, held = 0;
  } out_;
  story::SomeScene scene_;
  std::deque<Producer> producers_;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> by_key_;
  std::map<std::int64_t, std::size_t> by_id_;                ///< the newest with that producer id
  std::map<std::string, std::size_t, std::less<>> by_name_;  ///< the newest with that transactional id
  std::map<RequestKey, std::vector<Sent>> sent_;
  std::map<RequestKey, std::size_t> ends_;                                        ///< EndTxn that waits, by producer
  std::map<std::tuple<std::int64_t, PartitionKey, std::int64_t>, bool> markers_;  ///< already told
  /// Bytes that the capture lacks were on the wire after `from` and before `to`.
  struct Lost {
    std::int64_t from, to;
  };
  std::map<std::uint64_t, std::vector<Lost>> gaps_;  ///< by conversation
  std::size_t gap_count_ = 0;
  /// The last that a producer said on a connection, and heard.
  struct Met {
    std::int64_t asked = std::numeric_limits<std::int64_t>::min();
    std::int64_t answered = asked;
  };
  absl::flat_hash_map<std::uint64_t, Met> met_at_;  ///< by conversation
  std::map<PartitionKey, Held> holding_;
  std::vector<Held> held_;
  std::map<std::string, story::Limit> event_limits_;

  Producer* last_producer_ = nullptr;  ///< the one at hand
  std::pair<Producer*, PartitionKey> last_partition_{};
  std::uint64_t serial_ = 0;
  Stamp last_;
  std::string transactional_id_;  ///< of the Produce request at hand
};

}  // namespace kparse::txns
