// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"
#include "lint/zstd_frames.h"

namespace kparse::lint {
namespace {

constexpr RuleOption options[] = {
    {"zstd-window", 8388608, "bytes", "larger windows are too large"},
};

class ZstdWindow final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.batch.codec != Codec::zstd || !sound(f.batch)) return;
    const std::uint64_t window = zstd_frames(f.batch.payload).window;
    if (static_cast<double>(window) <= option(0)) return;
    found(r, [&](Text& t, const Partition& at) {
      t << at << " offset " << f.batch.base_offset << ": zstd window of " << window << " bytes.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_zstd_window, ZstdWindow, .id = "KP-ZSTD-WINDOW", .severity = Severity::warning,
            .scope = RuleScope::batch, .condition = "The window of a zstd frame is larger than zstd-window.",
            .why = "Readers with the usual limit of 8 MiB may refuse it.",
            .fix = "Use a lower compression level, or a window log of at most 23.",
            .example = "orders-0 offset 0: zstd window of 16777216 bytes.", .sources = "RFC 8878", .options = options);

}  // namespace kparse::lint
