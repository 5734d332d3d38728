// SPDX-License-Identifier: MIT
// Sequence numbers of idempotent producers, as brokers check them. Source: KIP-98, KIP-360; Kafka's
// ProducerStateManager and TransactionManager.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "kparse/crc.h"
#include "kparse/schema.h"
#include "lint/keys.h"
#include "lint/rule.h"
#include "lint/subject.h"

namespace kparse::lint {

struct SequenceVerdict {
  enum class What : std::uint8_t {
    fine,
    repeated,  ///< the same sequence and count as a batch before, and the same bytes
    changed,   ///< ... and other bytes
    wrong,     ///< `due` was due
  };
  What what = What::fine;
  std::int32_t due = 0;
};

/// A rule that follows producers. What can't be known (a gap in the capture, another broker's connections, what a
/// client does after a refusal) is fine.
class SequenceRule : public Rule {
 public:
  using Rule::Rule;

  void on_batch(const BatchSeen& b) override {
    const Request* const r = frames().request;
    const Batch& batch = b.batch;
    if (b.via != Via::produce || !r || batch.magic < 2 || batch.control || batch.producer_id < 0 || batch.count <= 0 ||
        batch.base_sequence < 0)
      return;
    const bool named = !b.topic.name.empty();
    // A producer counts on when its topic is made anew: the name counts.
    const Key key{named_key(b.topic, b.partition), batch.producer_id, client_hash()};
    // What was sent before the id had its name.
    const bool seen_unnamed =
        named && b.topic.id && producers_.find({partition_key(b.topic, b.partition), batch.producer_id, client_hash()});
    Producer* const p = producers_.get(key, room_for_producers_);
    if (!p) return;
    const std::uint32_t contents = crc32c(batch.payload);
    const SequenceVerdict v = judge(*p, batch, contents, named && !seen_unnamed);
    ++p->batches;
    Sent* s = find(*p, batch);
    if (!s) s = &p->sent[p->next_place++ % p->sent.size()];
    *s = {.base = batch.base_sequence,
          .count = batch.count,
          .contents = contents,
          .size = batch.payload.size(),
          .order = p->batches};
    auto& waiting = waiting_[conn()];
    if (waiting.size() >= Conn::max_outstanding) waiting.erase(waiting.begin());
    if (auto& of = waiting[r->serial]; room_for_batches_.beside(of.size())) of.push_back({key, p->batches});
    if (v.what != SequenceVerdict::What::fine) judged(b, v);
  }

  void on_produce_answered(const ProduceAnswered& a) override {
    auto* const waiting = waiting_.find(conn());
    const auto of = waiting ? waiting->find(a.request_serial) : decltype(waiting->end()){};
    if (!waiting || of == waiting->end()) return;
    const PartitionKey partition = named_key(a.topic, a.partition);
    for (const auto& [key, order] : of->second) {
      if (key.partition != partition) continue;
      Producer* const p = producers_.find(key);
      if (!p) return;
      if (a.error != 0) {
        p->loose = true;
        p->loose_from = p->batches;
        for (Sent& s : p->sent)
          if (s.order == order) s.refused = refused_for_good(a.error);
      } else {
        for (Sent& s : p->sent) {
          if (s.order != order) continue;
          s.done = true;
          p->acked = after(s.base, s.count);
        }
        if (order > p->loose_from) p->loose = false;
      }
      return;
    }
  }

  void on_txn_answer(const TxnCall& asked, const TxnAnswer& a) override {
    const bool gives = asked.kind == TxnCall::Kind::init || asked.kind == TxnCall::Kind::end;
    if (!gives || a.error != 0 || a.producer_id < 0) return;
    if (Init* const i = inits_.get(mixed(client_hash(), static_cast<std::uint64_t>(a.producer_id)), room_for_ids_))
      *i = {.epoch = a.producer_epoch, .losses = losses_};
  }

  void end_request(const Conn&, const Request& r, const Error& e) override {
    if (r.api_key == 0 && (e || !r.frame.whole())) ++losses_;
  }
  void end_response(const Conn& c, const Response& r, const Error&) override {
    if (auto* const waiting = waiting_.find(c)) waiting->erase(r.serial);
  }
  void on_gap(const Conn&, const Gap&) override { ++losses_; }
  void on_resync(const Conn&, Side, std::uint64_t) override { ++losses_; }
  void on_close(const Conn& c, const Stamp&) override { waiting_.drop(c); }

 protected:
  virtual void judged(const BatchSeen&, const SequenceVerdict&) = 0;

