// SPDX-License-Identifier: MIT
// --api, --topic, --group, --client, --host, --conversation, --from, --to: which frames an observer gets to see.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "kparse/cluster.h"
#include "kparse/decode.h"
#include "kparse/events.h"
#include "pipeline/options.h"

namespace kparse::cli {

/// Stands between the interpreter and an observer. A response passes if its request did, or if its own body names
/// the topic or group asked for.
class Filter final : public Observer {
 public:
  Filter(const CommonOptions&, const Cluster&, Observer& next);

  void on_conversation(const ConversationInfo&) override;
  void begin_request(const ConversationInfo&, const Request&) override;
  void end_request(const ConversationInfo&, const Request&, const Error&) override;
  void begin_response(const ConversationInfo&, const Response&) override;
  void end_response(const ConversationInfo&, const Response&, const Error&) override;
  void on_error(const ErrorSeen&) override;
  void on_acks(std::int16_t) override;
  void on_transactional_id(std::string_view) override;
  void on_records(const RecordsSeen&) override;
  void on_produce_answered(const ProduceAnswered&) override;
  void on_partition(const PartitionSeen&) override;
  void on_topic_id(const TopicIdSeen&) override;
  void on_group(const GroupSeen&) override;
  void on_broker(const BrokerSeen&) override;
  void on_client_software(const ClientSoftwareSeen&) override;
  void on_principal(const PrincipalSeen&) override;
  void on_long_poll(std::int32_t, bool) override;
  void on_throttle(std::int32_t) override;
  void on_limit(const LimitReached&) override;
  void on_unanswered(const ConversationInfo&, std::uint64_t) override;
  void on_sasl(const ConversationInfo&, const SaslToken&) override;
  void on_gap(const ConversationInfo&, const Gap&) override;
  void on_resync(const ConversationInfo&, Side, std::uint64_t) override;
  void on_other(const ConversationInfo&, Side, std::string_view, Stamp) override;
  void on_not_a_frame(const ConversationInfo&, const NotAFrame&) override;
  void on_close(const ConversationInfo&, Stamp) override;
  Wants wants() const noexcept override { return next_.wants(); }
  void on_group_call(const GroupCall&) override;
  void on_group_answer(const GroupCall&, const GroupAnswer&) override;
  void on_offset_commit(const OffsetCommit&) override;
  void on_offset_fetched(const OffsetFetched&) override;
  void on_offset_listed(const OffsetListed&) override;
  void on_fetch_asked(const FetchAsked&) override;
  void on_fetch_answered(const FetchAnswered&) override;
  void on_partition_fetched(const PartitionFetched&) override;
  void on_share_acquired(const ShareAcquired&) override;
  void on_share_acknowledged(const ShareAcknowledged&) override;
  void on_txn_call(const TxnCall&) override;
  void on_txn_answer(const TxnCall&, const TxnAnswer&) override;
  void on_batch(const BatchSeen&) override;
  void on_leader(const LeaderTold&) override;
  void on_coordinator(const CoordinatorTold&) override;
  void on_versions(const VersionsTold&) override;
  void on_segment(const ConversationInfo&, const SegmentSeen&) override;

 private:
  [[nodiscard]] bool time_passes(const Stamp&) const noexcept;
  [[nodiscard]] bool conversation_passes(const ConversationInfo&) const;
  [[nodiscard]] bool api_passes(const Api*, int key) const;
  [[nodiscard]] bool topic_passes(const TopicRef&) const;
  [[nodiscard]] bool group_passes(std::string_view) const;
  /// Does the body name a topic or group that is asked for?
  [[nodiscard]] bool names_wanted(const Message*, int version, Bytes body);

  const FilterOptions options_;
  std::vector<std::array<std::uint8_t, 16>> topic_ids_;  ///< those of options_.topics that are ids
  const std::int64_t from_ns_, to_ns_;
  const Cluster& cluster_;
  Observer& next_;
  ProgramSet programs_;
  bool by_frame_;    ///< something is asked of each frame, not just of the conversation
  bool by_content_;  ///< topics or groups
  bool passes_ = false;
  absl::flat_hash_map<std::uint64_t, absl::flat_hash_set<std::uint64_t>>
      awaited_;  ///< serials that passed, by conversation
};

}  // namespace kparse::cli
