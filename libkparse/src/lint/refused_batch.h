// SPDX-License-Identifier: MIT
// KP-TOO-LARGE, KP-TOO-LARGE-SPLIT: a batch that was refused for its size, and what the client sent next.
#pragma once

#include "lint/by_serial.h"
#include "lint/keys.h"
#include "lint/rule.h"
#include "lint/subject.h"

namespace kparse::lint {

struct SentBatches {
  PartitionKey key;
  std::int64_t bytes = 0, records = 0, largest = 0;  ///< of all batches that a request has for the partition
};

struct RefusedBatches : SentBatches {
  std::string topic;
  std::int32_t partition = -1;
  std::int16_t code = 0;
  Stamp at;                      ///< of the first refusal
  std::uint64_t times = 0;       ///< refused, without getting smaller
  std::int64_t next_bytes = -1;  ///< what came next; -1: nothing
  std::uint64_t next_serial = 0;
  std::uint64_t smaller_serial = 0;   ///< one record can't be split, so what came next is another; 0: nothing did
};

class TooLargeRule : public Rule {
 public:
  using Rule::Rule;

  void end_batch(const RecordsSeen& s, const BatchFacts& b, const Error&) override {
    if (s.via != Via::produce || !frames().request) return;
    if (!field_open_) field_ = {.key = partition_key(s.topic, s.partition)};
    field_open_ = true;
    field_.bytes += static_cast<std::int64_t>(b.bytes.size());
    field_.records += b.opened ? b.records : b.batch.count;
    field_.largest = std::max(field_.largest, b.largest_record);
  }

  void end_records(const RecordsSeen& s, std::int32_t) override {
    if (s.via != Via::produce || !field_open_) return;
    field_open_ = false;
    const Request& r = *frames().request;
    State& state = states_[conn()];
    RefusedBatches* const refused = state.refused.find(field_.key);
    if (refused && r.frame.first.time_ns >= refused->at.time_ns) {  // not sent before the refusal came
      if (field_.bytes >= refused->bytes) {
        refused->next_bytes = field_.bytes;
        refused->next_serial = r.serial;
      } else if (refused->records > 1) {
        if (field_.records < refused->records) splits(conn(), *refused);
        state.refused.erase(field_.key);
      } else if (refused->smaller_serial == 0) {
        refused->smaller_serial = r.serial;
      }
    }
    keep(state, r);
  }

  // Java sends a batch of more than one record once more as it is before it splits it.
  void on_produce_answered(const ProduceAnswered& a) override {
    State& state = states_[conn()];
    if (a.error == 0 && state.refused.empty()) return;
    const PartitionKey key = partition_key(a.topic, a.partition);
    RefusedBatches* refused = state.refused.find(key);
    if (refused && refused->smaller_serial != 0 && refused->smaller_serial == a.request_serial) {
      if (a.error == 10 || a.error == 18) too_large(conn(), *refused);
      state.refused.erase(key);
      refused = nullptr;
    }
    const bool again = refused && refused->next_bytes >= 0 && refused->next_serial == a.request_serial;
    if (a.error != 10 && a.error != 18) {
      if (!again) return;
      too_large(conn(), *refused);
      state.refused.erase(key);
      return;
    }
    if (again) {
      if (++refused->times < 3) return;
      too_large(conn(), *refused);
      state.refused.erase(key);
      return;
    }
    if (refused) return;
    state.sent.each(a.request_serial, [&](const SentBatches& b) {
      if (refused || b.key != key || !(refused = state.refused.get(key, room_))) return;
      static_cast<SentBatches&>(*refused) = b;
      refused->topic = topic(a.topic);
      refused->partition = a.partition;
      refused->code = a.error;
      refused->times = 1;
      refused->at = frames().response->frame.first;
    });
  }

  void end_response(const Conn& c, const Response& r, const Error&) override { forget(c, r.serial); }
  void on_unanswered(const Conn& c, const Asked& a) override { forget(c, a.serial); }

  void on_close(const Conn& c, const Stamp&) override {
    if (State* const state = states_.find(c))
      for (const auto& [key, refused] : state->refused) too_large(c, refused);
    states_.drop(c);
  }

 protected:
  virtual void too_large(const Conn&, const RefusedBatches&) {}
  virtual void splits(const Conn&, const RefusedBatches&) {}

 private:
  struct State {
    BySerial<SentBatches> sent;
    Bounded<PartitionKey, RefusedBatches, KeyHash> refused;
  };

  void keep(State& state, const Request& r) {
    if (r.answer_expected) state.sent.add(r.serial, field_);
  }
  void forget(const Conn& c, std::uint64_t serial) {
    if (State* const state = states_.find(c)) state->sent.forget(serial);
  }

  Room room_{*this, "a connection's refused batches"};
  PerConn<State> states_;
  SentBatches field_;
  bool field_open_ = false;
};

}  // namespace kparse::lint
