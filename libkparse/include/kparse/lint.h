// SPDX-License-Identifier: MIT
// Lint: what is wrong or risky in the traffic of a capture, by rule id. An Observer like any other: give it to the
// Interpreters of all connections (several by way of a tee), then ask for the findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/cluster.h"
#include "kparse/events.h"
#include "kparse/record_listener.h"
#include "kparse/records.h"

namespace kparse {

enum class Severity : std::uint8_t { info, notice, warning, error };  ///< in ascending order
/// "info", ...
[[nodiscard]] std::string_view name_of(Severity) noexcept;

/// What a rule looks at.
enum class RuleScope : std::uint8_t { capture, connection, frame, batch, record, topic, client, group };
[[nodiscard]] std::string_view name_of(RuleScope) noexcept;

/// A threshold of a rule: `RULE.name` sets it.
struct RuleOption {
  std::string_view name;
  double value;             ///< unless it is set
  std::string_view unit;    ///< "ms", "bytes", "times", ... "" none
  std::string_view meaning;
};

/// An entry of the catalogue. Lives for ever.
struct RuleInfo {
  std::string_view id;          ///< "KP-CRC"
  Severity severity;
  RuleScope scope;
  std::string_view condition;   ///< when it speaks, and when it doesn't
  std::string_view why;         ///< what it means for the user
  std::string_view fix;         ///< what to do
  std::string_view example;     ///< a message of it
  std::string_view sources;     ///< KIPs, Kafka classes, public reports; separated by "; "
  bool healthy = false;         ///< traffic with nothing wrong may have it
  std::span<const RuleOption> options{};
  /// Rules that say the same more exactly: where one of these speaks of the same cause, this one is silent.
  std::span<const std::string_view> instead{};
};

/// All rules, ordered by id.
[[nodiscard]] std::span<const RuleInfo* const> rule_catalogue() noexcept;
/// nullptr: no such rule. Case doesn't count.
[[nodiscard]] const RuleInfo* find_rule(std::string_view id) noexcept;

struct LintOptions {
  /// Rule ids, or beginnings of them that end in "*". An empty `select` takes all.
  std::vector<std::string> select, ignore;
  std::map<std::string, double, std::less<>> set;   ///< "KP-SLOW.ms" to 500
  RecordOptions records;                            ///< how batches are opened
  std::vector<std::string> compacted;               ///< topics that are known to be compacted
  std::size_t max_findings = 10'000;                ///< different ones; what comes later is counted
};

/// "" when all that they name exists; else what doesn't, as a sentence.
[[nodiscard]] std::string wrong_with(const LintOptions&);

/// One thing that was found, folded: the same rule for the same client, topic and cause is one finding with a count.
struct Finding {
  static constexpr std::size_t max_places = 5;
  const RuleInfo* rule = nullptr;
  std::string message;                    ///< one sentence, of the first time
  std::uint64_t count = 0;
  std::vector<Stamp> places;              ///< the first packets, at most max_places; at least one
  bool in_conversation = false;           ///< else the next four are empty: it is about the capture as a whole
  std::uint64_t conversation = 0;         ///< of the first time, as are all that follow
  std::string client, server, client_id;
  std::string api, topic, group;          ///< "" none
  std::int32_t partition = -1;            ///< -1 none
  std::size_t order = 0;                  ///< how many were found before it
};

/// A table that was full: the rule says nothing of what found no place in it, or nothing at all where that could matter.
struct LintLimit {
  std::string_view rule;   ///< its id; "" several rules share the table
  std::string_view what;   ///< that there is a place for: "clients", "a connection's group members"
  std::uint64_t limit = 0;
  std::uint64_t left_out = 0;   ///< how often there was none; may be the same thing again
};

/// Hears of findings at once, for those who show each where it is.
class FindingListener {
 public:
  virtual ~FindingListener() = default;
  /// One that has been found, for the first time or again, in packet `at`: as far as it is known so far. Not all stay:
  /// finish() leaves out those that another one says better. Don't keep the reference; Finding::order stays.
  virtual void on_finding(const Finding&, const Stamp& at) noexcept = 0;
};

/// What all rules find in the events of one thread. Memory: bounded in all tables; at most one state a rule and
/// connection. A rule whose table is full doesn't speak of what found no place in it: limits() says so.
/// Cost: rules that aren't selected cost nothing; records are opened only where a selected rule looks at them.
class Linter final : public Observer {
 public:
  /// `cluster`: of the same run. `options` are checked (wrong_with). Throws std::bad_alloc only.
  Linter(const LintOptions& options, const Cluster& cluster, FindingListener* = nullptr);
  ~Linter() override;

  /// Who opens records fields anyway tells the listener what is in each, after this observer's on_records(). To be asked
  /// for before the first event; from then on the linter opens none itself. nullptr: no chosen rule looks at records.
  [[nodiscard]] RecordListener* record_listener() noexcept;

  /// After the last event, `end` being the last packet of the capture: findings, worst first, then by place. Once.
  [[nodiscard]] std::vector<Finding> finish(Stamp end);
  [[nodiscard]] std::uint64_t findings_left_out() const noexcept;
  /// The tables that were full, by rule; after finish(). Where a request waits for an answer so long that thousands came
  /// after it on its connection, it is forgotten, and that isn't counted.
  [[nodiscard]] std::vector<LintLimit> limits() const;

  Wants wants() const noexcept override;
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
  void on_broker(const BrokerSeen&) override;
  void on_principal(const PrincipalSeen&) override;
  void on_long_poll(std::int32_t max_wait_ms, bool data_came) override;
  void on_throttle(std::int32_t ms) override;
  void on_unanswered(const ConversationInfo&, std::uint64_t serial) override;
  void on_sasl(const ConversationInfo&, const SaslToken&) override;
  void on_gap(const ConversationInfo&, const Gap&) override;
  void on_resync(const ConversationInfo&, Side, std::uint64_t skipped) override;
  void on_other(const ConversationInfo&, Side, std::string_view what, Stamp) override;
  void on_not_a_frame(const ConversationInfo&, const NotAFrame&) override;
  void on_close(const ConversationInfo&, Stamp) override;
  void on_group_call(const GroupCall&) override;
  void on_group_answer(const GroupCall&, const GroupAnswer&) override;
  void on_offset_commit(const OffsetCommit&) override;
  void on_fetch_asked(const FetchAsked&) override;
  void on_fetch_answered(const FetchAnswered&) override;
  void on_partition_fetched(const PartitionFetched&) override;
  void on_txn_answer(const TxnCall&, const TxnAnswer&) override;
  void on_batch(const BatchSeen&) override;
  void on_leader(const LeaderTold&) override;
  void on_coordinator(const CoordinatorTold&) override;
  void on_versions(const VersionsTold&) override;
  void on_segment(const ConversationInfo&, const SegmentSeen&) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kparse
