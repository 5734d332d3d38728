// SPDX-License-Identifier: MIT
// Reads all that the details need, in one pass with another observer.
#pragma once

#include "details/everything.h"

namespace kparse::details {

/// Like Tee, but each event goes only to those who listen to it, without a virtual call: it comes for every
/// exchange of a capture.
class Reader final : public Observer {
 public:
  explicit Reader(Observer& other) : other_(other), other_wants_(other.wants()) {
    groups_.share(scene_);
    txns_.share(scene_);
    details_.share(scene_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  [[nodiscard]] Observer& observer() noexcept { return *this; }
  [[nodiscard]] Everything finish(const Cluster& cluster, const capture::TcpStats& tcp) {
    Everything all{groups_.finish(cluster), txns_.finish(cluster), details_.finish(cluster), network_.finish(), 0, tcp};
    all.network_left_out = network_.left_out();
    return all;
  }

  Wants wants() const noexcept override {
    return other_wants_ | groups_.wants() | txns_.wants() | details_.wants() | network_.wants();
  }
  void on_conversation(const ConversationInfo& c) override {
    other_.on_conversation(c);
    network_.on_conversation(c);
  }
  void begin_request(const ConversationInfo& c, const Request& r) override {
    other_.begin_request(c, r);
    scene_.request(c, r);
    groups_.begin_request(c, r);
    txns_.begin_request(c, r);
    details_.begin_request(c, r);
  }
  void end_request(const ConversationInfo& c, const Request& r, const Error& e) override { other_.end_request(c, r, e); }
  void begin_response(const ConversationInfo& c, const Response& r) override {
    other_.begin_response(c, r);
    scene_.response(c, r);
    groups_.begin_response(c, r);
    txns_.begin_response(c, r);
    details_.begin_response(c, r);
  }
  void end_response(const ConversationInfo& c, const Response& r, const Error& e) override {
    other_.end_response(c, r, e);
    details_.end_response(c, r, e);
  }
  void on_error(const ErrorSeen& e) override { other_.on_error(e); }
  void on_acks(std::int16_t a) override { other_.on_acks(a); }
  void on_transactional_id(std::string_view t) override {
    other_.on_transactional_id(t);
    txns_.on_transactional_id(t);
  }
  void on_records(const RecordsSeen& r) override { other_.on_records(r); }
  void on_produce_answered(const ProduceAnswered& p) override {
    other_.on_produce_answered(p);
    groups_.on_produce_answered(p);
    txns_.on_produce_answered(p);
    details_.on_produce_answered(p);
  }
  void on_partition(const PartitionSeen& p) override { other_.on_partition(p); }
  void on_topic_id(const TopicIdSeen& t) override { other_.on_topic_id(t); }
  void on_group(const GroupSeen& g) override { other_.on_group(g); }
  void on_broker(const BrokerSeen& b) override { other_.on_broker(b); }
  void on_client_software(const ClientSoftwareSeen& s) override {
    other_.on_client_software(s);
    scene_.software(s);
  }
  void on_principal(const PrincipalSeen& p) override { other_.on_principal(p); }
  void on_long_poll(std::int32_t ms, bool data) override { other_.on_long_poll(ms, data); }
  void on_throttle(std::int32_t ms) override {
    other_.on_throttle(ms);
    details_.on_throttle(ms);
  }
  void on_unanswered(const ConversationInfo& c, std::uint64_t serial) override {
    other_.on_unanswered(c, serial);
    scene_.unanswered(c);
    groups_.on_unanswered(c, serial);
    txns_.on_unanswered(c, serial);
  }
  void on_sasl(const ConversationInfo& c, const SaslToken& t) override { other_.on_sasl(c, t); }
  void on_gap(const ConversationInfo& c, const Gap& g) override {
    other_.on_gap(c, g);
    txns_.on_gap(c, g);
  }
  void on_resync(const ConversationInfo& c, Side s, std::uint64_t n) override {
    other_.on_resync(c, s, n);
    txns_.on_resync(c, s, n);
  }
  void on_other(const ConversationInfo& c, Side s, std::string_view what, Stamp at) override {
    other_.on_other(c, s, what, at);
  }
  void on_not_a_frame(const ConversationInfo& c, const NotAFrame& n) override { other_.on_not_a_frame(c, n); }
  void on_limit(const LimitReached& l) override {
    other_.on_limit(l);
    groups_.on_limit(l);
    txns_.on_limit(l);
  }
  void on_close(const ConversationInfo& c, Stamp at) override {
    other_.on_close(c, at);
    groups_.on_close(c, at);
    txns_.on_close(c, at);
    details_.on_close(c, at);
    network_.on_close(c, at);
    scene_.close(c);
  }
  void on_group_call(const GroupCall& c) override {
    other_.on_group_call(c);
    groups_.on_group_call(c);
  }
  void on_group_answer(const GroupCall& c, const GroupAnswer& a) override {
    other_.on_group_answer(c, a);
    groups_.on_group_answer(c, a);
  }
  void on_offset_commit(const OffsetCommit& o) override {
    other_.on_offset_commit(o);
    groups_.on_offset_commit(o);
    txns_.on_offset_commit(o);
  }
  void on_offset_fetched(const OffsetFetched& o) override {
    other_.on_offset_fetched(o);
    groups_.on_offset_fetched(o);
  }
  void on_offset_listed(const OffsetListed& o) override {
    other_.on_offset_listed(o);
    groups_.on_offset_listed(o);
  }
  void on_fetch_asked(const FetchAsked& f) override {
    other_.on_fetch_asked(f);
    details_.on_fetch_asked(f);
  }
  void on_fetch_answered(const FetchAnswered& f) override {
    other_.on_fetch_answered(f);
    details_.on_fetch_answered(f);
  }
  void on_partition_fetched(const PartitionFetched& p) override {
    if (other_wants_ & (Wants::fetches | Wants::offsets)) other_.on_partition_fetched(p);
    groups_.on_partition_fetched(p);
    txns_.on_partition_fetched(p);
    details_.on_partition_fetched(p);
  }
  void on_share_acquired(const ShareAcquired& s) override {
    other_.on_share_acquired(s);
    groups_.on_share_acquired(s);
  }
  void on_share_acknowledged(const ShareAcknowledged& s) override {
    other_.on_share_acknowledged(s);
    groups_.on_share_acknowledged(s);
  }
  void on_txn_call(const TxnCall& c) override {
    other_.on_txn_call(c);
    txns_.on_txn_call(c);
  }
  void on_txn_answer(const TxnCall& c, const TxnAnswer& a) override {
    other_.on_txn_answer(c, a);
    txns_.on_txn_answer(c, a);
  }
  void on_batch(const BatchSeen& b) override {
    if (other_wants_ & Wants::batches) other_.on_batch(b);
    txns_.on_batch(b);
    details_.on_batch(b);
  }
  void on_leader(const LeaderTold& l) override {
    other_.on_leader(l);
    details_.on_leader(l);
  }
  void on_coordinator(const CoordinatorTold& c) override { other_.on_coordinator(c); }
  void on_versions(const VersionsTold& v) override { other_.on_versions(v); }
  void on_segment(const ConversationInfo& c, const SegmentSeen& s) override {
    if (other_wants_ & Wants::segments) other_.on_segment(c, s);
    network_.on_segment(c, s);
  }

 private:
  Observer& other_;
  const Wants other_wants_;
  story::Scene scene_;
  groups::GroupObserver groups_;
  txns::TxnObserver txns_;
  DetailObserver details_;
  NetworkObserver network_;
};

}  // namespace kparse::details
