// SPDX-License-Identifier: MIT
// Events to the ways of records.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kparse/events.h"
#include "kparse/saturate.h"
#include "trace/trace_rows.h"

namespace kparse::trace {

struct Options {
  RecordOptions records;
  enum class By : std::uint8_t { offset, key, trace_id };
  By by = By::offset;               ///< what Marked are made of
  std::string only;                 ///< this key or trace id; "" all
  std::vector<std::string> topics;  ///< these only, by name; empty: all. Applied in finish(): names may come later
  std::size_t max_written = 500'000, max_read = 500'000, max_marked = 200'000, max_actors = 20'000;
};

class TraceObserver final : public Observer {
 public:
  explicit TraceObserver(const Options&);

  [[nodiscard]] TraceSeen finish(const Cluster& cluster);

  Wants wants() const noexcept override { return Wants::groups | Wants::fetches | Wants::share; }
  void begin_request(const ConversationInfo&, const Request&) override;
  void end_request(const ConversationInfo&, const Request&, const Error&) override;
  void begin_response(const ConversationInfo&, const Response&) override;
  void end_response(const ConversationInfo&, const Response&, const Error&) override;
  void on_client_software(const ClientSoftwareSeen&) override;
  void on_records(const RecordsSeen&) override;
  void on_produce_answered(const ProduceAnswered&) override;
  void on_group_call(const GroupCall&) override;
  void on_fetch_asked(const FetchAsked&) override;
  void on_partition_fetched(const PartitionFetched&) override;
  void on_share_acquired(const ShareAcquired&) override;
  void on_unanswered(const ConversationInfo&, std::uint64_t serial) override;
  void on_limit(const LimitReached&) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  friend struct RecordTaker;
  using RequestKey = std::pair<std::uint64_t, std::uint64_t>;

  std::uint32_t actor();
  void settle(const RequestKey&);
  void seen_reader();
  void active(const std::string& host, const std::string& client_id, std::string_view group, const Stamp& left);
  void give_groups();
  [[nodiscard]] bool mark(const Record&, const std::string& trace_id, std::string& out) const;
  void add_mark(const PartitionKey&, std::int64_t offset, std::size_t written, std::string&& text);

  const Options options_;
  Scratch scratch_;
  story::People people_;
  TraceSeen seen_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> actors_;  ///< by host and client id
  /// When a client was active as a member; `left` packet 0: it is there still.
  struct Active {
    Stamp first, left;
  };
  std::map<std::pair<std::string, std::string>, std::map<std::string, Active>> groups_;  ///< by host and client id
  /// Of a conversation that reads: its requests and answers.
  struct Span {
    Stamp first, last;
  };
  std::map<std::uint64_t, Span> readers_;
  std::map<std::string, std::uint32_t> mark_numbers_;
  std::vector<Marked> marked_;
  std::map<RequestKey, std::vector<std::size_t>> waiting_;  ///< indexes into seen_.written
  std::set<std::uint64_t> replicas_;                        ///< conversations of brokers that fetch
  std::map<std::string, story::Limit> event_limits_;
  std::uint64_t written_out_ = 0, read_out_ = 0, marked_out_ = 0, actors_out_ = 0;

  const ConversationInfo* conversation_ = nullptr;
  bool request_ = false, replica_ = false, whole_ = true;
  std::uint64_t serial_ = 0;
  Stamp first_, at_;
  /// Of the answer at hand.
  std::size_t read_from_ = 0;
  std::string share_group_;
  bool share_ = false;
};

template <class F>
void each_way(const TraceSeen& seen, F f) {
  auto w = seen.written.begin();
  auto r = seen.read.begin();
  std::vector<const Read*> open;
  while (w != seen.written.end() || r != seen.read.end()) {
    // The next partition in either list.
    const bool written_first =
        r == seen.read.end() || (w != seen.written.end() && !seen.names.before(r->partition, w->partition));
    const PartitionKey key = written_first ? w->partition : r->partition;
    auto w_end = w;
    while (w_end != seen.written.end() && w_end->partition == key) ++w_end;
    auto r_end = r;
    while (r_end != seen.read.end() && r_end->partition == key) ++r_end;
    open.clear();
    for (std::int64_t offset = -1;;) {
      // The next offset that anything is about.
      while (w != w_end && saturated_sum(w->base, w->count - 1) <= offset) ++w;
      std::erase_if(open, [&](const Read* x) { return x->to <= offset; });
      std::int64_t next = -1;
      const auto offer = [&](std::int64_t o) {
        if (o > offset && (next < 0 || o < next)) next = o;
      };
      if (w != w_end) offer(std::max(w->base, saturated_sum(offset, 1)));
      if (!open.empty()) offer(saturated_sum(offset, 1));
      if (r != r_end) offer(std::max(r->from, saturated_sum(offset, 1)));
      if (next < 0) break;
      offset = next;
      for (; r != r_end && r->from <= offset; ++r)
        if (r->to >= offset) open.push_back(&*r);
      Way way{.partition = key, .offset = offset, .written = nullptr, .read = {}};
      for (auto x = w; x != w_end && x->base <= offset; ++x)
        if (saturated_sum(x->base, x->count - 1) >= offset && !way.written) way.written = &*x;
      std::vector<const Read*> all = open;
      std::stable_sort(all.begin(), all.end(),
                       [](const Read* a, const Read* b) { return story::earlier(a->at, b->at); });
      for (const Read* x : all) {
        const auto same = [&](const Read* y) { return y->actor == x->actor; };
        if (std::none_of(way.read.begin(), way.read.end(), same)) way.read.push_back(x);
      }
      if (!f(way)) return;
    }
    w = w_end;
    r = r_end;
  }
}

}  // namespace kparse::trace
