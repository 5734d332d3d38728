// SPDX-License-Identifier: MIT
#include "lint/empty_values.h"

namespace kparse::lint {
namespace {

class NullEmptyCompacted final : public EmptyValues {
 public:
  using EmptyValues::EmptyValues;

  void on_finish(const Stamp&) override {
    each(true, [&](std::uint32_t n, const Tally& tally) {
      found_of_pair(
          n, tally.first,
          [&](Text& t, const Who& client, const Quoted& topic) {
            t << client << " wrote " << tally.count << " empty values to " << topic
              << ", which is compacted: they delete nothing.";
          },
          tally.count);
    });
  }
};

}  // namespace

KPARSE_RULE(kp_null_empty_compacted, NullEmptyCompacted, .id = "KP-NULL-EMPTY-COMPACTED", .severity = Severity::warning,
            .scope = RuleScope::topic,
            .condition =
                "As KP-NULL-EMPTY, in a topic that is named by --compacted or whose cleanup.policy with "
                "\"compact\" is seen in CreateTopics or DescribeConfigs.",
            .why =
                "Consumers see an empty document, converters of Connect throw, and the key is never "
                "removed.",
            .fix = "Send null (length -1).",
            .example =
                "10.0.0.2:50000 (\"billing\") wrote 1 empty values to orders, which is compacted: they "
                "delete nothing.",
            .sources = "platformatic#217");

}  // namespace kparse::lint
