// SPDX-License-Identifier: MIT
#include "lint/empty_values.h"

namespace kparse::lint {
namespace {

class NullEmpty final : public EmptyValues {
 public:
  using EmptyValues::EmptyValues;

  void on_finish(const Stamp&) override {
    each(false, [&](std::uint32_t n, const Tally& tally) {
      found_of_pair(
          n, tally.first,
          [&](Text& t, const Who& client, const Quoted& topic) {
            t << client << " wrote " << tally.count << " empty values (length 0, not null) to " << topic << ".";
          },
          tally.count);
    });
  }
};

}  // namespace

KPARSE_RULE(kp_null_empty, NullEmpty, .id = "KP-NULL-EMPTY", .severity = Severity::notice, .scope = RuleScope::topic,
            .condition =
                "A client produces records with a key and a value of length 0, which isn't null. Counted "
                "by client and topic; topics known to be compacted have KP-NULL-EMPTY-COMPACTED.",
            .why = "An empty value is no tombstone: in a compacted topic the key stays.",
            .fix = "To delete a key send null, length -1.",
            .example = "10.0.0.2:50000 (\"billing\") wrote 1 empty values (length 0, not null) to orders.",
            .sources = "platformatic#217", .healthy = true);

}  // namespace kparse::lint
