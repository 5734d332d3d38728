// SPDX-License-Identifier: MIT
#include "pipeline/filter.h"

#include <algorithm>
#include <limits>

namespace kparse::cli {
namespace {

bool lists(const std::vector<std::string>& list, std::string_view what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

/// 22 characters of base64url, as Kafka prints an id. A topic may have such a name as well: it is taken for both.
bool read_id(std::string_view text, std::array<std::uint8_t, 16>& id) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  if (text.size() != 22) return false;
  std::uint32_t bits = 0;
  int have = 0;
  std::size_t at = 0;
  for (char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == digits.npos) return false;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    have += 6;
    if (have >= 8 && at < id.size()) id[at++] = static_cast<std::uint8_t>(bits >> (have -= 8));
  }
  return at == id.size();
}

/// "10.0.0.1" fits "10.0.0.1:9092"; "[::1]" and "::1" fit "[::1]:9092".
bool host_fits(std::string_view wanted, std::string_view address) {
  if (wanted == address) return true;
  std::string_view host = address.substr(0, address.rfind(':'));
  if (wanted == host) return true;
  return host.size() > 2 && host.front() == '[' && wanted == host.substr(1, host.size() - 2);
}

Interest content_interest() {
  Interest i = Interest::nothing();
  i.add(Mark::topic);
  i.add(Mark::topic_id);
  i.add(Mark::group);
  return i;
}

bool has(const std::vector<std::array<std::uint8_t, 16>>& ids, const std::uint8_t* id) {
  return std::any_of(ids.begin(), ids.end(), [id](const auto& x) { return std::equal(x.begin(), x.end(), id); });
}

struct Mentions : Sink {
  const FilterOptions& options;
  const std::vector<std::array<std::uint8_t, 16>>& ids;
  const Cluster& cluster;
  bool topic = false, group = false;

  Mentions(const FilterOptions& o, const std::vector<std::array<std::uint8_t, 16>>& i, const Cluster& c)
      : options(o), ids(i), cluster(c) {}
  void string(NodeId n, std::string_view value, Bytes) noexcept {
    if (field(n).mark == Mark::topic) topic = topic || lists(options.topics, value);
    if (field(n).mark == Mark::group) group = group || lists(options.groups, value);
  }
  void uuid(NodeId n, Bytes id) noexcept {
    if (field(n).mark == Mark::topic_id && !topic) {
      std::string_view name = cluster.topic_name(id.data());
      topic = (!name.empty() && lists(options.topics, name)) || has(ids, id.data());
    }
  }
};

}  // namespace

Filter::Filter(const CommonOptions& options, const Cluster& cluster, Observer& next)
    : options_(options.filter),
      from_ns_(options.from_ns.value_or(std::numeric_limits<std::int64_t>::min())),
      to_ns_(options.to_ns.value_or(std::numeric_limits<std::int64_t>::max())),
      cluster_(cluster),
      next_(next),
      programs_(content_interest()),
      by_frame_(
          !(options_.apis.empty() && options_.topics.empty() && options_.groups.empty() && options_.clients.empty())),
      by_content_(!(options_.topics.empty() && options_.groups.empty())) {
  std::array<std::uint8_t, 16> id;
  for (const std::string& t : options_.topics)
    if (read_id(t, id)) topic_ids_.push_back(id);
}

bool Filter::time_passes(const Stamp& at) const noexcept { return from_ns_ <= at.time_ns && at.time_ns <= to_ns_; }

bool Filter::conversation_passes(const ConversationInfo& c) const {
  if (!options_.conversations.empty() &&
      std::find(options_.conversations.begin(), options_.conversations.end(), c.number) == options_.conversations.end())
    return false;
  return options_.hosts.empty() || std::any_of(options_.hosts.begin(), options_.hosts.end(), [&](const std::string& h) {
           return host_fits(h, c.client) || host_fits(h, c.server);
         });
}

bool Filter::api_passes(const Api* api, int key) const {
  return options_.apis.empty() || (api && lists(options_.apis, api->name)) || lists(options_.apis, std::to_string(key));
}

bool Filter::topic_passes(const TopicRef& t) const {
  if (options_.topics.empty()) return true;
  std::string_view name = t.name.empty() && t.id ? cluster_.topic_name(t.id) : t.name;
  return lists(options_.topics, name) || (t.id && has(topic_ids_, t.id));
}

