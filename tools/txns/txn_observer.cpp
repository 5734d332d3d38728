// SPDX-License-Identifier: MIT
#include "txns/txn_observer.h"

#include <algorithm>
#include <limits>

#include "kparse/saturate.h"

namespace kparse::txns {
namespace {

/// INVALID_PRODUCER_EPOCH, PRODUCER_FENCED: another one has taken over.
constexpr bool is_fencing(std::int16_t error) noexcept { return error == 47 || error == 90; }

/// Refusals of an EndTxn that say that the transaction isn't open any more: INVALID_TXN_STATE; INVALID_PRODUCER_ID_MAPPING,
/// since transactional ids expire only without one. (TransactionCoordinator.endTransaction)
constexpr bool is_over(std::int16_t error) noexcept { return error == 48 || error == 49; }

/// -1: none.
constexpr std::int64_t nanoseconds(std::int64_t ms) noexcept {
  return ms < 0 || ms > std::numeric_limits<std::int64_t>::max() / 1'000'000 ? -1 : ms * 1'000'000;
}

/// Errors of a partition after which its batch may be in the log all the same, or is: UNKNOWN_SERVER_ERROR,
/// REQUEST_TIMED_OUT, NETWORK_EXCEPTION, NOT_ENOUGH_REPLICAS_AFTER_APPEND, DUPLICATE_SEQUENCE_NUMBER.
constexpr bool may_be_written(std::int16_t error) noexcept {
  return error == 0 || error == -1 || error == 7 || error == 13 || error == 20 || error == 46;
}

}  // namespace

std::string_view name_of(Outcome o) noexcept {
  switch (o) {
    case Outcome::open:
      return "open";
    case Outcome::committed:
      return "committed";
    case Outcome::aborted:
      return "aborted";
    case Outcome::fenced:
      return "fenced";
    case Outcome::unknown:
      return "unknown";
  }
  return "";
}

bool TxnObserver::take(std::size_t& left, std::uint64_t& out) noexcept {
  if (left == 0) {
    ++out;
    return false;
  }
  --left;
  return true;
}

void TxnObserver::begin_request(const ConversationInfo& c, const Request& r) {
  scene_.request(c, r);
  serial_ = r.serial;
  if (story::earlier(last_, scene_->at)) last_ = scene_->at;
  transactional_id_.clear();
}

void TxnObserver::begin_response(const ConversationInfo& c, const Response& r) {
  scene_.response(c, r);
  serial_ = r.serial;
  if (story::earlier(last_, scene_->at)) last_ = scene_->at;
}

void TxnObserver::on_client_software(const ClientSoftwareSeen& s) { scene_.software(s); }

void TxnObserver::on_transactional_id(std::string_view id) { transactional_id_ = story::clipped(id); }

Producer* TxnObserver::known(std::int64_t id) {
  const auto it = by_id_.find(id);
  return it == by_id_.end() ? nullptr : &producers_[it->second];
}

Producer* TxnObserver::producer(std::string_view name, std::int64_t id) {
  if (last_producer_ && last_producer_->id == id && last_producer_->transactional_id == name) return last_producer_;
  std::string kept = story::clipped(name);
  auto it = by_key_.find({kept, id});
  if (it == by_key_.end()) {
    // Consumers may have met it before its own requests were seen.
    Producer* nameless = kept.empty() ? nullptr : known(id);
    if (nameless && nameless->transactional_id.empty() && !nameless->requests_seen) {
      by_key_.erase({std::string(), id});
      nameless->transactional_id = kept;
      nameless->transactional = true;
      it = by_key_.emplace(std::pair{kept, id}, by_id_[id]).first;
    } else {
      if (!take(budget_.producers, out_.producers)) return nullptr;
      Producer& p = producers_.emplace_back();
      p.transactional_id = kept;
      p.transactional = !kept.empty();
      p.id = id;
      it = by_key_.emplace(std::pair{kept, id}, producers_.size() - 1).first;
    }
  }
  by_id_[id] = it->second;
  if (!kept.empty()) by_name_[kept] = it->second;
  last_producer_ = &producers_[it->second];
  return last_producer_;
}

std::uint64_t TxnObserver::gaps_of(const Producer& p) const {
  std::uint64_t n = 0;
  for (const std::uint64_t c : p.conversations)
    if (const auto it = gaps_.find(c); it != gaps_.end()) n += it->second.size();
  return n;
}

void TxnObserver::idle(Producer& p) {
  p.idle = true;
  p.idle_since = scene_->at.time_ns;
}

// The last that was seen before it in its direction is the earliest that it can have been there. What is told is in the
// order of each direction's stream, not of time: so whether a begin can be believed is settled at the end.
void TxnObserver::lost(const ConversationInfo& c, Side side, std::int64_t shown_ns) {
  if (gaps_.size() >= max_gaps && !gaps_.contains(c.number)) return;
  std::vector<Lost>& mine = gaps_[c.number];
  if (gap_count_ >= max_gaps && !mine.empty()) {
    mine.back().to = std::max(mine.back().to, shown_ns);
    return;
  }
  Met met;
  if (const auto it = met_at_.find(c.number); it != met_at_.end()) met = it->second;
  mine.push_back({std::min(side == Side::client ? met.asked : met.answered, shown_ns), shown_ns});
  ++gap_count_;
}

void TxnObserver::on_gap(const ConversationInfo& c, const Gap& g) { lost(c, g.from, g.at.time_ns); }

void TxnObserver::on_resync(const ConversationInfo& c, Side side, std::uint64_t) { lost(c, side, last_.time_ns); }

void TxnObserver::answered() {
  if (!scene_->conversation) return;
  if (const auto it = met_at_.find(scene_->conversation->number); it != met_at_.end())
    it->second.answered = std::max(it->second.answered, scene_->at.time_ns);
}

// Settled at the end, since what was lost on one connection may be told late. A transaction began with what was seen of
// it only if nothing can have been lost since the one before it ended.
void TxnObserver::doubt(Producer& p) const {
  std::vector<Lost> lost;
  for (const std::uint64_t c : p.conversations)
    if (const auto it = gaps_.find(c); it != gaps_.end()) lost.insert(lost.end(), it->second.begin(), it->second.end());
  std::sort(lost.begin(), lost.end(), [](const Lost& a, const Lost& b) { return a.from < b.from; });
  for (std::size_t i = 1; i < lost.size(); ++i) lost[i].to = std::max(lost[i].to, lost[i - 1].to);
  for (Txn& t : p.transactions) {
    if (t.by_marker) {  // no answer to its EndTxn was seen; and nobody commits without one
      const auto after = std::lower_bound(lost.begin(), lost.end(), t.told,
                                          [](const Lost& l, std::int64_t told) { return l.from < told; });
      const bool lacks = after != lost.begin() && std::prev(after)->to > t.begin.time_ns;
      if (lacks || (t.outcome == Outcome::committed && !t.end_asked)) t.whole = false;
    }
    if (!t.begin_known) continue;
    // The last of those that may have been lost before it began also reaches furthest.
    const auto after = std::lower_bound(lost.begin(), lost.end(), t.begin.time_ns,
                                        [](const Lost& l, std::int64_t begin) { return l.from < begin; });
    t.begin_known = !t.by_broker && (after == lost.begin() || std::prev(after)->to < t.idle_since);
  }
}

void TxnObserver::met(Producer& p) {
  p.requests_seen = true;
  if (scene_->conversation && (met_at_.size() < max_gaps || met_at_.contains(scene_->conversation->number))) {
    Met& met = met_at_[scene_->conversation->number];
    met.asked = std::max(met.asked, scene_->at.time_ns);
  }
  if (!scene_->conversation || p.conversations.size() >= max_people || !p.conversations.insert(scene_->conversation->number).second)
    return;
  story::Person who = scene_->person();
  std::pair key{who.address, who.client_id};
  p.people.insert_or_assign(std::move(key), std::move(who));
}

Txn* TxnObserver::current(Producer& p) noexcept {
  return !p.transactions.empty() && p.transactions.back().outcome == Outcome::open ? &p.transactions.back() : nullptr;
}

// Connections that were under way when the capture began are told a little late: what belongs to a transaction may come
// after its end, or after the next one has begun.
Txn* TxnObserver::open(Producer& p, std::int16_t epoch, const Stamp& first, const Stamp& at, bool by_broker) {
  Txn* found = nullptr;
  for (std::size_t i = p.transactions.size(); i > 0 && i + 16 > p.transactions.size(); --i) {
    Txn& t = p.transactions[i - 1];
    if (t.epoch != epoch) continue;
    const bool goes_on = t.outcome == Outcome::open || t.outcome == Outcome::fenced;  // a fenced one goes on trying
    if (!goes_on && story::earlier(t.end, at)) break;
    found = &t;
    if (!story::earlier(at, t.begin)) break;
  }
  if (found) {
    if (story::earlier(at, found->begin)) {
      found->begin = at;
      found->begin_first = first;
      found->by_broker = by_broker;
    }
    return found;
  }
  if (Txn* before = current(p)) {
    if (story::earlier(at, before->begin)) return nullptr;  // of one before it: too late to say
    close(p, *before, Outcome::unknown);                    // another epoch: what ended it wasn't seen
  }
  if (!take(budget_.transactions, out_.transactions)) return nullptr;
  Txn& t = p.transactions.emplace_back();
  t.begin_known = p.idle;
  t.idle_since = p.idle_since;
  t.by_broker = by_broker;
  p.idle = false;
  t.gaps = gaps_of(p);
  t.begin_first = first;
  t.begin = at;
  t.epoch = epoch;
  return &t;
}

TxnPartition* TxnObserver::part(Txn& t, const PartitionKey& key) {
  const auto it = t.partitions.find(key);
  if (it != t.partitions.end()) return &it->second;
  return take(budget_.rows, out_.rows) ? &t.partitions[key] : nullptr;
}

void TxnObserver::fault(Producer& p, Txn* t, std::string_view call, std::int16_t error) {
  std::vector<Fault>& faults = t ? t->faults : p.faults;
  for (Fault& f : faults) {
    if (f.call != call || f.error != error) continue;
    ++f.count;
    return;
  }
  if (faults.size() < 256 && take(budget_.faults, out_.faults))
    faults.push_back({.call = call, .error = error, .count = 1, .first = scene_->first, .at = scene_->at});
}

std::uint64_t& TxnObserver::counter(Producer& p, Outcome outcome) noexcept {
  return outcome == Outcome::committed ? p.committed : outcome == Outcome::aborted ? p.aborted : p.others;
}

void TxnObserver::close(Producer& p, Txn& t, Outcome outcome) {
  if (t.outcome != Outcome::open) --counter(p, t.outcome);
  t.by_marker = false;
  t.outcome = outcome;
  t.whole = t.gaps == gaps_of(p);
  t.end_known = outcome != Outcome::unknown;
  t.end_first = scene_->first;
  t.end = scene_->at;
  ++counter(p, outcome);
}

void TxnObserver::on_txn_call(const TxnCall& c) {
  if (c.verify_only || c.kind == TxnCall::Kind::write_markers) return;
  if (c.producer_id < 0) return;
  Producer* p = producer(c.transactional_id, c.producer_id);
  if (!p) return;
  const bool by_broker = c.kind == TxnCall::Kind::add_partitions && c.version >= 4 &&
                         scene_->client_id().starts_with("AddPartitionsManager-");
  if (!by_broker) met(*p);
  if (c.producer_epoch >= 0) p->epochs.insert(c.producer_epoch);
  if (c.kind != TxnCall::Kind::end) return;
  if (Txn* t = current(*p); t && (c.producer_epoch < 0 || t->epoch == c.producer_epoch)) t->end_asked = true;
  if (ends_.size() < max_sent)
    ends_[{scene_->conversation->number, c.serial}] = static_cast<std::size_t>(by_id_[c.producer_id]);
}

void TxnObserver::init(const TxnCall& c, const TxnAnswer& a) {
  if (a.error != 0) {
    if (const auto it = by_name_.find(c.transactional_id); it != by_name_.end())
      fault(producers_[it->second], nullptr, name_of(c.kind), a.error);
    return;
  }
  // Whoever had this transactional id before is fenced now, and the broker ends its transaction.
  if (!c.transactional_id.empty()) {
    const auto it = by_name_.find(c.transactional_id);
    if (it != by_name_.end())
      if (Txn* t = current(producers_[it->second])) close(producers_[it->second], *t, Outcome::fenced);
  }
  Producer* p = producer(c.transactional_id, a.producer_id);
  if (!p) return;
  met(*p);
  p->epochs.insert(a.producer_epoch);
  if (p->transactional) p->timeout_ms = c.timeout_ms;
  idle(*p);
}

void TxnObserver::end(Producer& p, const TxnCall& c, const TxnAnswer& a) {
  ends_.erase({scene_->conversation->number, c.serial});
  Txn* t = nullptr;
  for (std::size_t i = p.transactions.size(); i > 0 && i + 16 > p.transactions.size() && !t; --i) {
    Txn& x = p.transactions[i - 1];
    if (c.producer_epoch >= 0 && x.epoch != c.producer_epoch) continue;
    if (x.outcome == Outcome::open) t = &x;
    if (x.outcome == Outcome::unknown && !story::earlier(scene_->at, x.begin)) {  // its end comes late
      t = &x;
    }
    if (x.by_marker && a.error == 0 && c.at.time_ns <= x.told && !story::earlier(scene_->at, x.begin) &&
        x.outcome == (c.committed ? Outcome::committed : Outcome::aborted)) {  // a consumer's connection was told first
      t = &x;
    }
    break;
  }
  if (a.error != 0) {
    fault(p, t, name_of(c.kind), a.error);
    if (!t) return;
    if (is_fencing(a.error)) {
      close(p, *t, Outcome::fenced);
    } else if (is_over(a.error)) {  // by whom, how and when isn't known
      close(p, *t, Outcome::unknown);
    }
    return;
  }
  if (a.producer_epoch >= 0) p.epochs.insert(a.producer_epoch);
  if (!t) {
    if (!take(budget_.transactions, out_.transactions)) {
      ++(c.committed ? p.committed : p.aborted);
      return;
    }
    t = &p.transactions.emplace_back();
    t->epoch = c.producer_epoch;
    t->gaps = gaps_of(p);
  }
  close(p, *t, c.committed ? Outcome::committed : Outcome::aborted);
  idle(p);
  // KIP-890: the next transaction may have another producer id.
  if (a.producer_id >= 0 && a.producer_id != p.id)
    if (Producer* next = producer(p.transactional_id, a.producer_id)) {
      met(*next);
      next->timeout_ms = p.timeout_ms;
      idle(*next);
      if (a.producer_epoch >= 0) next->epochs.insert(a.producer_epoch);
    }
}

void TxnObserver::on_txn_answer(const TxnCall& c, const TxnAnswer& a) {
  answered();
  if (c.verify_only) return;
  if (c.kind == TxnCall::Kind::init) return init(c, a);
  if (c.kind == TxnCall::Kind::write_markers) {
    for (const PartitionResult& r : a.partitions)
      if (r.error == 0)
        marker(c.producer_id, c.producer_epoch, c.committed ? 1 : 0, {scene_->topics.of(r.topic), r.partition}, -1,
               scene_->at.time_ns);
    return;
  }
  if (c.producer_id < 0) return;
  Producer* p = producer(c.transactional_id, c.producer_id);
  if (!p) return;
  if (c.kind == TxnCall::Kind::end) return end(*p, c, a);
  // Brokers add on behalf of producers (KIP-890), and say so by their client id.
  const bool by_broker = c.version >= 4 && scene_->client_id().starts_with("AddPartitionsManager-");
  if (c.kind != TxnCall::Kind::commit_offsets && !by_broker) p->own_adds = true;
  if (a.error != 0) fault(*p, current(*p), name_of(c.kind), a.error);
  const bool any = a.error == 0 || std::any_of(a.partitions.begin(), a.partitions.end(),
                                               [](const PartitionResult& r) { return r.error == 0; });
  if (!any) {
    if (Txn* t = current(*p); t && is_fencing(a.error)) close(*p, *t, Outcome::fenced);
    return;
  }
  Txn* t = open(*p, c.producer_epoch, c.first, c.at, by_broker);
  if (!t) return;
  if (!c.group.empty() && t->groups.size() < 64) t->groups.insert(story::clipped(c.group));
  if (c.kind != TxnCall::Kind::add_partitions) return;
  for (const PartitionResult& r : a.partitions) {
    const PartitionKey key{scene_->topics.of(r.topic), r.partition};
    if (p->partitions.size() < max_partitions) p->partitions.insert(key);
    if (TxnPartition* row = part(*t, key)) {
      row->added = row->added || r.error == 0;
      row->error = r.error;
    }
  }
}

void TxnObserver::on_offset_commit(const OffsetCommit& o) {
  if (!o.transactional || o.producer_id < 0) return;
  Producer* p = producer(o.transactional_id, o.producer_id);
  if (!p) return;
  if (!o.answered) {
    met(*p);
    // It may have begun a transaction.
    p->idle = false;
    for (std::size_t i = p->transactions.size(); i > 0 && i + 16 > p->transactions.size(); --i) {
      Txn& later = p->transactions[i - 1];
      if (o.at.time_ns < later.idle_since) break;
      if (story::earlier(o.at, later.begin)) later.begin_known = false;
    }
  }
  Txn* t = o.answered && o.error == 0 ? open(*p, o.producer_epoch, o.first, o.at) : current(*p);
  if (!t || t->epoch != o.producer_epoch) return;
  if (t->groups.size() < 64) t->groups.insert(story::clipped(o.group));
  if (!take(budget_.rows, out_.rows)) return;
  t->offsets.push_back({.group = story::clipped(o.group),
                        .partition = {scene_->topics.of(o.topic), o.partition},
                        .offset = o.offset,
                        .answered = o.answered,
                        .error = o.error});
}

void TxnObserver::batch(const BatchSeen& b) {
  const Batch& batch = b.batch;
  const PartitionKey key{scene_->topics.of_frame(b.topic), b.partition};
  if (b.via != Via::produce) {
    if (b.via == Via::fetch && batch.control && (b.control_type == 0 || b.control_type == 1))
      marker(batch.producer_id, batch.producer_epoch, b.control_type, key, batch.base_offset,
             nanoseconds(batch.max_timestamp));
    return;
  }
  Producer* p = producer(transactional_id_, batch.producer_id);
  if (!p) return;
  met(*p);
  p->epochs.insert(batch.producer_epoch);
  const auto records = static_cast<std::uint64_t>(std::max(batch.count, 0));
  ++p->batches;
  p->records += records;
  if (p->partitions.size() < max_partitions && last_partition_ != std::pair{p, key}) {
    p->partitions.insert(key);
    last_partition_ = {p, key};
  }
  if (b.sequence == Sequence::repeated) ++p->repeated;
  if (b.sequence == Sequence::gap) ++p->gaps;
  if (b.sequence == Sequence::old_epoch) ++p->old_epochs;
  Sent sent{.producer = by_id_[batch.producer_id], .transaction = -1, .partition = key, .records = 0, .count = records,
            .sequence = batch.base_sequence};
  if (batch.transactional) {
    p->transactional = true;
    if (Txn* t = open(*p, batch.producer_epoch, scene_->first, scene_->at)) {
      sent.transaction = t - p->transactions.data();
      if (TxnPartition* row = part(*t, key)) {
        if (!p->own_adds) p->implied_adds = true;
        ++row->batches;
        row->bytes += static_cast<std::uint64_t>(std::max(batch.batch_length, 0)) + 12;
        auto& refused = row->refused;
        const auto again = std::find(refused.begin(), refused.end(), batch.base_sequence);
        if (b.sequence != Sequence::repeated || again != refused.end()) {
          if (again != refused.end()) refused.erase(again);
          row->records += records;
          sent.records = records;
        }
      }
    }
  }
  if (sent_.size() >= max_sent) {
    ++out_.sent;
    return;
  }
  sent_[{scene_->conversation->number, serial_}].push_back(sent);
}

void TxnObserver::produce_answered(const ProduceAnswered& a) {
  const auto it = sent_.find({scene_->conversation->number, a.request_serial});
  if (it == sent_.end()) return;
  const PartitionKey key{scene_->topics.of_frame(a.topic), a.partition};
  const auto s = std::find_if(it->second.begin(), it->second.end(), [&](const Sent& x) { return x.partition == key; });
  if (s == it->second.end()) return;
  Producer& p = producers_[s->producer];
  Txn* t = s->transaction >= 0 ? &p.transactions[static_cast<std::size_t>(s->transaction)] : nullptr;
  if (a.error != 0) fault(p, t, "produce", a.error);
  if (t) {
    if (TxnPartition* row = part(*t, key)) {
      row->error = a.error;
      if (!may_be_written(a.error) && s->records > 0) {
        row->records -= std::min(row->records, s->records);
        if (row->refused.size() < max_refused) row->refused.push_back(s->sequence);
      }
      if (a.error == 0 && a.base_offset >= 0) {
        const std::int64_t last = saturated_sum(a.base_offset, static_cast<std::int64_t>(s->count) - 1);
        if (row->first_offset < 0 || a.base_offset < row->first_offset) row->first_offset = a.base_offset;
        row->last_offset = std::max(row->last_offset, last);
      }
    }
    if (t->outcome == Outcome::open && is_fencing(a.error)) close(p, *t, Outcome::fenced);
  }
  it->second.erase(s);
  if (it->second.empty()) sent_.erase(it);
  answered();
}

void TxnObserver::on_unanswered(const ConversationInfo& c, std::uint64_t serial) {
  scene_.unanswered(c);
  sent_.erase({c.number, serial});
  const auto it = ends_.find({c.number, serial});
  if (it == ends_.end()) return;
  if (Txn* t = current(producers_[it->second])) close(producers_[it->second], *t, Outcome::unknown);
  ends_.erase(it);
}

void TxnObserver::on_limit(const LimitReached& l) {
  story::Limit& mine = event_limits_[std::string(l.table)];
  mine = {std::string(l.table), l.limit, mine.left_out + l.left_out};
}

void TxnObserver::on_close(const ConversationInfo& c, Stamp) {
  scene_.close(c);
  met_at_.erase(c.number);
  sent_.erase(sent_.lower_bound({c.number, 0}), sent_.upper_bound({c.number, ~std::uint64_t{0}}));
}

}  // namespace kparse::txns
