// SPDX-License-Identifier: GPL-2.0-or-later
#include "record_set.h"

#include <exception>
#include <vector>

#include "kparse/record_walk.h"

namespace kparse::dissector {
namespace {

template <class T>
bool push(std::vector<T>& all, const T& one) noexcept try {
  all.push_back(one);
  return true;
} catch (const std::exception&) {
  return false;
}

Scratch& scratch() noexcept {
  static Scratch& kept = *new Scratch;
  return kept;
}

struct Places : RecordSink {
  std::vector<BatchPlace>& out;
  std::uint64_t size;
  BatchPlaces found{};

  Places(std::vector<BatchPlace>& o, std::uint64_t n) noexcept : out(o), size(n) {}

  void close_last(std::uint64_t end) noexcept {
    if (!out.empty()) out.back().size = end - out.back().at;
  }
  bool begin_batch(const Batch& b) noexcept {
    close_last(b.position);
    found.complete = push(out, BatchPlace{b.position, 0}) && found.complete;
    return false;
  }
  void partial(std::uint64_t bytes, std::uint64_t need) noexcept {
    found.partial_at = size - bytes;
    found.partial = bytes;
    found.need = need;
  }
};

struct Rows : RecordSink {
  std::vector<RecordRow>& out;
  OpenedBatch result{};
  unsigned most;
  std::uint64_t next_at = 0;  ///< where the next record begins

  Rows(std::vector<RecordRow>& o, unsigned m) noexcept : out(o), most(m) {}

  void record(const Batch& b, const Record& r) noexcept {
    RecordRow row{.record = r};
    std::uint64_t end = b.opened.size();
    if (b.magic == 2 && !b.draft) {
      end = static_cast<std::uint64_t>(r.headers.data() + r.headers.size() - b.opened.data());
    } else if (b.codec != Codec::none && end - next_at >= 12) {
      end = next_at + 12 + load_be<std::uint32_t>(b.opened.data() + next_at + 8);
    }
    row.at = static_cast<std::uint32_t>(next_at);
    row.size = static_cast<std::uint32_t>(end - next_at);
    next_at = end;
    if ((most > 0 && out.size() >= most) || !push(out, row)) ++result.left_out;
  }
  void end_batch(const Batch& b, const Error& e) noexcept {
    result.batch = b;
    result.error = e;
  }
};

}  // namespace

BatchPlaces find_batches(Bytes set) noexcept {
  static std::vector<BatchPlace>& kept = *new std::vector<BatchPlace>;
  kept.clear();
  Places sink(kept, set.size());
  RecordOptions options;
  options.open = options.verify_crc = false;
  read_records(set, options, scratch(), sink);
  sink.close_last(set.size() - sink.found.partial);
  sink.found.batches = kept;
  return sink.found;
}

OpenedBatch read_batch(Bytes entry, const RecordOptions& options, unsigned max_records) noexcept {
  static std::vector<RecordRow>& kept = *new std::vector<RecordRow>;
  kept.clear();
  Rows sink(kept, max_records);
  read_records(entry, options, scratch(), sink);
  sink.result.records = kept;
  return sink.result;
}

}  // namespace kparse::dissector
