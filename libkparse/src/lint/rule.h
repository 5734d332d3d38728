// SPDX-License-Identifier: MIT
// A rule: one class in one file of rules/, that overrides the events it looks at and says hit() when it found something.
// rules/README.md is the recipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "kparse/decode.h"
#include "kparse/lint.h"
#include "lint/client_topics.h"
#include "lint/connection.h"
#include "lint/facts.h"
#include "lint/room.h"
#include "lint/text.h"
#include "lint/witness.h"

namespace kparse::lint {

/// The frame at hand, while its events are told. Between begin_* and end_*.
struct Frames {
  const Request* request = nullptr;     ///< one of these two
  const Response* response = nullptr;
  const Asked* asked = nullptr;         ///< of a response: its request, if it was seen
};

/// Where something was found. What isn't given is taken from the connection and frame at hand.
struct Place {
  std::string_view topic{};
  std::int32_t partition = -1;
  std::string_view group{};
  std::string_view api{};
  /// Findings with the same rule, client (address and client id), topic, group and `cause` are one. Choose it so that
  /// what a person would mend separately stays separate: an API, an error code, a field.
  std::string_view cause{};
  const Conn* conn = nullptr;
  const Stamp* at = nullptr;            ///< the packet; else where the frame begins
  const Witness* witness = nullptr;     ///< in place of `conn` and `at`
  std::uint64_t count = 1;
  /// Not about one client: `cause` alone tells findings apart (a broker, a topic, the capture).
  bool any_client = false;
  /// Its message has a number that has grown: it takes the place of what was said of the same before.
  bool renewed = false;
  /// In place of RuleInfo::instead, where it depends on the case.
  const std::span<const std::string_view>* instead = nullptr;
};

/// What the Linter does for its rules.
class Desk {
 public:
  virtual ~Desk() = default;
  /// Counts it, unless a rule of `instead` has spoken of the frame at hand (or, of a response, of its request). True
  /// when it is the first of its kind, or renewed: it wants a message, say(). In the end findings also go that have one
  /// of `instead` for the same conversation, or the same client, and the same topic and group where both have one.
  virtual bool found(const RuleInfo&, const Place&) = 0;
  virtual void say(Text&&) = 0;
  /// Did this rule (by id) find something in the frame at hand, or (for a response) in its request?
  [[nodiscard]] virtual bool said_here(std::string_view id) const = 0;

  [[nodiscard]] virtual const Frames& frames() const noexcept = 0;
  [[nodiscard]] virtual const Conn* conn() const noexcept = 0;      ///< nullptr in on_finish
  [[nodiscard]] virtual const Conn* conn(std::uint64_t number) const noexcept = 0;   ///< one that is still open
  [[nodiscard]] virtual const Cluster& cluster() const noexcept = 0;
  [[nodiscard]] virtual const LintOptions& options() const noexcept = 0;
  /// A name for people: the topic's, else its id in base64url, "?" for none.
  [[nodiscard]] virtual std::string name_of(const TopicRef&) const = 0;
  /// By --compacted, or a cleanup.policy that was seen.
  [[nodiscard]] virtual bool compacted(std::string_view topic) const = 0;

  /// Shared by all rules that count by client and topic. Events that have a connection only.
  [[nodiscard]] ClientTopics& client_topics() noexcept { return client_topics_; }
  /// Of all tables, the rules' own too.
  [[nodiscard]] const std::vector<const Room*>& rooms() const noexcept { return rooms_; }

 private:
  friend class Room;
  std::vector<const Room*> rooms_;
  ClientTopics client_topics_{*this};
};

/// The events. Which of them a rule overrides is found out when it is compiled: a rule isn't called for the others.
/// Whether the connection at hand is known: desk.conn().
class Rule {
 public:
  Rule(Desk& desk, const RuleInfo& info, const double* options) : desk_(desk), info_(info), options_(options) {}
  virtual ~Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;

