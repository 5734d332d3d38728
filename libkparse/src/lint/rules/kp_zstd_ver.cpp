// SPDX-License-Identifier: MIT
#include "lint/batch_rule.h"

namespace kparse::lint {
namespace {

class ZstdVer final : public BatchRule {
 public:
  using BatchRule::BatchRule;

  void end_packed_batch(const RecordsSeen& r, const BatchFacts& f, const Error&) override {
    if (f.batch.codec != Codec::zstd || !produced(r) || version() >= 7 || !sound(f.batch)) return;
    found(r, [&](Text& t, const Partition& at) {
      t << "Produce v" << version() << " and zstd on " << at << ": zstd needs Produce v7, Fetch v10.";
    });
  }
  void on_error(const ErrorSeen& e) override {
    constexpr std::int16_t unsupported_compression = 76;
    const Response* const r = frames().response;
    if (e.code != unsupported_compression || !r || r->api_key != 1 || r->request_version >= 10) return;
    const std::string name = topic(e.topic);
    hit({.topic = name, .partition = e.partition}, [&](Text& t) {
      t << "Fetch v" << r->request_version << " and zstd on " << Partition{name, e.partition}
        << ": zstd needs Produce v7, Fetch v10.";
    });
  }
};

}  // namespace

KPARSE_RULE(kp_zstd_ver, ZstdVer, .id = "KP-ZSTD-VER", .severity = Severity::error, .scope = RuleScope::frame,
            .condition =
                "Produce before v7 sends zstd, or Fetch before v10 is answered with "
                "UNSUPPORTED_COMPRESSION_TYPE (76). Zstd that is given to an old Fetch without an error "
                "is no finding.",
            .why = "The producer is refused (76), the consumer gets nothing.",
            .fix = "Update the client, or use another codec in that topic.",
            .example = "Produce v3 and zstd on orders-0: zstd needs Produce v7, Fetch v10.",
            .sources = "librdkafka#4951; KIP-110");

}  // namespace kparse::lint
