// SPDX-License-Identifier: GPL-2.0-or-later
// The numbers behind `-z kparse,sum`. They mean what those of `kparse report` mean.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "listeners.h"

namespace kparse::dissector {

class Summary {
 public:
  explicit Summary(const char* filter) : filter_(filter) {}

  void clear() noexcept;
  void frame(const FrameTap&, packet_info*);
  /// To stdout.
  void print() const;

 private:
  struct ApiRow {
    std::string name;
    std::uint64_t requests = 0, responses = 0, no_answer_due = 0, failed = 0;
    std::uint64_t request_bytes = 0, response_bytes = 0;
    std::int64_t fastest_ns = 0, slowest_ns = 0, total_ns = 0;
    std::uint64_t timed = 0, waited_in_vain = 0;
    std::map<std::int16_t, std::uint64_t> errors;
  };
  struct Counts {
    std::uint64_t requests = 0, responses = 0, matched = 0, no_answer_due = 0;
    std::uint64_t request_bytes = 0, response_bytes = 0;
    std::uint64_t undecoded = 0, incomplete = 0, unknown = 0, sasl_tokens = 0;
    std::uint64_t gaps = 0, lost_bytes = 0, cut_bytes = 0, skipped_bytes = 0;
    std::uint64_t batches = 0, batches_unread = 0, crc_bad = 0;
    std::uint64_t produced = 0, fetched = 0, control = 0;
  };
  struct RecordCounter;

  void request(const Pdu&, packet_info*);
  void response(const Pdu&, const Body&, packet_info*);
  void body(const FrameTap&, packet_info*);
  void records(const Body&, bool produced) noexcept;
  ApiRow& row(const Pdu&, packet_info*);
  [[nodiscard]] std::map<int, std::uint64_t> unanswered() const;
  void print_totals(std::uint64_t unanswered) const;
  void print_apis(const std::map<int, std::uint64_t>& unanswered) const;
  void print_errors() const;

  std::string filter_;
  Counts counts_;
  std::map<int, ApiRow> apis_;
  std::unordered_map<const Exchange*, int> open_;  ///< API key of requests without a response so far
  std::unordered_set<unsigned> connections_, lossy_;
};

}  // namespace kparse::dissector
