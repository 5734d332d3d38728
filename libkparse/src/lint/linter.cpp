// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bitset>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "kparse/text.h"
#include "lint/body_pass.h"
#include "lint/compaction.h"
#include "lint/conversations.h"
#include "lint/finding_table.h"
#include "lint/record_pass.h"
#include "lint/registry.h"

namespace kparse {

using lint::Asked;
using lint::Conn;
using lint::Held;
using lint::Hook;
using lint::Place;
using lint::Rule;

namespace {

constexpr std::int16_t key_produce = 0;

constexpr bool has(std::uint64_t hooks, Hook h) noexcept { return (hooks >> static_cast<unsigned>(h)) & 1; }

/// A rule's values live here, since rules only see a pointer.
struct Loaded {
  std::vector<double> options;
  std::unique_ptr<Rule> rule;
  std::bitset<lint::max_rules> instead;  ///< RuleInfo::instead, as numbers
};

}  // namespace

struct Linter::Impl final : lint::Desk {
  Impl(const LintOptions& o, const Cluster& c, FindingListener* listener)
      : options_(o), cluster_(c), listener_(listener), findings_(o.max_findings), compaction_(*this), body_pass_(body_rules_),
        record_pass_(record_rules_, o.records, *this) {
    for (const std::string& t : o.compacted) compaction_.add(t);
    for (const int n : lint::calling_order()) {
      const lint::RuleEntry& e = *lint::entries()[static_cast<std::size_t>(n)];
      if (!lint::chosen(o, e.info.id)) continue;
      Loaded& l = loaded_[static_cast<std::size_t>(n)];
      l.options = lint::values_of(o, e.info);
      l.rule = e.make(*this, e.info, l.options.data());
      for (unsigned h = 0; h < static_cast<unsigned>(Hook::count_); ++h)
        if (has(e.hooks, static_cast<Hook>(h))) lists_[h].push_back(l.rule.get());
      numbers_.emplace(&e.info, n);
      for (const std::string_view id : e.info.instead)
        if (const int other = lint::rule_number(id); other >= 0) l.instead.set(static_cast<std::size_t>(other));
      telling_[static_cast<std::size_t>(n)] = e.info.severity > Severity::info;
    }
    for (const std::string_view id : {"KP-APIV-HDR", "KP-TAGBUF"})
      if (const int n = lint::rule_number(id); n >= 0) misreading_.set(static_cast<std::size_t>(n));
    body_rules_ = {list(Hook::on_note), list(Hook::on_unknown_tag), list(Hook::on_overlong)};
    record_rules_ = {list(Hook::begin_batch), list(Hook::on_header),  list(Hook::end_record),
                     list(Hook::end_batch),   list(Hook::on_partial), list(Hook::end_records),
                     list(Hook::on_null_header), list(Hook::on_repeated_header), list(Hook::end_bad_batch),
                     list(Hook::end_packed_batch)};
  }

  const std::vector<Rule*>& list(Hook h) const noexcept { return lists_[static_cast<std::size_t>(h)]; }
  [[nodiscard]] bool wanted(Hook h) const noexcept { return !list(h).empty(); }

  template <class F, class... A>
  void each(Hook h, F f, const A&... args) {
    for (Rule* r : list(h)) (r->*f)(args...);
  }

  Held& enter(const ConversationInfo& info) {
    held_ = &conversations_.of(info);
    return *held_;
  }
  /// What rules said of the request whose answer is at hand.
  void recall(Held& h, std::uint64_t serial) {
    h.said_of.each(serial, [this](const auto& said) {
      asked_bits_ = said;
      asked_said_ = &asked_bits_;
    });
    h.said_of.forget(serial);
  }
  void leave() noexcept {
    frames_ = {};
    here_.reset();
    asked_said_ = nullptr;
  }

