// SPDX-License-Identifier: MIT
#include "records/record_observer.h"

#include <algorithm>
#include <tuple>

#include "kparse/record_walk.h"
#include "kparse/saturate.h"

namespace kparse::cli {

struct RecordObserver::Sink : RecordSink {
  RecordObserver& self;
  const RecordsPlace& place;
  const std::optional<std::int64_t> base;
  std::int64_t index = 0;                ///< in the field: the answer counts from its first record

  Sink(RecordObserver& s, const RecordsPlace& p, std::optional<std::int64_t> b) : self(s), place(p), base(b) {}

  bool begin_batch(const Batch& b) noexcept {
    self.out_.begin_batch(b);
    return true;
  }
  void record(const Batch& b, const Record& r) noexcept {
    std::optional<std::int64_t> offset;
    if (place.via != Via::produce) {
      offset = r.offset;
    } else if (base) {
      offset = saturated_sum(*base, index);
    }
    ++index;
    ++self.records_;
    self.out_.record(b, r, offset);
  }
  void end_batch(const Batch&, const Error& e) noexcept {
    if (e) unreadable(e);
  }
  void partial(std::uint64_t bytes, std::uint64_t need) noexcept {
    // Only a Fetch may be cut at its size limit.
    if (place.via != Via::fetch && place.via != Via::share_fetch)
      unreadable({.code = Code::truncated, .limit = Limit::batch, .need = need, .have = bytes});
  }

 private:
  void unreadable(const Error& e) noexcept {
    if (self.unread_.batches++ > 0) return;
    self.unread_.error = e;
    self.unread_.at = place.first;
  }
};

RecordObserver::RecordObserver(const Cluster& cluster, const RecordOptions& options, RecordOut& out, std::uint64_t hold_limit)
    : cluster_(cluster), options_(options), out_(out), hold_(hold_limit) {}

void RecordObserver::begin_request(const ConversationInfo& c, const Request& r) {
  conversation_ = &c;
  request_ = &r;
  held_ = nullptr;
  clients_[c.number].request(r.serial, r.client_id, r.client_id_null);
}

void RecordObserver::end_request(const ConversationInfo&, const Request&, const Error&) {
  request_ = nullptr;
  held_ = nullptr;
  while (HeldProduce* h = hold_.surplus()) {
    answer_count_ = 0;
    give_held(*h);
  }
}

void RecordObserver::begin_response(const ConversationInfo& c, const Response& r) {
  conversation_ = &c;
  response_ = &r;
  answer_count_ = 0;
}

void RecordObserver::end_response(const ConversationInfo& c, const Response& r, const Error&) {
  response_ = nullptr;
  if (!r.matched) return;
  if (HeldProduce* h = hold_.find(c, r.serial)) {
    std::stable_sort(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(answer_count_),
                     [](const Answer& a, const Answer& b) { return std::tie(a.partition, a.topic) < std::tie(b.partition, b.topic); });
    give_held(*h);
  }
}

void RecordObserver::on_records(const RecordsSeen& r) {
  unread_.snapshot_bytes += r.unread;
  if (r.records.empty()) return;
  if (request_) {
    if (request_->answer_expected) {
      if (!held_) held_ = &hold_.add(*conversation_, *request_);
      hold_.add_part(r.topic, r.partition, r.records);
    } else {
      give({*conversation_, request_->frame.first, request_->frame.completed, request_->client_id, request_->client_id_null, r.via,
            r.topic.name, r.topic.id, r.partition},
           r.records, std::nullopt);
    }
  } else if (response_) {
    const ClientIds::Found client = clients_[conversation_->number].of(response_->serial);
    give({*conversation_, response_->frame.first, response_->frame.completed, client.client_id, client.null, r.via, r.topic.name,
          r.topic.id, r.partition},
         r.records, std::nullopt);
  }
}

void RecordObserver::on_produce_answered(const ProduceAnswered& p) {
  if (answer_count_ == answers_.size()) answers_.emplace_back();
  Answer& a = answers_[answer_count_++];
  a.topic.assign(p.topic);
  a.partition = p.partition;
  a.base_offset = p.error == 0 ? p.base_offset : -1;
}

void RecordObserver::on_unanswered(const ConversationInfo& c, std::uint64_t serial) {
  answer_count_ = 0;
  if (HeldProduce* h = hold_.find(c, serial)) give_held(*h);
}

void RecordObserver::on_close(const ConversationInfo& c, Stamp) {
  answer_count_ = 0;
  while (HeldProduce* h = hold_.oldest_of(c)) give_held(*h);
  hold_.forget(c);
  clients_.erase(c.number);
}

std::optional<std::int64_t> RecordObserver::answer_for(const HeldProduce::Part& p) const {
  const auto end = answers_.begin() + static_cast<std::ptrdiff_t>(answer_count_);
  const auto it = std::lower_bound(answers_.begin(), end, p, [](const Answer& a, const HeldProduce::Part& b) {
    return std::tie(a.partition, a.topic) < std::tie(b.partition, b.topic);
  });
  if (it == end || it->partition != p.partition || it->topic != p.topic || it->base_offset < 0) return std::nullopt;
  return it->base_offset;
}

void RecordObserver::give_held(HeldProduce& h) {
  for (const HeldProduce::Part& p : h.parts) {
    const std::uint8_t* id = p.topic.has_id ? p.topic.id.data() : nullptr;
    give({*h.conversation, h.first, h.completed, h.client_id, h.client_id_null, Via::produce,
          id ? cluster_.topic_name(id) : std::string_view(p.topic.name), id, p.partition},
         h.records(p), answer_for(p));
  }
  hold_.release(h);
}

void RecordObserver::give(const RecordsPlace& place, Bytes records, std::optional<std::int64_t> base_offset) {
  out_.begin_field(place);
  Sink sink(*this, place, base_offset);
  read_records(records, options_, scratch_, sink);
}

}  // namespace kparse::cli
