// SPDX-License-Identifier: MIT
#include "lint/schema_topics.h"

namespace kparse::lint {
namespace {

class SrPrefixMixed final : public SchemaTopics {
 public:
  using SchemaTopics::SchemaTopics;

  void on_finish(const Stamp&) override {
    each([&](std::uint32_t topic, std::string_view what, const Part& part) {
      if (part.all < 10 || part.share() < 0.1 || part.share() >= 0.9) return;
      bool often = false;
      for (std::size_t i = 0; i < part.ids.size(); ++i) often = often || part.ids[i].times >= 3;
      if (!often) return;
      found_in_topic(
          topic,
          [&](Text& t, const Quoted& name) {
            t << name << " mixes " << what << " with and without a schema prefix (" << part.ids.found() << " of "
              << part.all << " have one).";
          },
          part.all - part.ids.found(), what);
    });
  }
};

}  // namespace

KPARSE_RULE(kp_sr_prefix_mixed, SrPrefixMixed, .id = "KP-SR-PREFIX-MIXED", .severity = Severity::notice,
            .scope = RuleScope::topic,
            .condition =
                "Of at least 10 keys or values of a topic that aren't null, 10 to 90 % have the prefix "
                "of KP-SR-PREFIX, and one id was seen 3 times.",
            .why = "Deserializers throw on the others: \"Unknown magic byte\".",
            .fix = "Find the producer that writes without the serializer.",
            .example = "orders mixes values with and without a schema prefix (6 of 10 have one).",
            .sources = "kafka-connect-hdfs#202; apicurio-registry#4199", .healthy = true);

}  // namespace kparse::lint
