// SPDX-License-Identifier: MIT
#include "lint/record_pass.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "kparse/record_walk.h"

namespace kparse::lint {

struct RecordPassSink : RecordSink {
  explicit RecordPassSink(RecordPass& p) : pass(p), rules(p.rules_) {}

  RecordPass& pass;
  const RecordRules& rules;
  const RecordsSeen* field = nullptr;
  std::int32_t batches = 0;
  std::uint64_t looked_at = 0;   ///< batches for how their numbers are written
  std::int64_t before = 0;
  // As in BatchFacts, kept here while the loop runs.
  std::int32_t read = 0, odd_at = -1, unordered_at = -1, negative_at = -1, null_keys = 0, null_values = 0, empty = 0,
               largest_headers = 0;
  std::int64_t odd_delta = 0, last = -1, largest = 0, min_time = 0, max_time = 0;
  SchemaIds key_ids, value_ids;

  // Who writes odd ones always does: of much traffic a share tells.
  bool look_at_numbers() noexcept {
    constexpr std::uint64_t all = 4096, then_one_of = 16;
    return ++looked_at <= all || looked_at % then_one_of == 0;
  }

  bool begin_batch(const Batch& b) noexcept {
    for (Rule* r : rules.begin_batch) r->begin_batch(*field, b);
    read = null_keys = null_values = empty = 0;
    odd_at = unordered_at = negative_at = -1;
    odd_delta = largest = 0;
    largest_headers = 0;
    key_ids.clear();
    value_ids.clear();
    last = -1;
    min_time = std::numeric_limits<std::int64_t>::max();
    max_time = std::numeric_limits<std::int64_t>::min();
    return true;
  }

  void record(const Batch& b, const Record& r) noexcept {
    const auto delta = static_cast<std::int64_t>(static_cast<std::uint64_t>(r.offset) - static_cast<std::uint64_t>(b.base_offset));
    if (delta != r.index && odd_at < 0) {
      odd_at = r.index;
      odd_delta = delta;
    }
    if (read == 0) {
      last = r.offset;
    } else {
      if (r.offset <= before && unordered_at < 0) unordered_at = r.index;
      last = std::max(last, r.offset);
    }
    before = r.offset;
    min_time = std::min(min_time, r.timestamp);
    max_time = std::max(max_time, r.timestamp);
    if (r.timestamp < 0 && negative_at < 0) negative_at = r.index;
    null_keys += r.key.data() == nullptr;
    if (!r.value.data()) {
      ++null_values;
    } else {
      empty += r.value.empty() && r.key.data();
    }
    const auto size = static_cast<std::int64_t>(r.key.size() + r.value.size() + r.headers.size());
    largest = std::max(largest, size);
    largest_headers = std::max(largest_headers, static_cast<std::int32_t>(r.headers.size()));
    key_ids.add(r.key);
    value_ids.add(r.value);
    ++read;
    if (r.header_count > 0 && rules.headers()) headers(b, r);
  }

  void headers(const Batch& b, const Record& r) noexcept {
    HeaderReader reader(r);
    RecordHeader h;
    std::uint64_t ends = 0;
    const std::uint64_t serial = ++pass.records_;
    for (std::int32_t i = 0; reader.next(h); ++i) {
      if (!h.value.data()) [[unlikely]]
        for (Rule* rule : rules.null_header) rule->on_null_header(*field, b, {.header = h, .record = r});
      RecordPass::Name* const n = pass.name(static_cast<std::size_t>(i), h.name);
      if (!n) continue;
      if (n->seen_in == serial) [[unlikely]] {
        ++n->times;
        for (Rule* rule : rules.repeated_header)
          rule->on_repeated_header(*field, b, {.header = h, .record = r}, n->times);
      } else {
        n->seen_in = serial;
        n->times = 1;
      }
      if (n->wanted_by.empty()) continue;
      ends |= n->ends;
      for (Rule* rule : n->wanted_by) rule->on_header(*field, b, {.header = h, .record = r});
    }
    for (; ends != 0; ends &= ends - 1)
      rules.end_record[static_cast<std::size_t>(std::countr_zero(ends))]->end_record(*field, b, r);
  }

