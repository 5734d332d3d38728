// SPDX-License-Identifier: GPL-2.0-or-later
#include "summary.h"

#include <algorithm>

#include "kparse/record_walk.h"

namespace kparse::dissector {

namespace {

constexpr std::uint64_t size_field = 4;

}  // namespace

struct Summary::RecordCounter : RecordSink {
  Counts& counts;
  std::uint64_t& records;
  RecordCounter(Counts& c, bool produced) : counts(c), records(produced ? c.produced : c.fetched) {}
  void record(const Batch& batch, const Record&) noexcept {
    ++records;
    if (batch.control) ++counts.control;
  }
  void end_batch(const Batch& batch, const Error& error) noexcept {
    ++counts.batches;
    if (error) ++counts.batches_unread;
    if (batch.crc_checked && !batch.crc_valid) ++counts.crc_bad;
  }
};

void Summary::clear() noexcept {
  counts_ = {};
  apis_.clear();
  open_.clear();
  connections_.clear();
  lossy_.clear();
}

Summary::ApiRow& Summary::row(const Pdu& p, packet_info* pinfo) {
  const char* const name = api_label(p, pinfo);
  ApiRow& r = apis_[p.api_key];
  if (r.name.empty()) r.name = name;
  return r;
}

void Summary::request(const Pdu& p, packet_info* pinfo) {
  ApiRow& r = row(p, pinfo);
  const std::uint64_t bytes = p.size + size_field;
  ++counts_.requests;
  ++r.requests;
  counts_.request_bytes += bytes;
  r.request_bytes += bytes;
  if (!p.exchange) return;
  if (!p.exchange->answer_expected) {
    ++counts_.no_answer_due;
    ++r.no_answer_due;
  } else if (p.exchange->response_frame == 0) {
    open_.emplace(p.exchange, p.api_key);
  }
}

void Summary::response(const Pdu& p, const Body& b, packet_info* pinfo) {
  const std::uint64_t bytes = p.size + size_field;
  ++counts_.responses;
  counts_.response_bytes += bytes;
  if (!p.matched) return;
  ++counts_.matched;
  open_.erase(p.exchange);
  ApiRow& r = row(p, pinfo);
  ++r.responses;
  r.response_bytes += bytes;
  if (!p.expected && r.no_answer_due > 0) {  // answered all the same
    --r.no_answer_due;
    --counts_.no_answer_due;
  }
  if (waited_in_vain(p, b)) {
    ++r.waited_in_vain;
  } else if (p.latency_ns >= 0) {
    r.fastest_ns = r.timed == 0 ? p.latency_ns : std::min(r.fastest_ns, p.latency_ns);
    r.slowest_ns = std::max(r.slowest_ns, p.latency_ns);
    r.total_ns += p.latency_ns;
    ++r.timed;
  }
}

void Summary::records(const Body& b, bool produced) noexcept {
  RecordCounter counter(counts_, produced);
  for (const TreeNode& n : b.tree->nodes()) {
    if (n.what != TreeNode::What::records || n.value_length == 0) continue;
    read_records(b.bytes.subspan(n.value_offset, n.value_length), record_options(), listener_scratch(), counter);
  }
}

void Summary::body(const FrameTap& tap, packet_info* pinfo) {
  const Pdu& p = *tap.pdu;
  const bool is_response = p.kind == Pdu::Kind::response;
  const Body b = decoded(tap);
  const bool known_kind = !is_response || p.matched;
  if (!p.whole() || b.error || (known_kind && !b.message)) ++counts_.undecoded;
  if (!p.whole()) ++counts_.incomplete;
  if (p.whole() && !is_response && unknown_layout(p)) ++counts_.unknown;
  if (!b.message || !b.tree) return;
  if (carries_record_sets(p.api_key)) records(b, p.api_key == 0);
  if (!is_response) return;
  std::map<std::int16_t, std::uint64_t>& errors = row(p, pinfo).errors;
  struct Errors {
    std::map<std::int16_t, std::uint64_t>& codes;
    bool any;
  } found{errors, false};
  visit(
      b, pinfo, &found,
      [](void* with, std::int16_t code) {
        auto& f = *static_cast<Errors*>(with);
        ++f.codes[code];
        f.any = true;
      },
      [](void*, const char*) {});
  if (found.any) ++row(p, pinfo).failed;
}

void Summary::frame(const FrameTap& tap, packet_info* pinfo) {
  const Pdu& p = *tap.pdu;
  const unsigned stream = stream_of(pinfo);
  switch (p.kind) {
    case Pdu::Kind::request:
      request(p, pinfo);
      body(tap, pinfo);
      break;
    case Pdu::Kind::response:
      response(p, tap.body, pinfo);
      body(tap, pinfo);
      break;
    case Pdu::Kind::sasl:
      ++counts_.sasl_tokens;
      break;
    case Pdu::Kind::gap:
      ++counts_.gaps;
      counts_.lost_bytes += p.missing;
      if (p.cut) counts_.cut_bytes += p.missing;
      lossy_.insert(stream);
      break;
    case Pdu::Kind::skipped:
      counts_.skipped_bytes += p.missing;
      break;
  }
  connections_.insert(stream);
}

std::map<int, std::uint64_t> Summary::unanswered() const {
  std::map<int, std::uint64_t> by_api;
  for (const auto& [exchange, api_key] : open_)
    if (exchange->response_frame == 0) ++by_api[api_key];
  return by_api;
}

}  // namespace kparse::dissector
