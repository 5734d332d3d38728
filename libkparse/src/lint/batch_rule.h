// SPDX-License-Identifier: MIT
// What rules about batches and records share.
#pragma once

#include <string>
#include <string_view>

#include "lint/rule.h"
#include "lint/subject.h"
#include "lint/telling.h"

namespace kparse::lint {

/// "12.5 %"
struct Percent {
  double part, of;
};
inline Text& operator<<(Text& t, const Percent& p) { return t << Decimal{p.of > 0 ? 100 * p.part / p.of : 0} << " %"; }

/// Its fields and records are what somebody wrote: a batch with a wrong CRC is KP-CRC's, whatever else is wrong in it.
[[nodiscard]] inline bool sound(const Batch& b) noexcept {
  return b.readable && !b.draft && (!b.crc_checked || b.crc_valid);
}

class BatchRule : public Rule {
 public:
  using Rule::Rule;

 protected:
  [[nodiscard]] static bool produced(const RecordsSeen& r) noexcept { return r.via == Via::produce; }
  [[nodiscard]] static bool fetched(const RecordsSeen& r) noexcept {
    return r.via == Via::fetch || r.via == Via::share_fetch;
  }
  [[nodiscard]] const Frame& frame() const noexcept {
    return frames().request ? frames().request->frame : frames().response->frame;
  }
  /// Of the API, also in its answer.
  [[nodiscard]] std::int16_t version() const noexcept {
    return frames().request ? frames().request->version : frames().response->request_version;
  }
  [[nodiscard]] Spot spot(const RecordsSeen& r) { return desk_.client_topics().at(conn(), r.topic, frame()); }
  [[nodiscard]] const ClientTopics::Topic& topic_at(std::uint32_t n) { return desk_.client_topics().topic(n); }
  [[nodiscard]] const ClientTopics::Pair& pair_at(std::uint32_t n) { return desk_.client_topics().pair(n); }

  /// Found in a records field. `message`: a function of Text& and const Partition&.
  template <class F>
  void found(const RecordsSeen& r, F&& message, std::uint64_t count = 1, std::string_view cause = {}) {
    std::string made;
    std::string_view name = r.topic.name;
    if (name.empty()) name = made = topic(r.topic);
    hit({.topic = name, .partition = r.partition, .cause = cause, .count = count}, [&](Text& t) {
      message(t, Partition{name, r.partition});
    });
  }
  /// Found in records, whoever brings them: of what was produced it is the client's, of what was fetched the topic's,
  /// and that only where no client was seen producing it.
  template <class F>
  void found_in_records(const RecordsSeen& r, F&& message, std::uint64_t count = 1) {
    bool* const written = written_.get(spot(r).topic);
    if (produced(r)) {
      if (written) *written = true;
      found(r, message, count);
      return;
    }
    if (written && *written) return;
    std::string made;
    std::string_view name = r.topic.name;
    if (name.empty()) name = made = topic(r.topic);
    hit({.topic = name, .partition = r.partition, .cause = "fetched", .count = count, .any_client = true},
        [&](Text& t) {
          message(t, Partition{name, r.partition});
        });
  }
  /// Found in the whole of a topic: `message` is a function of Text& and the topic's name.
  template <class F>
  void found_in_topic(std::uint32_t n, F&& message, std::uint64_t count, std::string_view cause = {}) {
    const ClientTopics::Topic& it = topic_at(n);
    const std::string name = topic(it.ref());
    hit({.topic = name, .cause = cause, .witness = &it.first, .count = count, .any_client = true},
        [&](Text& t) { message(t, Quoted{name}); });
  }
  /// Found in all that a client did with a topic. `at`: the first packet.
  template <class F>
  void found_of_pair(std::uint32_t n, const Stamp& at, F&& message, std::uint64_t count) {
    const ClientTopics::Pair& it = pair_at(n);
    const std::string name = topic(topic_at(it.topic).ref());
    hit({.topic = name, .at = &at, .witness = &it.first, .count = count},
        [&](Text& t) { message(t, who(it.first), Quoted{name}); });
  }

 private:
  BySpot<bool> written_;
};

/// A thing that is counted, and where it was seen first.
struct Tally {
  std::uint64_t count = 0;
  Stamp first;
  void add(const Stamp& at, std::uint64_t n = 1) noexcept {
    if (count == 0) first = at;
    count += n;
  }
};

}  // namespace kparse::lint
