// SPDX-License-Identifier: MIT
#include <algorithm>

#include "lint/rule.h"

namespace kparse::lint {
namespace {

class Snaplen final : public Rule {
 public:
  using Rule::Rule;

  void on_segment(const Conn& c, const SegmentSeen& s) override {
    if (s.missing == 0) return;
    Cut& cut = cut_[c];
    if (cut.packets++ == 0) cut.first = s.at;
    cut.stored = std::max(cut.stored, s.stored);
  }

  // Before its end it may not be clear whether a connection is Kafka.
  void on_close(const Conn& c, const Stamp&) override {
    if (const Cut* const cut = cut_.find(c); cut && (c.kafka || c.tls)) {
      if (packets_ == 0) first_ = witness_of(c, cut->first);
      packets_ += cut->packets;
      stored_ = std::max(stored_, cut->stored);
    }
    cut_.drop(c);
  }

  void on_finish(const Stamp&) override {
    if (packets_ == 0) return;
    hit({.at = &first_.at, .count = packets_, .any_client = true}, [&](Text& t) {
      t << packets_ << (packets_ == 1 ? " packet is cut" : " packets are cut");
      if (stored_ != 0) t << " to " << stored_ << " bytes";
      t << "; what was cut can't be decoded.";
    });
  }

 private:
  struct Cut {
    std::uint64_t packets = 0;
    std::uint32_t stored = 0;
    Stamp first;
  };
  PerConn<Cut> cut_;
  std::uint64_t packets_ = 0;
  std::uint32_t stored_ = 0;
  Witness first_;
};

}  // namespace

KPARSE_RULE(kp_snaplen, Snaplen, .id = "KP-SNAPLEN", .severity = Severity::notice, .scope = RuleScope::capture,
            .condition = "At least one packet of a Kafka connection was captured shorter than it was on the wire.",
            .why = "A snapshot length below the packet size loses the payload.", .fix = "Capture with -s 0.",
            .example = "1 packet is cut to 64 bytes; what was cut can't be decoded.", .sources = "pcap",
            .healthy = true);

}  // namespace kparse::lint
