// SPDX-License-Identifier: MIT
#include "session/batch_pass.h"

#include <new>

#include "kparse/record_walk.h"

namespace kparse {
namespace {

struct OwnPass : RecordSink {
  explicit OwnPass(BatchPass& p) noexcept : pass(p) {}
  BatchPass& pass;

  // Control batches are never compressed: opening them costs nothing.
  bool begin_batch(const Batch& b) noexcept {
    pass.begin_batch(b);
    return b.readable && b.control && b.codec == Codec::none;
  }
  void record(const Batch& b, const Record& r) noexcept { pass.record(b, r); }
  void end_batch(const Batch& b, const Error& e) noexcept { pass.end_batch(b, e); }
};

}  // namespace

void BatchPass::begin(const RecordsSeen& seen) noexcept {
  seen_ = &seen;
  heard_ = false;
  records_ = 0;
}

void BatchPass::end() noexcept {
  if (heard_) return;
  OwnPass own(*this);
  read_records(seen_->records, RecordOptions{.verify_crc = false}, scratch_, own);
}

void BatchPass::record(const Batch&, const Record& r) noexcept {
  if (control_type_ == -1) control_type_ = r.control_type;
}

void BatchPass::end_batch(const Batch& b, const Error&) noexcept {
  if (!b.readable || heard_) return;
  Sequence sequence = Sequence::none;
  if (seen_->via == Via::produce) {
    try {
      sequence = producers_.follow(seen_->topic, seen_->partition, b);
    } catch (const std::bad_alloc&) {
      ++failed_;
    }
  }
  observer_.on_batch({.via = seen_->via,
                      .topic = seen_->topic,
                      .partition = seen_->partition,
                      .batch = b,
                      .records_before = records_,
                      .sequence = sequence,
                      .control_type = control_type_});
  if (b.count > 0) records_ += static_cast<std::uint64_t>(b.count);
}

}  // namespace kparse
