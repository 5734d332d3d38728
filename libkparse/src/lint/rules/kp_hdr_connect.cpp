// SPDX-License-Identifier: MIT
#include "lint/marked_topics.h"

namespace kparse::lint {
namespace {

constexpr std::string_view family = "__connect.errors.";

struct FirstFailure {
  std::string connector, stage, original;
};

class HdrConnect final : public MarkedTopics<FirstFailure> {
 public:
  using MarkedTopics::MarkedTopics;

  bool wants_header(std::string_view name) override { return name.starts_with(family); }

 private:
  static Quoted known(std::string_view s) noexcept { return {s.empty() ? std::string_view("?") : s}; }
  void tell(Text& t, const Quoted& topic, const FirstFailure& it) const override {
    t << topic << ": dead letters of connector " << known(it.connector) << ", stage " << known(it.stage) << ", from "
      << known(it.original) << ".";
  }
  void remember(FirstFailure& it, const Record& record) const override {
    HeaderReader reader(record);
    RecordHeader h;
    while (reader.next(h)) {
      if (!h.name.starts_with(family)) continue;
      const std::string_view name = h.name.substr(family.size()), value = text(h.value).substr(0, most_kept);
      if (name == "connector.name") it.connector = value;
      if (name == "stage") it.stage = value;
      if (name == "topic") it.original = value;
    }
  }
};

}  // namespace

KPARSE_RULE(kp_hdr_connect, HdrConnect, .id = "KP-HDR-CONNECT", .severity = Severity::info, .scope = RuleScope::topic,
            .condition = "Records have __connect.errors.* headers. Counted by topic.",
            .why = "They show what failed where in Kafka Connect.",
            .fix = "See the header __connect.errors.exception.message.",
            .example = "dlq: dead letters of connector sink-1, stage VALUE_CONVERTER, from orders.",
            .sources = "KIP-298; kafka#5159", .healthy = true);

}  // namespace kparse::lint