  void end_batch(const Batch& b, const Error& e) noexcept {
    const std::uint64_t room = field->records.size() - std::min<std::uint64_t>(b.position, field->records.size());
    const auto size = b.batch_length < 0 ? 12u : static_cast<std::uint64_t>(b.batch_length) + 12;
    BatchFacts f{.batch = b,
                 .bytes = field->records.subspan(field->records.size() - room, std::min(room, size)),
                 .odd_varints = {}};
    ++batches;
    f.opened = b.readable && pass.options_.open;
    f.complete = f.opened && !e;
    f.records = read;
    f.last_offset = last;
    f.odd_delta_at = odd_at;
    f.odd_delta = odd_delta;
    f.unordered_at = unordered_at;
    f.min_time = read > 0 ? min_time : 0;
    f.max_time = read > 0 ? max_time : 0;
    f.negative_time_at = negative_at;
    f.null_keys = null_keys;
    f.null_values = null_values;
    f.empty_values = empty;
    f.largest_record = largest;
    f.largest_headers = largest_headers;
    f.key_ids = key_ids.found() > 0 ? &key_ids : nullptr;
    f.value_ids = value_ids.found() > 0 ? &value_ids : nullptr;
    if (f.opened && b.magic == 2 && !b.draft && look_at_numbers()) f.odd_varints = odd_varints(b.opened, b.count);
    for (Rule* r : rules.end_batch) r->end_batch(*field, f, e);
    if (b.codec != Codec::none)
      for (Rule* r : rules.packed_batch) r->end_packed_batch(*field, f, e);
    if (e || (b.crc_checked && !b.crc_valid) || b.inner_crc_bad > 0) [[unlikely]]
      for (Rule* r : rules.bad_batch) r->end_bad_batch(*field, f, e);
  }

  void partial(std::uint64_t bytes, std::uint64_t need) noexcept {
    for (Rule* r : rules.partial) r->on_partial(*field, bytes, need);
  }
};

RecordPass::RecordPass(const RecordRules& rules, const RecordOptions& options, Desk& desk)
    : rules_(rules), options_(options), sink_(std::make_unique<RecordPassSink>(*this)), room_(desk, "header names", 100'000) {}
RecordPass::~RecordPass() = default;

void RecordPass::begin(const RecordsSeen& seen) noexcept {
  sink_->field = &seen;
  sink_->batches = 0;
}

void RecordPass::read() {
  read_records(sink_->field->records, options_, scratch_, *sink_);
  end_records();
}

void RecordPass::begin_batch(const Batch& b) noexcept { (void)sink_->begin_batch(b); }
void RecordPass::record(const Batch& b, const Record& r) noexcept { sink_->record(b, r); }
void RecordPass::end_batch(const Batch& b, const Error& e) noexcept { sink_->end_batch(b, e); }
void RecordPass::partial(std::uint64_t bytes, std::uint64_t need) noexcept { sink_->partial(bytes, need); }
void RecordPass::end_records() noexcept {
  for (Rule* r : rules_.end_records) r->end_records(*sink_->field, sink_->batches);
}

RecordPass::Name* RecordPass::name(std::size_t place, std::string_view text) {
  if (place < at_place_.size() && at_place_[place] && at_place_[place]->text == text) return at_place_[place];
  Name* found = nullptr;
  if (const auto at = by_text_.find(text); at != by_text_.end()) {
    found = at->second;
  } else if (room_.beside(names_.size())) {
    auto n = std::make_unique<Name>();
    n->text = text;
    for (Rule* r : rules_.header) {
      if (!r->wants_header(text)) continue;
      n->wanted_by.push_back(r);
      const auto end = std::ranges::find(rules_.end_record, r);   // at most 64 of them: as many as rules about headers
      if (end != rules_.end_record.end()) n->ends |= std::uint64_t{1} << (end - rules_.end_record.begin());
    }
    by_text_.emplace(n->text, n.get());
    found = n.get();
    names_.push_back(std::move(n));
  }
  if (place < 64) {
    if (place >= at_place_.size()) at_place_.resize(place + 1);
    at_place_[place] = found;
  }
  return found;
}

}  // namespace kparse::lint
