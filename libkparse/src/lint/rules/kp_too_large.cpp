// SPDX-License-Identifier: MIT
#include "lint/refused_batch.h"
#include "lint/telling.h"

namespace kparse::lint {
namespace {

class TooLarge final : public TooLargeRule {
 public:
  using TooLargeRule::TooLargeRule;

 private:
  void too_large(const Conn& c, const RefusedBatches& b) override {
    hit({.topic = b.topic, .partition = b.partition, .api = "Produce", .conn = &c, .at = &b.at, .count = b.times},
        [&](Text& t) {
          t << who(c) << ": batch of " << b.bytes << " bytes (" << Records{b.records} << ", largest " << b.largest
            << ") for " << Quoted{b.topic, 249}
            << " is too large: " << (b.code == 10 ? "MESSAGE_TOO_LARGE (10)" : "RECORD_LIST_TOO_LARGE (18)");
          if (b.next_bytes >= 0) {
            t << ", and the next has " << b.next_bytes << " bytes.";
          } else {
            t << (b.records == 1 ? ", and one record can't be split." : ", and nothing smaller follows.");
          }
        });
  }
};

}  // namespace

KPARSE_RULE(kp_too_large, TooLarge, .id = "KP-TOO-LARGE", .severity = Severity::error, .scope = RuleScope::batch,
            .condition =
                "A partition of a Produce is answered MESSAGE_TOO_LARGE (10) or RECORD_LIST_TOO_LARGE (18), and what "
                "the client sends to it next isn't smaller, or nothing follows on the connection; where it was one "
                "record, which can't be split, also if what comes next is refused as well. A client that sends it once more "
                "before it splits it is fine.",
            .why = "A retry of the same size can't succeed; one large record takes its whole batch down.",
            .fix =
                "Raise max.message.bytes of the topic, or lower max.request.size and batch.size; librdkafka and Java "
                "split only batches of more than one record.",
            .example =
                "10.0.0.1:50000 (\"t1\"): batch of 83 bytes (2 records, largest 4) for orders is too large: "
                "MESSAGE_TOO_LARGE (10), and the next has 83 bytes.",
            .sources = "KAFKA-8350; kafka#20358; librdkafka#488");

}  // namespace kparse::lint
