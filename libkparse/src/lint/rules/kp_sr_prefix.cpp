// SPDX-License-Identifier: MIT
#include "lint/schema_topics.h"

namespace kparse::lint {
namespace {

class SrPrefix final : public SchemaTopics {
 public:
  using SchemaTopics::SchemaTopics;

  void on_finish(const Stamp&) override {
    each([&](std::uint32_t topic, std::string_view what, const Part& part) {
      if (part.ids.found() < 3 || part.share() < 0.9 || part.ids.others() > 0) return;
      found_in_topic(
          topic,
          [&](Text& t, const Quoted& name) {
            t << name << ": " << what << " carry schema ids ";
            for (std::size_t i = 0; i < part.ids.size(); ++i) t << (i > 0 ? ", " : "") << part.ids[i].id;
            t << " (registry prefix).";
          },
          part.ids.found(), what);
    });
  }
};

}  // namespace

KPARSE_RULE(kp_sr_prefix, SrPrefix, .id = "KP-SR-PREFIX", .severity = Severity::info, .scope = RuleScope::topic,
            .condition =
                "At least 3 and 90 % of a topic's keys or values that aren't null begin with 0 and an "
                "int32 between 1 and 10^7, of which there are a few only.",
            .why = "What follows these 5 bytes is Avro, Protobuf or JSON with a schema.", .fix = "Nothing.",
            .example = "orders: values carry schema ids 17 (registry prefix).", .sources = "schema-registry#150",
            .healthy = true);

}  // namespace kparse::lint