  // As in Observer (kparse/events.h).
  virtual void on_conversation(const Conn&) {}
  virtual void begin_request(const Conn&, const Request&) {}
  virtual void end_request(const Conn&, const Request&, const Error&) {}
  virtual void begin_response(const Conn&, const Response&) {}
  virtual void end_response(const Conn&, const Response&, const Error&) {}
  virtual void on_error(const ErrorSeen&) {}
  virtual void on_acks(std::int16_t) {}
  virtual void on_transactional_id(std::string_view) {}
  virtual void on_records(const RecordsSeen&) {}
  virtual void on_produce_answered(const ProduceAnswered&) {}
  virtual void on_partition(const PartitionSeen&) {}
  virtual void on_topic_id(const TopicIdSeen&) {}
  virtual void on_broker(const BrokerSeen&) {}
  virtual void on_principal(const PrincipalSeen&) {}
  virtual void on_long_poll(std::int32_t /*max_wait_ms*/, bool /*data came*/) {}
  virtual void on_throttle(std::int32_t /*ms*/) {}
  virtual void on_unanswered(const Conn&, const Asked&) {}
  virtual void on_sasl(const Conn&, const SaslToken&) {}
  virtual void on_gap(const Conn&, const Gap&) {}
  virtual void on_resync(const Conn&, Side, std::uint64_t /*skipped*/) {}
  virtual void on_other(const Conn&, Side, std::string_view /*what*/, const Stamp&) {}
  virtual void on_not_a_frame(const Conn&, const NotAFrame&) {}   ///< connection.h of kparse
  virtual void on_close(const Conn&, const Stamp&) {}    ///< of every TCP connection, Kafka or not
  virtual void on_group_call(const GroupCall&) {}
  virtual void on_group_answer(const GroupCall&, const GroupAnswer&) {}
  virtual void on_offset_commit(const OffsetCommit&) {}
  virtual void on_fetch_asked(const FetchAsked&) {}
  virtual void on_fetch_answered(const FetchAnswered&) {}
  virtual void on_partition_fetched(const PartitionFetched&) {}
  virtual void on_txn_answer(const TxnCall&, const TxnAnswer&) {}
  virtual void on_batch(const BatchSeen&) {}
  virtual void on_leader(const LeaderTold&) {}
  virtual void on_coordinator(const CoordinatorTold&) {}
  virtual void on_versions(const VersionsTold&) {}
  virtual void on_segment(const Conn&, const SegmentSeen&) {}

  // Of bodies: all fields are walked where a rule overrides one of these. Before end_*.
  virtual void on_note(const Note&, Bytes /*body*/) {}                      ///< walk.h; bad UTF-8 too
  virtual void on_unknown_tag(NodeId /*its struct*/, std::uint32_t /*tag*/, Bytes /*value*/, Bytes /*body*/) {}
  virtual void on_overlong(NodeId, Bytes /*encoding*/, Bytes /*body*/) {}   ///< a length or count with needless bytes

  // Of records: they are opened where a rule overrides one of these. For each records field, after on_records.
  virtual void begin_batch(const RecordsSeen&, const Batch&) {}
  virtual bool wants_header(std::string_view /*name*/) { return false; }    ///< asked once for each distinct name
  virtual void on_header(const RecordsSeen&, const Batch&, const HeaderSeen&) {}   ///< only where wanted
  virtual void end_record(const RecordsSeen&, const Batch&, const Record&) {}      ///< after a record with a header that it wanted
  virtual void on_null_header(const RecordsSeen&, const Batch&, const HeaderSeen&) {}   ///< its value is null
  virtual void on_repeated_header(const RecordsSeen&, const Batch&, const HeaderSeen&, std::int32_t /*so far in this record*/) {}
  virtual void end_batch(const RecordsSeen&, const BatchFacts&, const Error&) {}
  virtual void end_bad_batch(const RecordsSeen&, const BatchFacts&, const Error&) {}      ///< with an error or a wrong CRC
  virtual void end_packed_batch(const RecordsSeen&, const BatchFacts&, const Error&) {}   ///< one that says it has a codec
  virtual void on_partial(const RecordsSeen&, std::uint64_t /*bytes*/, std::uint64_t /*need*/) {}   ///< RecordSink::partial
  virtual void end_records(const RecordsSeen&, std::int32_t /*batches, whole ones*/) {}

  /// After the last event: for what only the whole tells. `end`: the capture's last packet.
  virtual void on_finish(const Stamp& /*end*/) {}

