// SPDX-License-Identifier: MIT
#include "trace/trace_observer.h"

#include <algorithm>
#include <tuple>

#include "kparse/record_walk.h"
#include "kparse/saturate.h"
#include "trace/context.h"

namespace kparse::trace {

TraceObserver::TraceObserver(const Options& options) : options_(options) {}

void TraceObserver::begin_request(const ConversationInfo& c, const Request& r) {
  conversation_ = &c;
  request_ = true;
  serial_ = r.serial;
  people_.request(c, r);
  first_ = r.frame.first;
  at_ = story::time_of(r.frame);
  whole_ = r.frame.whole();
  seen_reader();
}

void TraceObserver::end_request(const ConversationInfo& c, const Request& r, const Error&) {
  if (!r.answer_expected) settle({c.number, r.serial});
  request_ = false;
}

void TraceObserver::begin_response(const ConversationInfo& c, const Response& r) {
  conversation_ = &c;
  request_ = false;
  serial_ = r.serial;
  first_ = r.frame.first;
  at_ = story::time_of(r.frame);
  whole_ = r.frame.whole();
  replica_ = replicas_.contains(c.number);
  seen_reader();
  read_from_ = seen_.read.size();
  share_group_.clear();
  share_ = false;
}

void TraceObserver::on_client_software(const ClientSoftwareSeen& s) {
  if (conversation_) people_.software(*conversation_, s);
}

// A replica fetcher's connection does nothing else.
void TraceObserver::on_fetch_asked(const FetchAsked& f) {
  if (f.replica_id < 0) {
    replicas_.erase(conversation_->number);
  } else if (replicas_.size() < 100'000) {
    replicas_.insert(conversation_->number);
  }
}

std::uint32_t TraceObserver::actor() {
  story::Person who = people_.of(*conversation_);
  who.address = story::host_of(who.address);
  std::pair key{who.address, who.client_id};
  const auto it = actors_.find(key);
  if (it != actors_.end()) {
    if (!who.software.empty()) seen_.actors[it->second].who = std::move(who);
    return it->second;
  }
  if (seen_.actors.size() >= options_.max_actors) {  // all the others are one
    ++actors_out_;
    if (seen_.actors.size() == options_.max_actors) seen_.actors.emplace_back().who.client_id = "(others)";
    seen_.actors.back().who.client_id_null = false;
    return static_cast<std::uint32_t>(options_.max_actors);
  }
  const auto number = static_cast<std::uint32_t>(seen_.actors.size());
  seen_.actors.push_back({.who = std::move(who), .group = {}, .several_groups = false});
  actors_.emplace(std::move(key), number);
  return number;
}

bool TraceObserver::mark(const Record& r, const std::string& trace_id, std::string& out) const {
  switch (options_.by) {
    case Options::By::offset:
      return false;
    case Options::By::key:
      if (!r.key.data()) return false;
      out = story::clipped(text(r.key), 256);
      break;
    case Options::By::trace_id:
      if (trace_id.empty()) return false;
      out = trace_id;
      break;
  }
  return options_.only.empty() || out == options_.only;
}

void TraceObserver::add_mark(const PartitionKey& key, std::int64_t offset, std::size_t written, std::string&& text) {
  if (marked_.size() >= options_.max_marked) {
    ++marked_out_;
    return;
  }
  const auto [it, fresh] = mark_numbers_.try_emplace(std::move(text), static_cast<std::uint32_t>(seen_.marks.size()));
  if (fresh) seen_.marks.push_back(it->first);
  marked_.push_back({.partition = key, .offset = offset, .written = written, .mark = it->second});
}

/// Takes the records of one field.
struct RecordTaker : RecordSink {
  TraceObserver& self;
  const PartitionKey key;
  const bool produced;
  TopicShare& share;
  std::int64_t index = 0;
  Written written;
  Read run;

  RecordTaker(TraceObserver& s, const PartitionKey& k, bool p, TopicShare& t)
      : self(s), key(k), produced(p), share(t) {}

