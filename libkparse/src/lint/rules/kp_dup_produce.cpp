// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "kparse/crc.h"
#include "lint/by_serial.h"
#include "lint/error_severity.h"
#include "lint/keys.h"
#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {{"dup-minutes", 5, "min", "what is sent again later isn't taken for a retry"}};

/// After these the batch may have been written.
bool in_doubt(std::int16_t code) noexcept { return code == 7 || code == 13 || code == 19 || code == 20; }

/// With a batch's own CRC this tells batches apart, also those of a client that doesn't compute one.
Bytes beginning(Bytes payload) noexcept { return payload.first(std::min<std::size_t>(payload.size(), 1024)); }

class DupProduce final : public Rule {
 public:
  using Rule::Rule;

  void on_batch(const BatchSeen& b) override {
    const Request* const r = frames().request;
    if (b.via != Via::produce || !r || b.batch.producer_id >= 0 || !r->answer_expected) return;
    const Key key{.partition = partition_key(b.topic, b.partition),
                  .contents = mixed(crc32c(beginning(b.batch.payload)), b.batch.crc),
                  .size = b.batch.payload.size(),
                  .count = b.batch.count,
                  .time = b.batch.base_timestamp};
    if (const Doubt* const d = doubts_.find(key)) {
      if (seconds_between(d->at, r->frame.first) <= option(0) * 60) say(b, *d);
      doubts_.erase(key);
    }
    sent_[conn()].add(r->serial, key);
  }

  void on_produce_answered(const ProduceAnswered& a) override {
    if (!in_doubt(a.error)) return;
    settle(conn(), a.request_serial, a.error, frames().response->request_first,
           [&](const Key& k) { return k.partition == partition_key(a.topic, a.partition); });
  }

  void end_response(const Conn& c, const Response& r, const Error&) override {
    if (auto* const sent = sent_.find(c)) sent->forget(r.serial);
  }

  void on_unanswered(const Conn& c, const Asked& a) override { unanswered(c, a.serial, a.first); }

  void on_close(const Conn& c, const Stamp& at) override {
    if (auto* const sent = sent_.find(c)) {
      std::vector<std::uint64_t> serials;
      sent->each([&](std::uint64_t serial, const Key&) {
        if (serials.empty() || serials.back() != serial) serials.push_back(serial);
      });
      for (const std::uint64_t s : serials) unanswered(c, s, at);
    }
    sent_.drop(c);
  }

 private:
  struct Key {
    PartitionKey partition;
    std::uint64_t contents = 0, size = 0;
    std::int32_t count = 0;
    std::int64_t time = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const noexcept {
      return mixed(KeyHash{}(k.partition), mixed(k.contents, k.size + static_cast<std::uint64_t>(k.time)));
    }
  };
  struct Doubt {
    std::int16_t code = 0;  ///< 0: no answer
    Stamp at;
  };

  template <class F>
  void settle(const Conn& c, std::uint64_t serial, std::int16_t code, const Stamp& at, F which) {
    auto* const sent = sent_.find(c);
    if (!sent) return;
    sent->each(serial, [&](const Key& k) {
      if (!which(k)) return;
      if (Doubt* const d = doubts_.get(k, room_)) *d = {.code = code, .at = at};
    });
  }

  // Where the capture lacks answers, no answer proves nothing.
  void unanswered(const Conn& c, std::uint64_t serial, const Stamp& at) {
    if (!c.lost[static_cast<int>(Side::server)] && (c.responses > 0 || c.from_syn))
      settle(c, serial, 0, at, [](const Key&) { return true; });
    if (auto* const sent = sent_.find(c)) sent->forget(serial);
  }

  void say(const BatchSeen& b, const Doubt& d) {
    const std::string name = topic(b.topic);
    hit({.topic = name, .partition = b.partition}, [&](Text& t) {
      t << who(conn()) << " produced the same ";
      if (b.batch.count > 1) t << b.batch.count << " ";
      t << (b.batch.count == 1 ? "record" : "records") << " to " << Partition{name, b.partition} << " again after ";
      if (d.code == 0) {
        t << "no answer.";
      } else {
        t << error_advice(d.code)->name << " (" << d.code << ").";
      }
    });
  }

  PerConn<BySerial<Key>> sent_;
  Room room_{*this, "batches in doubt", 100'000};
  Bounded<Key, Doubt, Hash> doubts_;
};

}  // namespace

KPARSE_RULE(kp_dup_produce, DupProduce, .id = "KP-DUP-PRODUCE", .severity = Severity::warning,
            .scope = RuleScope::batch,
            .condition =
                "A batch without a producer id has the same records, count and base timestamp for the same partition "
                "as one within dup-minutes before that got no answer, or REQUEST_TIMED_OUT (7), NETWORK_EXCEPTION "
                "(13), NOT_ENOUGH_REPLICAS (19) or NOT_ENOUGH_REPLICAS_AFTER_APPEND (20).",
            .why = "The first may have been written: records come twice, in another order.",
            .fix = "Enable idempotence (enable.idempotence=true).",
            .example = "10.0.0.1:50001 (\"t1\") produced the same 2 records to orders-0 again after no answer.",
            .sources = "librdkafka#1958; kafka-python#1118", .options = options);

}  // namespace kparse::lint