 protected:
  /// `message` (a function of Text&) is called for the first of its kind only, unless Place::renewed. True: it was.
  template <class F>
  bool hit(const Place& place, F&& message) {
    if (!desk_.found(info_, place)) return false;
    Text text;
    message(text);
    desk_.say(std::move(text));
    return true;
  }
  [[nodiscard]] double option(std::size_t n) const noexcept { return options_[n]; }   ///< in the order of RuleInfo
  [[nodiscard]] std::string topic(const TopicRef& t) const { return desk_.name_of(t); }
  [[nodiscard]] const Conn& conn() const noexcept { return *desk_.conn(); }
  [[nodiscard]] const Frames& frames() const noexcept { return desk_.frames(); }

  Desk& desk_;
  const RuleInfo& info_;

 private:
  friend class Room;
  const double* options_;
};

/// "Fetch", or "API 93" for one that isn't in the tables.
[[nodiscard]] std::string api_text(const Api*, std::int16_t api_key);

/// A table that takes what there is room for: what comes later finds no place (nullptr) and is counted.
template <class Key, class T, class Hash = std::hash<Key>>
class Bounded {
 public:
  [[nodiscard]] T* find(const Key& k) {
    if (table_.empty()) return nullptr;
    const auto at = table_.find(k);
    return at == table_.end() ? nullptr : &at->second;
  }
  [[nodiscard]] bool empty() const noexcept { return table_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return table_.size(); }
  T* get(const Key& k, Room& room) {
    if (T* const there = find(k)) return there;
    return room.beside(table_.size()) ? &table_[k] : nullptr;
  }
  void erase(const Key& k) { table_.erase(k); }
  auto begin() { return table_.begin(); }
  auto end() { return table_.end(); }

 private:
  std::unordered_map<Key, T, Hash> table_;
};

/// A rule's own state for each connection: override on_close and drop() it there. Where many connections are open, what
/// an event costs is the memory it touches: here it is found without a search.
template <class T>
class PerConn {
 public:
  T& operator[](const Conn& c) {
    if (c.slot >= places_.size()) places_.resize(c.slot + 1);
    Place& p = places_[c.slot];
    if (p.number != c.number || !p.value) p = {c.number, std::make_unique<T>()};
    return *p.value;
  }
  [[nodiscard]] T* find(const Conn& c) {
    if (c.slot >= places_.size()) return nullptr;
    const Place& p = places_[c.slot];
    return p.number == c.number ? p.value.get() : nullptr;
  }
  void drop(const Conn& c) {
    if (find(c)) places_[c.slot].value.reset();
  }

 private:
  struct Place {
    std::uint64_t number = 0;
    std::unique_ptr<T> value;
  };
  std::vector<Place> places_;  ///< by slot
};

// How a rule gets into the catalogue: KPARSE_RULE at the end of its file. The name is the file's, without .cpp.

enum class Hook : std::uint8_t {
#define KPARSE_HOOK(name) name,
#include "lint/hooks.inc"
#undef KPARSE_HOOK
  count_
};

template <class F>
struct ClassOf;
template <class C, class R, class... A>
struct ClassOf<R (C::*)(A...)> {
  using type = C;
};

/// Bit n: the class overrides hook n.
template <class R>
constexpr std::uint64_t hooks_of() {
  std::uint64_t mask = 0;
#define KPARSE_HOOK(name)                                                           \
  if (!std::is_same_v<typename ClassOf<decltype(&R::name)>::type, Rule>) \
    mask |= std::uint64_t{1} << static_cast<unsigned>(Hook::name);
#include "lint/hooks.inc"
#undef KPARSE_HOOK
  return mask;
}

struct RuleEntry {
  RuleInfo info;
  std::uint64_t hooks;
  std::unique_ptr<Rule> (*make)(Desk&, const RuleInfo&, const double* options);
};

template <class R>
std::unique_ptr<Rule> make_rule(Desk& desk, const RuleInfo& info, const double* options) {
  return std::make_unique<R>(desk, info, options);
}

#define KPARSE_RULE(name, Class, ...) \
  extern const RuleEntry name;        \
  const RuleEntry name { RuleInfo{__VA_ARGS__}, hooks_of<Class>(), &make_rule<Class> }

}  // namespace kparse::lint
