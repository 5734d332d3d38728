// SPDX-License-Identifier: MIT
// Events to the numbers of `kparse report`.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "kparse/events.h"
#include "report/apis.h"
#include "report/brokers.h"
#include "report/clients.h"
#include "report/conversation.h"
#include "report/errors_table.h"
#include "report/groups.h"
#include "report/headers.h"
#include "report/record_counter.h"
#include "report/record_workers.h"
#include "report/seen.h"
#include "report/slowest.h"
#include "report/tls.h"
#include "report/topics.h"

namespace kparse::report {

/// All tables of a report. Bounded: memory doesn't grow with the capture.
struct ReportData {
  Seen seen;
  Apis apis;
  TopicTable topics{"topics", 10'000};
  HeaderTable headers{"header names by topic", 20'000};
  ClientTable clients{"clients", 10'000};
  GroupTable groups{"groups", 10'000};
  ServerTable servers{"servers", 1'000};
  EndpointTable endpoints{"advertised brokers", 1'000};
  ErrorTable errors{"errors", 10'000};
  Slowest slowest;
  TlsTable tls{"kinds of TLS", 1'000};
  std::map<std::string, FullTable, std::less<>> event_limits;  ///< what could not even be told, by table

  /// Of another thread. The result doesn't depend on which conversations which thread had.
  void merge(ReportData&&);
};

/// The conventions that everybody knows, nothing of a user's.
[[nodiscard]] const HeaderRegister& no_register();

/// Counts the events of any number of conversations, on one thread.
class ReportObserver final : public Observer {
 public:
  /// `names` must outlive the observer and what finish() gives.
  /// `threads`: so many may open batches, the caller's being one of them. The numbers don't depend on it.
  explicit ReportObserver(const RecordOptions&, const HeaderRegister& names = no_register(), unsigned threads = 1);
  ~ReportObserver() override;

  /// Before the first event: `listener` hears of all records that are opened. With one thread only.
  [[nodiscard]] bool may_share_records() const noexcept { return !workers_; }
  void share_records(RecordListener& listener) noexcept { listener_ = &listener; }

  /// After the last event. Takes the numbers; the observer is empty then.
  [[nodiscard]] ReportData finish();

  void begin_request(const ConversationInfo&, const Request&) override;
  void end_request(const ConversationInfo&, const Request&, const Error&) override;
  void begin_response(const ConversationInfo&, const Response&) override;
  void end_response(const ConversationInfo&, const Response&, const Error&) override;
  void on_error(const ErrorSeen&) override;
  void on_records(const RecordsSeen&) override;
  void on_partition(const PartitionSeen&) override;
  void on_group(const GroupSeen&) override;
  void on_broker(const BrokerSeen&) override;
  void on_client_software(const ClientSoftwareSeen&) override;
  void on_principal(const PrincipalSeen&) override;
  void on_long_poll(std::int32_t max_wait_ms, bool data_came) override;
  void on_throttle(std::int32_t ms) override;
  void on_sasl(const ConversationInfo&, const SaslToken&) override;
  void on_gap(const ConversationInfo&, const Gap&) override;
  void on_resync(const ConversationInfo&, Side, std::uint64_t skipped) override;
  void on_other(const ConversationInfo&, Side, std::string_view what, Stamp) override;
  void on_limit(const LimitReached&) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  /// The frame that events belong to.
  struct Current {
    ConversationState* conversation = nullptr;
    const ConversationState::Client* client = nullptr;
    ConversationState::Client* sender = nullptr;   ///< of a request
    ApiRow* api = nullptr;                         ///< nullptr: an answer without its request
    std::int16_t version = -1;
    Stamp first;
    bool response = false;
    bool failed = false;
    bool may_wait = false, data_came = false;
    std::int32_t max_wait_ms = -1;
  };

  ConversationState& state_of(const ConversationInfo&);
  void close(ConversationState&, std::string_view proxied);
  void frame_error(const Frame&, const Error&, bool request);
  void add_latency(const ConversationInfo&, const Response&);
  TopicTable::Slot* topic(const TopicRef&);
  void meet(TopicTable::Slot&, bool produced);

  ReportData data_;
  RecordCounter counter_;
  std::unique_ptr<RecordWorkers> workers_;         ///< nullptr: one thread
  RecordListener* listener_ = nullptr;
  KeyBuilder key_;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<ConversationState>> conversations_;
  absl::flat_hash_set<std::uint64_t> tls_;  ///< numbers of TLS conversations that last
  std::uint64_t last_number_ = 0;
  ConversationState* last_conversation_ = nullptr;
  TopicTable::Slot* last_topic_ = nullptr;
  std::uint64_t last_topic_uid_ = 0;
  std::string last_group_;                         ///< told in this frame
  bool group_told_ = false;
  Current now_;
};

}  // namespace kparse::report
