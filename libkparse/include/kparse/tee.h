// SPDX-License-Identifier: MIT
// One stream of events for several observers. Costs a virtual call for each event and observer.
#pragma once

#include <utility>
#include <vector>

#include "kparse/events.h"

namespace kparse {

/// Tells each of them all that any of them wants: one that asked for less hears more than it asked for.
class Tee final : public Observer {
 public:
  explicit Tee(std::vector<Observer*> observers) : all_(std::move(observers)) {}

  Wants wants() const noexcept override {
    Wants w = Wants::basics;
    for (const Observer* o : all_) w = w | o->wants();
    return w;
  }
  void on_conversation(const ConversationInfo& c) override { each(&Observer::on_conversation, c); }
  void begin_request(const ConversationInfo& c, const Request& r) override { each(&Observer::begin_request, c, r); }
  void end_request(const ConversationInfo& c, const Request& r, const Error& e) override {
    each(&Observer::end_request, c, r, e);
  }
  void begin_response(const ConversationInfo& c, const Response& r) override { each(&Observer::begin_response, c, r); }
  void end_response(const ConversationInfo& c, const Response& r, const Error& e) override {
    each(&Observer::end_response, c, r, e);
  }
  void on_error(const ErrorSeen& e) override { each(&Observer::on_error, e); }
  void on_acks(std::int16_t a) override { each(&Observer::on_acks, a); }
  void on_transactional_id(std::string_view t) override { each(&Observer::on_transactional_id, t); }
  void on_records(const RecordsSeen& r) override { each(&Observer::on_records, r); }
  void on_produce_answered(const ProduceAnswered& p) override { each(&Observer::on_produce_answered, p); }
  void on_partition(const PartitionSeen& p) override { each(&Observer::on_partition, p); }
  void on_topic_id(const TopicIdSeen& t) override { each(&Observer::on_topic_id, t); }
  void on_group(const GroupSeen& g) override { each(&Observer::on_group, g); }
  void on_broker(const BrokerSeen& b) override { each(&Observer::on_broker, b); }
  void on_client_software(const ClientSoftwareSeen& s) override { each(&Observer::on_client_software, s); }
  void on_principal(const PrincipalSeen& p) override { each(&Observer::on_principal, p); }
  void on_long_poll(std::int32_t ms, bool data) override { each(&Observer::on_long_poll, ms, data); }
  void on_throttle(std::int32_t ms) override { each(&Observer::on_throttle, ms); }
  void on_unanswered(const ConversationInfo& c, std::uint64_t s) override { each(&Observer::on_unanswered, c, s); }
  void on_sasl(const ConversationInfo& c, const SaslToken& t) override { each(&Observer::on_sasl, c, t); }
  void on_gap(const ConversationInfo& c, const Gap& g) override { each(&Observer::on_gap, c, g); }
  void on_resync(const ConversationInfo& c, Side s, std::uint64_t n) override { each(&Observer::on_resync, c, s, n); }
  void on_other(const ConversationInfo& c, Side s, std::string_view w, Stamp at) override {
    each(&Observer::on_other, c, s, w, at);
  }
  void on_not_a_frame(const ConversationInfo& c, const NotAFrame& n) override { each(&Observer::on_not_a_frame, c, n); }
  void on_limit(const LimitReached& l) override { each(&Observer::on_limit, l); }
  void on_close(const ConversationInfo& c, Stamp at) override { each(&Observer::on_close, c, at); }
  void on_group_call(const GroupCall& c) override { each(&Observer::on_group_call, c); }
  void on_group_answer(const GroupCall& c, const GroupAnswer& a) override { each(&Observer::on_group_answer, c, a); }
  void on_offset_commit(const OffsetCommit& o) override { each(&Observer::on_offset_commit, o); }
  void on_offset_fetched(const OffsetFetched& o) override { each(&Observer::on_offset_fetched, o); }
  void on_offset_listed(const OffsetListed& o) override { each(&Observer::on_offset_listed, o); }
  void on_fetch_asked(const FetchAsked& f) override { each(&Observer::on_fetch_asked, f); }
  void on_fetch_answered(const FetchAnswered& f) override { each(&Observer::on_fetch_answered, f); }
  void on_partition_fetched(const PartitionFetched& p) override { each(&Observer::on_partition_fetched, p); }
  void on_share_acquired(const ShareAcquired& s) override { each(&Observer::on_share_acquired, s); }
  void on_share_acknowledged(const ShareAcknowledged& s) override { each(&Observer::on_share_acknowledged, s); }
  void on_txn_call(const TxnCall& c) override { each(&Observer::on_txn_call, c); }
  void on_txn_answer(const TxnCall& c, const TxnAnswer& a) override { each(&Observer::on_txn_answer, c, a); }
  void on_batch(const BatchSeen& b) override { each(&Observer::on_batch, b); }
  void on_leader(const LeaderTold& l) override { each(&Observer::on_leader, l); }
  void on_coordinator(const CoordinatorTold& c) override { each(&Observer::on_coordinator, c); }
  void on_versions(const VersionsTold& v) override { each(&Observer::on_versions, v); }
  void on_segment(const ConversationInfo& c, const SegmentSeen& s) override { each(&Observer::on_segment, c, s); }

 private:
  template <class... Parameters, class... Arguments>
  void each(void (Observer::*event)(Parameters...), const Arguments&... arguments) {
    for (Observer* o : all_) (o->*event)(arguments...);
  }
  const std::vector<Observer*> all_;
};

}  // namespace kparse