bool Filter::names_wanted(const Message* m, int version, Bytes body) {
  if (!m) return false;
  Mentions found(options_, topic_ids_, cluster_);
  (void)walk(programs_.get(layout_for(*m, version, body)), body, found);
  return (options_.topics.empty() || found.topic) && (options_.groups.empty() || found.group);
}

void Filter::begin_request(const ConversationInfo& c, const Request& r) {
  const bool asked = conversation_passes(c) && api_passes(r.api, r.api_key) &&
                     (options_.clients.empty() || lists(options_.clients, r.client_id));
  passes_ = asked && (!by_content_ || (r.known && names_wanted(r.api->request, r.version, r.body)));
  // A request that doesn't name the topic may have an answer that does: a Fetch in a session, a Metadata for all
  // topics.
  if (by_frame_ && r.answer_expected && asked) awaited_[c.number].insert(r.serial * 2 + (passes_ ? 1 : 0));
  passes_ = passes_ && time_passes(r.frame.completed);
  if (!passes_) return;
  Request passing = r;
  passing.same_client = false;  // the request before may not have passed
  next_.begin_request(c, passing);
}

void Filter::end_request(const ConversationInfo& c, const Request& r, const Error& e) {
  if (passes_) next_.end_request(c, r, e);
  passes_ = false;
}

void Filter::begin_response(const ConversationInfo& c, const Response& r) {
  passes_ = conversation_passes(c);
  if (passes_ && by_frame_) {
    passes_ = false;
    if (auto it = awaited_.find(c.number); r.matched && it != awaited_.end()) {
      passes_ = it->second.erase(r.serial * 2 + 1) > 0;
      if (!passes_ && it->second.erase(r.serial * 2) > 0)
        passes_ = r.known && names_wanted(r.api->response, r.version, r.body);
    }
  }
  passes_ = passes_ && time_passes(r.frame.completed);
  if (passes_) next_.begin_response(c, r);
}

void Filter::end_response(const ConversationInfo& c, const Response& r, const Error& e) {
  if (passes_) next_.end_response(c, r, e);
  passes_ = false;
}

void Filter::on_error(const ErrorSeen& e) {
  if (passes_ && ((!e.topic.id && e.topic.name.empty()) || topic_passes(e.topic))) next_.on_error(e);
}
void Filter::on_acks(std::int16_t acks) {
  if (passes_) next_.on_acks(acks);
}
void Filter::on_transactional_id(std::string_view id) {
  if (passes_) next_.on_transactional_id(id);
}
void Filter::on_records(const RecordsSeen& r) {
  if (passes_ && topic_passes(r.topic)) next_.on_records(r);
}
void Filter::on_produce_answered(const ProduceAnswered& p) {
  if (passes_ && topic_passes(p.topic)) next_.on_produce_answered(p);
}
void Filter::on_partition(const PartitionSeen& p) {
  if (passes_ && topic_passes(p.topic)) next_.on_partition(p);
}
void Filter::on_topic_id(const TopicIdSeen& t) {
  if (passes_) next_.on_topic_id(t);
}
void Filter::on_group(const GroupSeen& g) {
  if (passes_ && (options_.groups.empty() || lists(options_.groups, g.group))) next_.on_group(g);
}
void Filter::on_broker(const BrokerSeen& b) {
  if (passes_) next_.on_broker(b);
}
void Filter::on_client_software(const ClientSoftwareSeen& s) {
  if (passes_) next_.on_client_software(s);
}
void Filter::on_principal(const PrincipalSeen& p) {
  if (passes_) next_.on_principal(p);
}
void Filter::on_long_poll(std::int32_t ms, bool data) {
  if (passes_) next_.on_long_poll(ms, data);
}
void Filter::on_throttle(std::int32_t ms) {
  if (passes_) next_.on_throttle(ms);
}

bool Filter::group_passes(std::string_view group) const {
  return options_.groups.empty() || lists(options_.groups, group);
}

