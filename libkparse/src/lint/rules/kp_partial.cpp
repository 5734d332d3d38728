// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class Partial final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void on_partial(const RecordsSeen& r, std::uint64_t bytes, std::uint64_t need) override {
    if (!fetched(r) || !frame().whole()) return;
    found(r, [&](Text& t, const Partition& at) {
      t << at << ": the answer ends in a cut batch (" << bytes << " of ";
      if (need > 0) {
        t << need << " bytes)";
      } else {
        t << "more bytes)";
      }
      if (filler(r.records.last(static_cast<std::size_t>(bytes))))
        t << ", which only fills up what was converted to an old format";
      t << ".";
    });
  }

 private:
  static bool filler(Bytes b) noexcept { return b.size() >= 17 && load_be<std::int64_t>(b.data()) == -1 && b[16] == 0; }
};

}  // namespace

KPARSE_RULE(kp_partial, Partial, .id = "KP-PARTIAL", .severity = Severity::info, .scope = RuleScope::batch,
            .condition =
                "The last batch of a partition in a Fetch or ShareFetch answer is cut by the size limit, "
                "or it is what a broker fills down-converted answers up with (offset -1, magic 0, "
                "zeros).",
            .why = "That is normal: the consumer drops it and asks again from its offset.", .fix = "Nothing.",
            .example = "orders-0: the answer ends in a cut batch (60 of 83 bytes).",
            .sources = "Dekaf#1716; franz-go#883; kafka-go#258", .healthy = true);

}  // namespace kparse::lint
