// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>
#include <span>

#include "lint/batch_rule.h"
#include "lint/schema_headers.h"

namespace kparse::lint {
namespace {

class SrHeader final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return is_schema_header(name); }
  void on_header(const RecordsSeen& r, const Batch&, const HeaderSeen& h) override {
    const Bytes v = h.header.value;
    if (!is_schema_id(v)) return;
    Topic* const t = topics_.get(spot(r).topic);
    if (!t) return;
    t->headers.add(frame().first);
    const auto same = [v](const Id& id) { return std::ranges::equal(v, std::span(id.bytes).first(id.size)); };
    const auto used = std::span(t->ids).first(t->used);
    if (t->used == t->ids.size() || std::ranges::any_of(used, same)) return;
    Id& id = t->ids[t->used++];
    id.size = v.size();
    std::ranges::copy(v, id.bytes.begin());
  }
  void on_finish(const Stamp&) override {
    topics_.each([&](std::uint32_t n, const Topic& it) {
      if (it.headers.count == 0) return;
      found_in_topic(
          n,
          [&](Text& t, const Quoted& topic) {
            t << topic << ": schema ids in headers (";
            for (std::size_t i = 0; i < it.used; ++i) {
              t << (i > 0 ? ", " : "");
              it.ids[i].write(t);
            }
            t << (it.used == it.ids.size() ? ", ..." : "") << ").";
          },
          it.headers.count);
    });
  }

 private:
  struct Id {
    std::size_t size = 0;
    std::array<std::uint8_t, 17> bytes{};
    void write(Text& t) const {
      if (size == 5) {
        t << load_be<std::int32_t>(bytes.data() + 1);
        return;
      }
      char s[3];
      for (std::size_t i = 1; i < size; ++i) {
        if (i == 5 || i == 7 || i == 9 || i == 11) t << "-";
        std::snprintf(s, sizeof s, "%02x", bytes[i]);
        t << s;
      }
    }
  };
  struct Topic {
    Tally headers;
    std::size_t used = 0;
    std::array<Id, 8> ids;
  };
  BySpot<Topic> topics_;
};

}  // namespace

KPARSE_RULE(kp_sr_header, SrHeader, .id = "KP-SR-HEADER", .severity = Severity::info, .scope = RuleScope::topic,
            .condition =
                "Records have __value_schema_id or __key_schema_id: 0 and an int32, or 1 and a GUID. "
                "Counted by topic.",
            .why = "The value has no prefix then.", .fix = "Nothing.", .example = "orders: schema ids in headers (17).",
            .sources = "confluent-kafka-python#1978", .healthy = true);

}  // namespace kparse::lint