void Filter::on_group_call(const GroupCall& c) {
  if (passes_ && group_passes(c.group)) next_.on_group_call(c);
}
void Filter::on_group_answer(const GroupCall& c, const GroupAnswer& a) {
  if (passes_ && group_passes(c.group)) next_.on_group_answer(c, a);
}
void Filter::on_offset_commit(const OffsetCommit& o) {
  if (passes_ && group_passes(o.group) && topic_passes(o.topic)) next_.on_offset_commit(o);
}
void Filter::on_offset_fetched(const OffsetFetched& o) {
  if (passes_ && group_passes(o.group) && topic_passes(o.topic)) next_.on_offset_fetched(o);
}
void Filter::on_offset_listed(const OffsetListed& o) {
  if (passes_ && topic_passes(o.topic)) next_.on_offset_listed(o);
}
void Filter::on_fetch_asked(const FetchAsked& f) {
  if (passes_) next_.on_fetch_asked(f);
}
void Filter::on_fetch_answered(const FetchAnswered& f) {
  if (passes_) next_.on_fetch_answered(f);
}
void Filter::on_partition_fetched(const PartitionFetched& p) {
  if (passes_ && topic_passes(p.topic)) next_.on_partition_fetched(p);
}
void Filter::on_share_acquired(const ShareAcquired& s) {
  if (passes_ && group_passes(s.group) && topic_passes(s.topic)) next_.on_share_acquired(s);
}
void Filter::on_share_acknowledged(const ShareAcknowledged& s) {
  if (passes_ && group_passes(s.group) && topic_passes(s.topic)) next_.on_share_acknowledged(s);
}
void Filter::on_txn_call(const TxnCall& c) {
  if (passes_) next_.on_txn_call(c);
}
void Filter::on_txn_answer(const TxnCall& c, const TxnAnswer& a) {
  if (passes_) next_.on_txn_answer(c, a);
}
void Filter::on_batch(const BatchSeen& b) {
  if (passes_ && topic_passes(b.topic)) next_.on_batch(b);
}
void Filter::on_leader(const LeaderTold& l) {
  if (passes_ && topic_passes(l.topic)) next_.on_leader(l);
}
void Filter::on_coordinator(const CoordinatorTold& c) {
  if (passes_) next_.on_coordinator(c);
}
void Filter::on_versions(const VersionsTold& v) {
  if (passes_) next_.on_versions(v);
}

void Filter::on_limit(const LimitReached& l) { next_.on_limit(l); }

// What follows an unanswered request belongs to it.
void Filter::on_unanswered(const ConversationInfo& c, std::uint64_t serial) {
  passes_ = conversation_passes(c);
  if (by_frame_) {
    auto it = awaited_.find(c.number);
    if (it == awaited_.end()) {
      passes_ = false;
      return;
    }
    const bool passed = it->second.erase(serial * 2 + 1) > 0;
    it->second.erase(serial * 2);
    passes_ = passes_ && passed;
  }
  if (passes_) next_.on_unanswered(c, serial);
}

// What isn't a request or response has no API, topic or client: it passes only where nothing is asked of frames.
void Filter::on_conversation(const ConversationInfo& c) {
  if (conversation_passes(c)) next_.on_conversation(c);
}
void Filter::on_sasl(const ConversationInfo& c, const SaslToken& s) {
  if (!by_frame_ && conversation_passes(c) && time_passes(s.frame.completed)) next_.on_sasl(c, s);
}
void Filter::on_gap(const ConversationInfo& c, const Gap& g) {
  if (!by_frame_ && conversation_passes(c) && time_passes(g.at)) next_.on_gap(c, g);
}
void Filter::on_resync(const ConversationInfo& c, Side s, std::uint64_t n) {
  if (!by_frame_ && conversation_passes(c)) next_.on_resync(c, s, n);
}
void Filter::on_other(const ConversationInfo& c, Side s, std::string_view what, Stamp at) {
  if (!by_frame_ && conversation_passes(c) && time_passes(at)) next_.on_other(c, s, what, at);
}
void Filter::on_not_a_frame(const ConversationInfo& c, const NotAFrame& n) {
  if (!by_frame_ && conversation_passes(c) && time_passes(n.at)) next_.on_not_a_frame(c, n);
}
void Filter::on_segment(const ConversationInfo& c, const SegmentSeen& s) {
  if (!by_frame_ && time_passes(s.at) && conversation_passes(c)) next_.on_segment(c, s);
}
void Filter::on_close(const ConversationInfo& c, Stamp at) {
  awaited_.erase(c.number);
  if (conversation_passes(c)) next_.on_close(c, at);
}

}  // namespace kparse::cli
