// SPDX-License-Identifier: MIT
#include <cstdio>

#include "lint/batch_rule.h"
#include "lint/crc_explanation.h"
#include "lint/inner_messages.h"

namespace kparse::lint {
namespace {

class Crc final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_bad_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    const Batch& b = f.batch;
    if (!b.readable || b.draft || !b.crc_checked || !frame().whole()) return;
    if (b.crc_valid) {
      if (b.inner_crc_bad > 0) inner(r, f);
      return;
    }
    found(r, [&](Text& t, const Partition& at) {
      CrcExplanation x(r.records.subspan(b.position), f.bytes.size(), b.magic < 2, f.max_time);
      const std::string why = x.text();
      t << "Checksum of the batch at " << at << " offset " << b.base_offset << " is " << hex(b.crc) << ", computed "
        << hex(x.computed());
      if (!why.empty()) t << " (" << why << ")";
      t << ".";
    });
  }

 private:
  void inner(const RecordsSeen& r, const BatchFacts& f) {
    found(
        r,
        [&](Text& t, const Partition& at) {
          t << "Inside the compressed message at " << at << " offset " << f.batch.base_offset << ", "
            << f.batch.inner_crc_bad << " of " << f.batch.count << " messages have a wrong checksum";
          bool told = false;
          each_inner(f.batch.opened, [&](const InnerMessage& m) {
            const auto stored = load_be<std::uint32_t>(m.body.data());
            if (told || crc32(m.body.subspan(4)) == stored) return;
            told = true;
            t << "; the first is " << hex(stored) << ", computed " << hex(crc32(m.body.subspan(4)));
          });
          t << ".";
        },
        1, "inside");
  }
  static std::string hex(std::uint32_t v) {
    char s[11];
    std::snprintf(s, sizeof s, "0x%08x", v);
    return s;
  }
};

}  // namespace

KPARSE_RULE(kp_crc, Crc, .id = "KP-CRC", .severity = Severity::error, .scope = RuleScope::batch,
            .condition =
                "The stored checksum differs: magic 2 has CRC-32C from the attributes to the end, magic "
                "0 and 1 CRC-32 from the magic byte to the end, messages inside a compressed one too. "
                "Only of batches that were captured whole. When one of the usual mistakes or a later "
                "edit explains the value, the message says so.",
            .why =
                "The bytes changed after the checksum was made, or it was made wrongly. Brokers refuse "
                "the batch (CORRUPT_MESSAGE, 2); consumers stop at its offset.",
            .fix =
                "Where an explanation is given, look at the software that computes or edits that; else "
                "look for failing memory or disks on the way.",
            .example =
                "Checksum of the batch at orders-0 offset 100 is 0xd97c4a65, computed 0x83db2e23 (it "
                "fits when attribute bit 3 (LogAppendTime) is flipped: the header was edited after the "
                "checksum).",
            .sources = "redpanda#5685; redpanda#27671; KAFKA-8722");

}  // namespace kparse::lint