  // Desk.
  bool found(const RuleInfo& rule, const Place& p) override {
    const int n = numbers_.find(&rule)->second;
    if (p.instead) {
      for (const std::string_view id : *p.instead)
        if (said_here(id)) return false;
    } else if (const auto& others = loaded_[static_cast<std::size_t>(n)].instead;
               (here_ & others).any() || (asked_said_ && (*asked_said_ & others).any())) {
      return false;
    }
    const Conn* const c = p.conn ? p.conn : conn();
    here_.set(static_cast<std::size_t>(n));
    Stamp at = end_;
    std::string_view api;
    std::string unknown;
    if (frames_.request) {
      at = frames_.request->frame.first;
      api = frames_.request->api ? frames_.request->api->name : unknown = lint::api_text(nullptr, frames_.request->api_key);
    } else if (frames_.response) {
      at = frames_.response->frame.first;
      if (frames_.response->matched)
        api = frames_.response->api ? frames_.response->api->name
                                    : unknown = lint::api_text(nullptr, frames_.response->api_key);
    } else if (c) {
      at = c->last;
    }
    if (p.witness) at = p.witness->at;
    found_at_ = p.at ? *p.at : at;
    const bool first = findings_.add(rule, n, p, c, api, found_at_);
    if (listener_ && !first) tell();
    return first;
  }
  void say(lint::Text&& t) override {
    findings_.say(std::move(t).take());
    if (listener_) tell();
  }
  void tell() noexcept {
    if (const Finding* const f = findings_.last()) listener_->on_finding(*f, found_at_);
  }

  bool said_here(std::string_view id) const override {
    const int n = lint::rule_number(id);
    if (n < 0) return false;
    const auto bit = static_cast<std::size_t>(n);
    return here_.test(bit) || (asked_said_ && asked_said_->test(bit));
  }
  const lint::Frames& frames() const noexcept override { return frames_; }
  const Conn* conn() const noexcept override { return held_ ? &held_->conn : nullptr; }
  const Conn* conn(std::uint64_t number) const noexcept override {
    const Held* const h = conversations_.find(number);
    return h ? &h->conn : nullptr;
  }
  const Cluster& cluster() const noexcept override { return cluster_; }
  const LintOptions& options() const noexcept override { return options_; }
  std::string name_of(const TopicRef& t) const override {
    if (!t.name.empty()) return std::string(t.name);
    if (!t.id) return "?";
    if (const std::string_view name = cluster_.topic_name(t.id); !name.empty()) return std::string(name);
    char text[uuid_text_size];
    uuid_text(t.id, text);
    return {text, uuid_text_size};
  }
  bool compacted(std::string_view topic) const override { return compaction_.has(topic); }

  LintOptions options_;
  const Cluster& cluster_;
  FindingListener* const listener_;
  Stamp found_at_;
  lint::FindingTable findings_;
  lint::Compaction compaction_;
  lint::Conversations conversations_;
  lint::BodyRules body_rules_;
  lint::RecordRules record_rules_;
  lint::BodyPass body_pass_;
  lint::RecordPass record_pass_;
  bool records_lent_ = false;   ///< somebody else opens them
  std::array<Loaded, lint::max_rules> loaded_;
  std::array<std::vector<Rule*>, static_cast<std::size_t>(Hook::count_)> lists_;
  std::unordered_map<const RuleInfo*, int> numbers_;   ///< findings may come with every frame: no search by id
  std::bitset<lint::max_rules> telling_;   ///< rules whose word counts for others: what is known about the whole of traffic isn't

  std::bitset<lint::max_rules> misreading_;   ///< where these speak of it an answer says something else than was read

  /// What an answer says: told of once it is clear that it was read as it was meant.
  struct Answered {
    ErrorSeen error;
    std::string topic, group;   ///< copies: what the event shows may be gone by then
  };
  void tell_answered(const Response& r, const Error& e) {
    const bool misread = r.frame.whole() && (e || (here_ & misreading_).any());
    if (!misread) {
      for (Answered& a : errors_) {
        a.error.topic.name = a.topic;
        a.error.group = a.group;
        each(Hook::on_error, &Rule::on_error, a.error);
      }
      if (throttle_ms_) each(Hook::on_throttle, &Rule::on_throttle, *throttle_ms_);
    }
    errors_.clear();
    throttle_ms_.reset();
  }
  std::vector<Answered> errors_;
  std::optional<std::int32_t> throttle_ms_;

