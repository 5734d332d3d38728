// SPDX-License-Identifier: MIT
#include <array>
#include <utility>

#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class HdrCe final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  bool wants_header(std::string_view name) override { return name.starts_with("ce_") || name == "content-type"; }
  void on_header(const RecordsSeen&, const Batch&, const HeaderSeen& h) override {
    const std::string_view name = h.header.name;
    if (name.starts_with("ce_")) any_ = true;
    for (std::size_t n = 0; n < names.size(); ++n)
      if (name == names[n]) here_ |= 1u << n;
  }
  void end_record(const RecordsSeen&, const Batch&, const Record&) override {
    const std::uint32_t here = std::exchange(here_, 0);
    if (!std::exchange(any_, false)) return;
    const std::uint32_t missing = ~here & required;
    const bool misnamed = (here & datacontenttype) && !(here & content_type);
    if ((missing == 0 && !misnamed) || records_++ > 0) return;
    missing_ = missing;
    misnamed_ = misnamed;
  }
  void end_batch(const RecordsSeen& r, const BatchFacts&, const Error&) override {
    const std::uint64_t records = std::exchange(records_, 0);
    if (records == 0) return;
    found_in_records(
        r,
        [&](Text& t, const Partition& at) {
          t << who(conn())
            << (produced(r) ? " writes incomplete CloudEvents to " : " reads incomplete CloudEvents from ")
            << Quoted{at.topic} << ": ";
          bool first = true;
          for (std::size_t n = 0; n < 4; ++n) {
            if (!(missing_ >> n & 1)) continue;
            t << (first ? "" : ", ") << names[n];
            first = false;
          }
          if (missing_ != 0) t << ((missing_ & (missing_ - 1)) == 0 ? " is missing" : " are missing");
          if (misnamed_) t << (missing_ != 0 ? ", and " : "") << "ce_datacontenttype stands in place of content-type";
          t << ".";
        },
        records);
  }

 private:
  static constexpr std::array<std::string_view, 6> names{"ce_specversion",     "ce_id",       "ce_source", "ce_type",
                                                         "ce_datacontenttype", "content-type"};
  static constexpr std::uint32_t required = 15, datacontenttype = 16, content_type = 32;
  bool any_ = false;
  std::uint32_t here_ = 0;
  std::uint64_t records_ = 0;  ///< of the batch, that are incomplete; the first one:
  std::uint32_t missing_ = 0;
  bool misnamed_ = false;
};

}  // namespace

KPARSE_RULE(kp_hdr_ce, HdrCe, .id = "KP-HDR-CE", .severity = Severity::warning, .scope = RuleScope::record,
            .condition =
                "A record has a ce_* header but lacks ce_specversion, ce_id, ce_source or ce_type, or "
                "has ce_datacontenttype where content-type belongs. One finding a client and topic.",
            .why = "SDKs refuse such events.",
            .fix = "Write all required attributes; the content's type goes into content-type.",
            .example =
                "10.0.0.2:50000 (\"billing\") writes incomplete CloudEvents to orders: ce_source is "
                "missing.",
            .sources = "cloudevents/sdk-java#67; cloudevents/spec#812", .healthy = true);

}  // namespace kparse::lint