 private:
  struct Key {
    PartitionKey partition;
    std::int64_t producer = -1;
    std::uint64_t client = 0;  ///< two clusters may have given the same id
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const noexcept {
      return mixed(KeyHash{}(k.partition), mixed(static_cast<std::uint64_t>(k.producer), k.client));
    }
  };
  struct Sent {
    std::int32_t base = -1, count = 0;
    std::uint32_t contents = 0;
    std::uint64_t size = 0, order = 0;
    bool done = false;     ///< answered without an error
    bool refused = false;  ///< and was not written: its sequences are free
  };
  struct Producer {
    std::int16_t epoch = -1;
    std::int32_t next = 0;
    bool loose = false;            ///< a batch was refused: what the client makes of the rest isn't known
    std::uint64_t loose_from = 0;  ///< batches sent until then
    std::uint64_t batches = 0, next_place = 0, losses = 0, server = 0;
    std::int32_t acked = -1;     ///< follows what was answered last
    std::array<Sent, 8> sent{};  ///< clients have at most 5 under way
  };
  struct Init {
    std::int16_t epoch = -1;
    std::uint64_t losses = 0;
  };

  [[nodiscard]] std::uint64_t client_hash() const {
    return mixed(std::hash<std::string_view>{}(conn().client_host()), std::hash<std::string_view>{}(conn().client_id));
  }

  static std::int32_t after(std::int32_t base, std::int32_t count) noexcept {
    return static_cast<std::int32_t>((std::int64_t{base} + count) & 0x7fffffff);
  }
  /// From `a` forward to `b` on the circle of 2^31.
  static std::int32_t distance(std::int32_t a, std::int32_t b) noexcept {
    return static_cast<std::int32_t>((std::int64_t{b} - a) & 0x7fffffff);
  }

  static bool refused_for_good(std::int16_t code) noexcept {
    constexpr std::int16_t duplicate_sequence_number = 46;
    const auto known = std::ranges::find(errors(), code, &ErrorName::code);
    return known != errors().end() && !known->retriable && code != duplicate_sequence_number;
  }

  static Sent* find(Producer& p, const Batch& b) noexcept {
    for (Sent& s : p.sent)
      if (s.order != 0 && s.count == b.count && s.base == b.base_sequence) return &s;
    return nullptr;
  }

  SequenceVerdict judge(Producer& p, const Batch& b, std::uint32_t contents, bool all_seen) {
    using What = SequenceVerdict::What;
    const std::uint64_t server = std::hash<std::string_view>{}(conn().server());
    const bool first = p.epoch < 0;
    if (!first && b.producer_epoch < p.epoch) return {};  // fenced
    // Other connections of the producer, to other brokers, may be missing here; and so may what was lost.
    const bool unsure = !first && (p.losses != losses_ || p.server != server);
    const bool other_server = !first && p.server != server;
    const std::int32_t due = p.next;
    const std::int32_t next = after(b.base_sequence, b.count);
    p.losses = losses_;
    p.server = server;
    if (first || b.producer_epoch > p.epoch) {
      bool begins = !first && !unsure;
      if (first) {
        const Init* const i = inits_.find(mixed(client_hash(), static_cast<std::uint64_t>(b.producer_id)));
        begins = all_seen && i && i->epoch == b.producer_epoch && i->losses == losses_;
      }
      p.epoch = b.producer_epoch;
      p.next = next;
      p.loose = false;
      p.acked = -1;
      p.sent.fill({});
      return begins && b.base_sequence != 0 ? SequenceVerdict{What::wrong, 0} : SequenceVerdict{};
    }
    if (b.base_sequence == due) {
      p.next = next;
      return {};
    }
    if (const Sent* const s = find(p, b)) {
      if (s->contents == contents && s->size == b.payload.size()) return {What::repeated, due};
      return s->refused || (other_server && s->done) ? SequenceVerdict{} : SequenceVerdict{What::changed, due};
    }
    if (unsure || p.loose || b.base_sequence == p.acked) {
      p.next = next;
      return {};
    }
    // Behind what is remembered: a late retry.
    if (p.batches >= p.sent.size() && distance(b.base_sequence, due) < 0x40000000) {
      bool older = true;
      for (const Sent& s : p.sent) older = older && distance(b.base_sequence, s.base) < 0x40000000;
      if (older) return {};
    }
    p.next = next;
    return {What::wrong, due};
  }

  Room room_for_producers_{*this, "producers of a partition", 100'000};
  Room room_for_ids_{*this, "producer ids"};
  Room room_for_batches_{*this, "a request's batches", 2000};
  Bounded<Key, Producer, Hash> producers_;
  Bounded<std::uint64_t, Init> inits_;
  PerConn<std::map<std::uint64_t, std::vector<std::pair<Key, std::uint64_t>>>> waiting_;
  std::uint64_t losses_ = 0;  ///< in the capture, so far
};

}  // namespace kparse::lint