  Held* held_ = nullptr;
  lint::Frames frames_;
  Asked asked_;
  std::bitset<lint::max_rules> here_;                    ///< rules that spoke of the frame at hand
  std::bitset<lint::max_rules> asked_bits_;
  const std::bitset<lint::max_rules>* asked_said_ = nullptr;   ///< ... of its request
  Stamp end_;
};

Linter::Linter(const LintOptions& options, const Cluster& cluster, FindingListener* listener)
    : impl_(std::make_unique<Impl>(options, cluster, listener)) {}
Linter::~Linter() = default;

RecordListener* Linter::record_listener() noexcept {
  if (!impl_->record_rules_.any()) return nullptr;
  impl_->records_lent_ = true;
  return &impl_->record_pass_;
}

std::uint64_t Linter::findings_left_out() const noexcept { return impl_->findings_.left_out(); }

std::vector<LintLimit> Linter::limits() const {
  std::vector<LintLimit> all;
  for (const lint::Room* r : impl_->rooms())
    if (r->left_out() > 0) all.push_back({r->rule(), r->what(), r->most(), r->left_out()});
  std::ranges::sort(all, {}, [](const LintLimit& l) { return std::tuple(l.rule, l.what); });
  return all;
}

std::vector<Finding> Linter::finish(Stamp end) {
  Impl& i = *impl_;
  i.end_ = end;
  i.held_ = nullptr;
  i.leave();
  i.each(Hook::on_finish, &Rule::on_finish, end);
  return i.findings_.take();
}

Wants Linter::wants() const noexcept {
  const Impl& i = *impl_;
  Wants w = Wants::segments;
  const auto add = [&](Hook h, Wants what) {
    if (i.wanted(h)) w = w | what;
  };
  add(Hook::on_group_call, Wants::groups);
  add(Hook::on_group_answer, Wants::groups);
  add(Hook::on_offset_commit, Wants::offsets);
  add(Hook::on_fetch_asked, Wants::fetches);
  add(Hook::on_fetch_answered, Wants::fetches);
  add(Hook::on_partition_fetched, Wants::fetches);
  add(Hook::on_txn_answer, Wants::transactions);
  add(Hook::on_batch, Wants::batches);
  add(Hook::on_leader, Wants::cluster);
  add(Hook::on_coordinator, Wants::cluster);
  add(Hook::on_versions, Wants::cluster);
  return w;
}

void Linter::on_conversation(const ConversationInfo& c) {
  Held& h = impl_->enter(c);
  h.conn.kafka = true;
  h.conn.tls = h.conn.tls || c.tls != nullptr;
  impl_->each(Hook::on_conversation, &Rule::on_conversation, h.conn);
}

void Linter::begin_request(const ConversationInfo& c, const Request& r) {
  Impl& i = *impl_;
  Held& h = i.enter(c);
  h.conn.tls = h.conn.tls || c.tls != nullptr;
  i.leave();
  i.frames_.request = &r;
  i.conversations_.request(h, r);
  i.compaction_.request(r);
  i.each(Hook::begin_request, &Rule::begin_request, h.conn, r);
}

void Linter::end_request(const ConversationInfo& c, const Request& r, const Error& e) {
  Impl& i = *impl_;
  Held& h = i.enter(c);
  if (i.body_rules_.any() && r.known && r.header_whole && r.api && r.api->request)
    i.body_pass_.body(*r.api->request, r.version, r.body);
  i.each(Hook::end_request, &Rule::end_request, h.conn, r, e);
  if ((i.here_ & i.telling_).any() && r.answer_expected) h.said_of.add(r.serial, i.here_);
  i.leave();
}

void Linter::begin_response(const ConversationInfo& c, const Response& r) {
  Impl& i = *impl_;
  Held& h = i.enter(c);
  i.leave();
  ++h.conn.responses;
  i.frames_.response = &r;
  if (r.matched && i.conversations_.take(h, r.serial, i.asked_)) {
    i.frames_.asked = &i.asked_;
    i.recall(h, r.serial);
  }
  i.compaction_.response(r);
  i.each(Hook::begin_response, &Rule::begin_response, h.conn, r);
}

void Linter::end_response(const ConversationInfo& c, const Response& r, const Error& e) {
  Impl& i = *impl_;
  Held& h = i.enter(c);
  if (i.body_rules_.any() && r.matched && r.known && r.header_whole && r.api && r.api->response)
    i.body_pass_.body(*r.api->response, r.version, r.body);
  i.tell_answered(r, e);
  i.each(Hook::end_response, &Rule::end_response, h.conn, r, e);
  i.leave();
}

void Linter::on_error(const ErrorSeen& e) {
  if (impl_->wanted(Hook::on_error)) impl_->errors_.push_back({e, std::string(e.topic.name), std::string(e.group)});
}

void Linter::on_acks(std::int16_t acks) {
  auto& waiting = impl_->held_->conn.outstanding;
  if (!waiting.empty() && waiting.back().api_key == key_produce) waiting.back().acks = acks;
  impl_->each(Hook::on_acks, &Rule::on_acks, acks);
}

void Linter::on_transactional_id(std::string_view t) {
  impl_->each(Hook::on_transactional_id, &Rule::on_transactional_id, t);
}

void Linter::on_records(const RecordsSeen& r) {
  impl_->each(Hook::on_records, &Rule::on_records, r);
  if (!impl_->record_rules_.any()) return;
  impl_->record_pass_.begin(r);
  if (!impl_->records_lent_) impl_->record_pass_.read();
}

void Linter::on_produce_answered(const ProduceAnswered& p) {
  impl_->each(Hook::on_produce_answered, &Rule::on_produce_answered, p);
}
void Linter::on_partition(const PartitionSeen& p) { impl_->each(Hook::on_partition, &Rule::on_partition, p); }
void Linter::on_topic_id(const TopicIdSeen& t) { impl_->each(Hook::on_topic_id, &Rule::on_topic_id, t); }
void Linter::on_broker(const BrokerSeen& b) { impl_->each(Hook::on_broker, &Rule::on_broker, b); }

void Linter::on_principal(const PrincipalSeen& p) {
  Conn& c = impl_->held_->conn;
  c.mechanism = p.mechanism;
  c.user = p.user;
  impl_->each(Hook::on_principal, &Rule::on_principal, p);
}

void Linter::on_long_poll(std::int32_t ms, bool data) { impl_->each(Hook::on_long_poll, &Rule::on_long_poll, ms, data); }
void Linter::on_throttle(std::int32_t ms) { impl_->throttle_ms_ = ms; }

void Linter::on_unanswered(const ConversationInfo& c, std::uint64_t serial) {
  Impl& i = *impl_;
  Held& h = i.enter(c);
  Asked asked;
  if (!i.conversations_.take(h, serial, asked)) return;
  i.recall(h, serial);
  i.each(Hook::on_unanswered, &Rule::on_unanswered, h.conn, asked);
  i.asked_said_ = nullptr;
}

void Linter::on_sasl(const ConversationInfo& c, const SaslToken& t) {
  Held& h = impl_->enter(c);
  h.conn.sasl_seen = true;
  impl_->each(Hook::on_sasl, &Rule::on_sasl, h.conn, t);
}

void Linter::on_gap(const ConversationInfo& c, const Gap& g) {
  Held& h = impl_->enter(c);
  h.conn.lost[static_cast<std::size_t>(g.from)] = true;
  impl_->each(Hook::on_gap, &Rule::on_gap, h.conn, g);
}

void Linter::on_resync(const ConversationInfo& c, Side side, std::uint64_t skipped) {
  Held& h = impl_->enter(c);
  impl_->each(Hook::on_resync, &Rule::on_resync, h.conn, side, skipped);
}

void Linter::on_other(const ConversationInfo& c, Side side, std::string_view what, Stamp at) {
  Held& h = impl_->enter(c);
  h.conn.tls = h.conn.tls || what == "TLS";
  impl_->each(Hook::on_other, &Rule::on_other, h.conn, side, what, at);
}

void Linter::on_not_a_frame(const ConversationInfo& c, const NotAFrame& n) {
  Held& h = impl_->enter(c);
  impl_->each(Hook::on_not_a_frame, &Rule::on_not_a_frame, h.conn, n);
}

void Linter::on_close(const ConversationInfo& c, Stamp at) {
  Impl& i = *impl_;
  Held& h = i.enter(c);
  i.each(Hook::on_close, &Rule::on_close, h.conn, at);
  i.held_ = nullptr;
  i.here_.reset();
  i.conversations_.drop(c.number);
}

void Linter::on_group_call(const GroupCall& g) { impl_->each(Hook::on_group_call, &Rule::on_group_call, g); }
void Linter::on_group_answer(const GroupCall& g, const GroupAnswer& a) {
  impl_->each(Hook::on_group_answer, &Rule::on_group_answer, g, a);
}
void Linter::on_offset_commit(const OffsetCommit& o) { impl_->each(Hook::on_offset_commit, &Rule::on_offset_commit, o); }
void Linter::on_fetch_asked(const FetchAsked& f) { impl_->each(Hook::on_fetch_asked, &Rule::on_fetch_asked, f); }
void Linter::on_fetch_answered(const FetchAnswered& f) {
  impl_->each(Hook::on_fetch_answered, &Rule::on_fetch_answered, f);
}
void Linter::on_partition_fetched(const PartitionFetched& p) {
  impl_->each(Hook::on_partition_fetched, &Rule::on_partition_fetched, p);
}
void Linter::on_txn_answer(const TxnCall& t, const TxnAnswer& a) {
  impl_->each(Hook::on_txn_answer, &Rule::on_txn_answer, t, a);
}
void Linter::on_batch(const BatchSeen& b) { impl_->each(Hook::on_batch, &Rule::on_batch, b); }
void Linter::on_leader(const LeaderTold& l) { impl_->each(Hook::on_leader, &Rule::on_leader, l); }
void Linter::on_coordinator(const CoordinatorTold& c) { impl_->each(Hook::on_coordinator, &Rule::on_coordinator, c); }
void Linter::on_versions(const VersionsTold& v) { impl_->each(Hook::on_versions, &Rule::on_versions, v); }

void Linter::on_segment(const ConversationInfo& c, const SegmentSeen& s) {
  Impl& i = *impl_;
  Held& h = i.enter(c);
  i.conversations_.segment(h, s);
  i.each(Hook::on_segment, &Rule::on_segment, h.conn, s);
}

}  // namespace kparse

namespace kparse::lint {

Room::Room(Rule& r, std::string_view what, std::size_t most) : rule_(r.info_.id), what_(what), most_(most) {
  r.desk_.rooms_.push_back(this);
}
Room::Room(Desk& d, std::string_view what, std::size_t most) : what_(what), most_(most) { d.rooms_.push_back(this); }

Witness witness_of(const Conn& c, const Stamp& at) {
  return {.conversation = c.number,
          .client = std::string(c.client()),
          .server = std::string(c.server()),
          .client_id = c.client_id,
          .at = at};
}

std::string api_text(const Api* api, std::int16_t key) {
  return api ? std::string(api->name) : "API " + std::to_string(key);
}

}  // namespace kparse::lint
