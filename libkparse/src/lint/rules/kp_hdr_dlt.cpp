// SPDX-License-Identifier: MIT
#include "lint/dead_letters.h"
#include "lint/marked_topics.h"

namespace kparse::lint {
namespace {

struct FirstLetter {
  std::string original, exception;
};

class HdrDlt final : public MarkedTopics<FirstLetter> {
 public:
  using MarkedTopics::MarkedTopics;

  bool wants_header(std::string_view name) override { return is_dead_letter_header(name); }

 private:
  void tell(Text& t, const Quoted& topic, const FirstLetter& it) const override {
    t << topic << " holds dead letters: from " << (it.original.empty() ? "an unnamed topic" : "") << Quoted{it.original};
    if (!it.exception.empty()) t << ", " << Quoted{it.exception};
    t << ".";
  }
  void remember(FirstLetter& it, const Record& record) const override {
    HeaderReader reader(record);
    RecordHeader h;
    while (reader.next(h)) {
      const std::string_view value = text(h.value).substr(0, most_kept);
      if (h.name.ends_with("original-topic") || h.name == "dead-letter-topic") it.original = value;
      if (h.name.ends_with("exception-fqcn") || h.name == "dead-letter-exception-class-name") {
        // A listener's exception wraps that of the application.
        if (it.exception.empty() || h.name.find("cause") != h.name.npos) it.exception = value;
      }
    }
  }
};

}  // namespace

KPARSE_RULE(kp_hdr_dlt, HdrDlt, .id = "KP-HDR-DLT", .severity = Severity::info, .scope = RuleScope::topic,
            .condition =
                "Records have kafka_dlt-*, kafka_original-*, dead-letter-*, x-original-* or "
                "retry_topic-* headers. Counted by topic.",
            .why = "It shows where records that failed come from.", .fix = "Look at the headers about the exception.",
            .example = "orders-dlt holds dead letters: from orders, java.lang.IllegalStateException.",
            .sources = "spring-kafka#1995; smallrye#1913", .healthy = true);

}  // namespace kparse::lint