  bool begin_batch(const Batch& b) noexcept { return !b.control; }
  void record(const Batch&, const Record& r) noexcept {
    const Context context = context_of(r);
    std::string mark;
    const bool marked = self.mark(r, context.id, mark);
    TopicShare::Side& side = produced ? share.written : share.read;
    ++side.records;
    side.with_context += context.any;
    side.valid += context.valid;
    if (produced) {
      if (index == 0) written.timestamp = r.timestamp;
      if (marked) self.add_mark(key, index, self.seen_.written.size(), std::move(mark));
    } else {
      if (marked) self.add_mark(key, r.offset, ~std::size_t{0}, std::move(mark));
      if (run.from >= 0 && r.offset == saturated_sum(run.to, 1)) {
        run.to = r.offset;
      } else {
        flush();
        run.from = run.to = r.offset;
      }
    }
    ++index;
  }
  void flush() noexcept {
    if (run.from < 0) return;
    if (self.seen_.read.size() < self.options_.max_read) {
      run.partition = key;
      run.first = self.first_;
      run.at = self.at_;
      run.whole = self.whole_;
      self.seen_.read.push_back(run);
    } else {
      ++self.read_out_;
    }
    run = {};
  }
};

void TraceObserver::on_records(const RecordsSeen& r) {
  if (r.records.empty() || r.via == Via::snapshot || !conversation_ || (!request_ && replica_)) return;
  const PartitionKey key{seen_.names.of(r.topic), r.partition};
  TopicShare& share = seen_.topics[key.topic];
  RecordTaker taker(*this, key, r.via == Via::produce, share);
  if (r.via == Via::produce) {
    read_records(r.records, options_.records, scratch_, taker);
    if (seen_.written.size() >= options_.max_written) {
      ++written_out_;
      return;
    }
    taker.written.partition = key;
    taker.written.count = static_cast<std::uint32_t>(taker.index);
    taker.written.actor = actor();
    taker.written.first = first_;
    taker.written.at = at_;
    taker.written.whole = whole_;
    waiting_[{conversation_->number, serial_}].push_back(seen_.written.size());
    seen_.written.push_back(taker.written);
    return;
  }
  share_ = r.via == Via::share_fetch;
  taker.run = {};
  read_records(r.records, options_.records, scratch_, taker);
  taker.flush();
}

void TraceObserver::on_produce_answered(const ProduceAnswered& p) {
  const auto it = waiting_.find({conversation_->number, p.request_serial});
  if (it == waiting_.end()) return;
  const PartitionKey key{seen_.names.of(p.topic), p.partition};
  for (const std::size_t n : it->second) {
    Written& w = seen_.written[n];
    if (w.partition != key) continue;
    if (p.error != 0) {
      seen_.failed += w.count;
      w.count = 0;
    } else {
      w.base = p.base_offset;
      w.answered_ns = at_.time_ns;
    }
  }
}

void TraceObserver::settle(const RequestKey& key) { waiting_.erase(key); }

void TraceObserver::on_group_call(const GroupCall& c) {
  if (c.group.empty()) return;
  const story::Person who = people_.of(*conversation_);
  // Of KIP-848, an epoch below 0 leaves.
  const bool leaves = c.kind == GroupCall::Kind::leave || (c.group_kind != GroupKind::classic && c.generation < 0);
  active(std::string(story::host_of(who.address)), who.client_id, c.group, leaves ? at_ : Stamp{});
}

void TraceObserver::active(const std::string& host, const std::string& client_id, std::string_view group,
                           const Stamp& left) {
  const bool leaves = left.packet != 0;
  auto it = groups_.find({host, client_id});
  if (it == groups_.end()) {
    if (leaves || groups_.size() >= options_.max_actors) return;
    it = groups_.emplace(std::pair{host, client_id}, std::map<std::string, Active>{}).first;
  }
  const std::string name = story::clipped(group);
  auto mine = it->second.find(name);
  if (mine == it->second.end()) {
    if (leaves || it->second.size() >= 8) return;
    mine = it->second.emplace(name, Active{.first = at_, .left = {}}).first;
  }
  if (story::earlier(at_, mine->second.first)) mine->second.first = at_;
  mine->second.left = left;
}

void TraceObserver::seen_reader() {
  const auto it = readers_.find(conversation_->number);
  if (it != readers_.end() && story::earlier(it->second.last, at_)) it->second.last = at_;
}

// A batch comes whole; records before the offset that was asked for are passed over by the client.
void TraceObserver::on_partition_fetched(const PartitionFetched& p) {
  if (p.asked_offset < 0 || replica_) return;
  const PartitionKey key{seen_.names.of(p.topic), p.partition};
  for (std::size_t i = read_from_; i < seen_.read.size(); ++i) {
    Read& r = seen_.read[i];
    if (r.partition != key || r.from >= p.asked_offset) continue;
    r.from = std::min(p.asked_offset, saturated_sum(r.to, 1));
  }
}

void TraceObserver::on_share_acquired(const ShareAcquired& s) {
  if (share_group_.empty()) share_group_ = story::clipped(s.group);
}

void TraceObserver::end_response(const ConversationInfo& c, const Response& r, const Error&) {
  if (r.matched) settle({c.number, r.serial});
  if (seen_.read.size() == read_from_) return;
  const std::uint32_t who = actor();
  if (share_ && !share_group_.empty()) {
    const story::Person& person = seen_.actors[who].who;
    active(person.address, person.client_id, share_group_, {});
  }
  if (readers_.size() < 100'000) readers_.try_emplace(c.number, Span{at_, at_});
  for (std::size_t i = read_from_; i < seen_.read.size(); ++i) {
    seen_.read[i].actor = who;
    seen_.read[i].conversation = c.number;
  }
  std::erase_if(seen_.read, [](const Read& x) { return x.from > x.to; });
}

void TraceObserver::on_unanswered(const ConversationInfo& c, std::uint64_t serial) { settle({c.number, serial}); }

void TraceObserver::on_limit(const LimitReached& l) {
  story::Limit& mine = event_limits_[std::string(l.table)];
  mine = {std::string(l.table), l.limit, mine.left_out + l.left_out};
}

void TraceObserver::on_close(const ConversationInfo& c, Stamp) {
  people_.close(c);
  replicas_.erase(c.number);
  conversation_ = nullptr;
  waiting_.erase(waiting_.lower_bound({c.number, 0}), waiting_.upper_bound({c.number, ~std::uint64_t{0}}));
}

namespace {

/// Offsets that a reader had already.
class Had {
 public:
  /// Calls f(from, to) for each stretch of it that is new, and takes it in.
  template <class F>
  void add(std::int64_t from, std::int64_t to, F f) {
    std::int64_t at = from;
    auto it = ranges_.upper_bound(from);
    if (it != ranges_.begin() && std::prev(it)->second >= from) --it;
    std::int64_t low = from, high = to;
    while (it != ranges_.end() && it->first <= to) {
      if (it->first > at) f(at, it->first - 1);
      at = std::max(at, saturated_sum(it->second, 1));
      low = std::min(low, it->first);
      high = std::max(high, it->second);
      it = ranges_.erase(it);
    }
    if (at <= to) f(at, to);
    ranges_[low] = high;
  }

 private:
  std::map<std::int64_t, std::int64_t> ranges_;
};

void add_delays(TraceSeen& seen) {
  std::map<std::pair<TopicNumber, std::uint32_t>, Delay> delays;
  std::map<std::uint32_t, Had> had;  ///< by reader, of one partition
  std::vector<const Read*> by_time;
  auto w = seen.written.begin();
  for (auto r = seen.read.begin(); r != seen.read.end();) {
    const PartitionKey key = r->partition;
    by_time.clear();
    for (; r != seen.read.end() && r->partition == key; ++r) by_time.push_back(&*r);
    while (w != seen.written.end() && w->partition != key && seen.names.before(w->partition, key)) ++w;
    auto w_end = w;
    while (w_end != seen.written.end() && w_end->partition == key) ++w_end;
    std::stable_sort(by_time.begin(), by_time.end(),
                     [](const Read* a, const Read* b) { return story::earlier(a->at, b->at); });
    had.clear();
    for (const Read* x : by_time) {
      Delay& d = delays[{key.topic, x->actor}];
      d.topic = key.topic;
      d.actor = x->actor;
      had[x->actor].add(x->from, x->to, [&](std::int64_t from, std::int64_t to) {
        d.records += offsets_in(from, to);
        auto at = std::upper_bound(w, w_end, from, [](std::int64_t o, const Written& y) { return o < y.base; });
        if (at != w) --at;
        for (; at != w_end && at->base <= to; ++at) {
          const std::int64_t first = std::max(from, at->base),
                             last = std::min(to, saturated_sum(at->base, at->count - 1));
          if (x->whole && at->whole && last >= first) d.ns.add(x->at.time_ns - at->at.time_ns, offsets_in(first, last));
          d.matched += offsets_in(first, last);
        }
      });
    }
    w = w_end;
  }
  for (auto& [key, d] : delays) seen.delays.push_back(std::move(d));
}

}  // namespace

// By connection: until its end the program may still show that it is a member (a capture that begins in its midst has
// the heartbeat later than the first records), after that it is another program.
void TraceObserver::give_groups() {
  std::vector<const std::map<std::string, Active>*> of_actor(seen_.actors.size(), nullptr);
  for (const auto& [key, number] : actors_)
    if (const auto it = groups_.find(key); it != groups_.end()) of_actor[number] = &it->second;
  struct Given {
    std::string group;
    bool several = false;
    auto operator<=>(const Given&) const = default;
  };
  std::map<std::pair<std::uint32_t, Given>, std::uint32_t> numbers;  ///< of actors with what they are given
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> known;
  std::vector<bool> taken(seen_.actors.size(), false);
  const auto resolve = [&](const Read& r) {
    Given given;
    Span span{r.at, r.at};
    if (const auto it = readers_.find(r.conversation); it != readers_.end()) span = it->second;
    if (const auto* groups = of_actor[r.actor])
      for (const auto& [name, active] : *groups) {
        if (story::earlier(span.last, active.first)) continue;
        if (active.left.packet != 0 && story::earlier(active.left, span.first)) continue;
        given.several = !given.group.empty();
        given.group = name;
        if (given.several) break;
      }
    if (given.several) given.group.clear();
    const auto [it, fresh] = numbers.try_emplace({r.actor, given}, r.actor);
    if (!fresh) return it->second;
    if (taken[r.actor]) {
      it->second = static_cast<std::uint32_t>(seen_.actors.size());
      const story::Person who = seen_.actors[r.actor].who;
      seen_.actors.push_back({.who = who, .group = {}, .several_groups = false});
    } else {
      taken[r.actor] = true;
    }
    seen_.actors[it->second].group = given.group;
    seen_.actors[it->second].several_groups = given.several;
    return it->second;
  };
  for (Read& r : seen_.read) {
    const auto [it, fresh] = known.try_emplace({r.actor, r.conversation}, 0);
    if (fresh) it->second = resolve(r);
    r.actor = it->second;
  }
}

TraceSeen TraceObserver::finish(const Cluster& cluster) {
  TraceSeen& s = seen_;
  s.names.resolve(cluster);
  const auto wanted = [&](TopicNumber n) {
    const story::TopicLabel& label = s.names.label(n);
    return options_.topics.empty() ||
           std::any_of(options_.topics.begin(), options_.topics.end(),
                       [&](const std::string& t) { return t == label.name || t == label.id; });
  };
  for (const Marked& m : marked_) {
    std::int64_t offset = m.offset;
    if (m.written != ~std::size_t{0}) {
      if (m.written >= s.written.size() || s.written[m.written].base < 0 || s.written[m.written].count == 0) continue;
      offset += s.written[m.written].base;
    }
    s.marked.emplace(std::pair{s.names.same(m.partition), offset}, m.mark);
  }
  for (const Written& w : s.written)
    if (w.base < 0) s.without_offset += w.count;
  std::erase_if(s.written, [&](const Written& w) { return w.base < 0 || w.count == 0 || !wanted(w.partition.topic); });
  std::erase_if(s.read, [&](const Read& r) { return !wanted(r.partition.topic); });
  for (Written& w : s.written) w.partition = s.names.same(w.partition);
  for (Read& r : s.read) r.partition = s.names.same(r.partition);
  std::stable_sort(s.written.begin(), s.written.end(), [&](const Written& a, const Written& b) {
    return a.partition == b.partition ? a.base < b.base : s.names.before(a.partition, b.partition);
  });
  std::stable_sort(s.read.begin(), s.read.end(), [&](const Read& a, const Read& b) {
    if (a.partition != b.partition) return s.names.before(a.partition, b.partition);
    return a.from != b.from ? a.from < b.from : story::earlier(a.at, b.at);
  });
  std::map<TopicNumber, TopicShare> topics;
  for (const auto& [n, share] : s.topics) {
    if (!wanted(n)) continue;
    TopicShare& t = topics[s.names.same(n)];
    const auto add = [](TopicShare::Side& to, const TopicShare::Side& from) {
      to.records += from.records;
      to.with_context += from.with_context;
      to.valid += from.valid;
    };
    add(t.written, share.written);
    add(t.read, share.read);
  }
  s.topics = std::move(topics);
  give_groups();
  add_delays(s);
  s.limits = {{"written batches", options_.max_written, written_out_},
              {"stretches of read records", options_.max_read, read_out_},
              {"keys and trace ids", options_.max_marked, marked_out_},
              {"clients", options_.max_actors, actors_out_},
              {"topics", story::TopicIndex::limit, s.names.left_out()}};
  for (const auto& [table, limit] : event_limits_) s.limits.push_back(limit);
  return std::move(seen_);
}

}  // namespace kparse::trace
