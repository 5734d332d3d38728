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
      const bool later = r->frame.first.time_ns >= d->sent_ns;  // not so where the capture's end tells of a connection
      if (later && seconds_between(d->at, r->frame.first) <= option(0) * 60)
        say({.topic = topic(b.topic), .partition = b.partition}, who(conn()), key.count, d->code);
      if (later) doubts_.erase(key);
    }
    const Spot spot = desk_.client_topics().at(conn(), b.topic, r->frame);
    sent_[conn()].add(r->serial, {.key = key, .at = r->frame.first, .topic = spot.topic, .partition = b.partition});
    Newest& n = newest_of(key);
    const std::uint64_t hash = Hash{}(key);
    if (n.hash == hash && n.at.time_ns > r->frame.first.time_ns) return;
    n = {.hash = hash, .conn = conn().number, .serial = r->serial, .at = r->frame.first};
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
      sent->each([&](std::uint64_t serial, const Sent&) {
        if (serials.empty() || serials.back() != serial) serials.push_back(serial);
      });
      for (const std::uint64_t s : serials) unanswered(c, s, at);
      if (gone_.empty()) gone_.resize(max_gone);
      gone_[c.number % max_gone] = witness_of(c, at);
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
  struct Sent {
    Key key;
    Stamp at;
    std::uint32_t topic = Spot::none;
    std::int32_t partition = -1;
  };
  struct Doubt {
    std::int16_t code = 0;  ///< 0: no answer
    Stamp at;
    std::int64_t sent_ns = 0;
  };
  /// The newest batch with such contents. A client sends again before it closes the connection where nothing came, and
  /// that nothing comes shows later still.
  struct Newest {
    std::uint64_t hash = 0, conn = 0, serial = 0;
    Stamp at;
    bool unanswered = false;
  };
  static constexpr double least_patience = 0.1;   ///< seconds: nobody sends again so soon what may yet be answered
  static constexpr std::size_t max_newest = 1u << 13, max_gone = 1024;

  Newest& newest_of(const Key& k) {
    if (newest_.empty()) newest_.resize(max_newest);
    return newest_[Hash{}(k) & (max_newest - 1)];
  }

  template <class F>
  void settle(const Conn& c, std::uint64_t serial, std::int16_t code, const Stamp& at, F which) {
    auto* const sent = sent_.find(c);
    if (!sent) return;
    sent->each(serial, [&](const Sent& s) {
      if (!which(s.key)) return;
      if (Doubt* const d = doubts_.get(s.key, room_)) *d = {.code = code, .at = at, .sent_ns = s.at.time_ns};
    });
  }

  // Where the capture lacks answers, no answer proves nothing.
  void unanswered(const Conn& c, std::uint64_t serial, const Stamp& at) {
    auto* const sent = sent_.find(c);
    if (!sent) return;
    if (!c.lost[static_cast<int>(Side::server)] && (c.responses > 0 || c.from_syn)) {
      settle(c, serial, 0, at, [](const Key&) { return true; });
      sent->each(serial, [&](const Sent& s) { look_for_copy(c, serial, s); });
    }
    sent->forget(serial);
  }

  void look_for_copy(const Conn& c, std::uint64_t serial, const Sent& s) {
    Newest& n = newest_of(s.key);
    if (n.hash != Hash{}(s.key)) return;
    if (n.conn == c.number && n.serial == serial) {
      n.unanswered = true;
      return;
    }
    if (n.at.time_ns < s.at.time_ns || seconds_between(s.at, n.at) > option(0) * 60) return;
    const Conn* const open = desk_.conn(n.conn);
    Witness w;
    if (open) {
      w = witness_of(*open, n.at);
    } else if (!gone_.empty()) {
      w = gone_[n.conn % max_gone];
    }
    if (w.conversation != n.conn || w.client.empty()) return;
    // What a proxy sends on is no copy, and what several connections wait for when the capture ends neither.
    w.at = n.at;
    if (std::string_view(w.client).substr(0, w.client.rfind(':')) != c.client_host()) return;
    const bool given_up = seconds_between(s.at, n.at) >= least_patience && answered(n, open);
    if (!(given_up || ended_before(c, n.at)) || s.topic == Spot::none) return;
    const std::string name = topic(desk_.client_topics().topic(s.topic).ref());
    say({.topic = name, .partition = s.partition, .witness = &w}, who(w), s.key.count, 0);
  }

  [[nodiscard]] bool answered(const Newest& n, const Conn* open) {
    if (n.unanswered) return false;
    bool waits = false;
    if (const auto* const sent = open ? sent_.find(*open) : nullptr)
      sent->each(n.serial, [&](const Sent&) { waits = true; });
    return !waits;
  }
  [[nodiscard]] static bool ended_before(const Conn& c, const Stamp& at) noexcept {
    for (const int d : {0, 1})
      if (c.end[d] != End::open && c.ended[d].time_ns <= at.time_ns) return true;
    return false;
  }

  void say(const Place& place, const Who& client, std::int32_t count, std::int16_t code) {
    hit(place, [&](Text& t) {
      t << client << " produced the same ";
      if (count > 1) t << count << " ";
      t << (count == 1 ? "record" : "records") << " to " << Partition{place.topic, place.partition} << " again after ";
      if (code == 0) {
        t << "no answer.";
      } else {
        t << error_advice(code)->name << " (" << code << ").";
      }
    });
  }

  PerConn<BySerial<Sent>> sent_;
  Room room_{*this, "batches in doubt", 100'000};
  Bounded<Key, Doubt, Hash> doubts_;
  std::vector<Witness> gone_;   ///< the newest connections that are closed, by number
  std::vector<Newest> newest_;  ///< by their hash; a later one takes the place
};

}  // namespace

KPARSE_RULE(kp_dup_produce, DupProduce, .id = "KP-DUP-PRODUCE", .severity = Severity::warning,
            .scope = RuleScope::batch,
            .condition =
                "A batch without a producer id has the same records, count and base timestamp for the same partition "
                "as one within dup-minutes before that got no answer, or REQUEST_TIMED_OUT (7), NETWORK_EXCEPTION "
                "(13), NOT_ENOUGH_REPLICAS (19) or NOT_ENOUGH_REPLICAS_AFTER_APPEND (20). Also where it is sent before "
                "it shows that the first gets no answer.",
            .why = "The first may have been written: records come twice, in another order.",
            .fix = "Enable idempotence (enable.idempotence=true).",
            .example = "10.0.0.1:50001 (\"t1\") produced the same 2 records to orders-0 again after no answer.",
            .sources = "librdkafka#1958; kafka-python#1118", .options = options);

}  // namespace kparse::lint
