// SPDX-License-Identifier: MIT
// One pass over the records of a field, for all rules that look at batches, records or their headers.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kparse/compress.h"
#include "kparse/record_listener.h"
#include "lint/rule.h"

namespace kparse::lint {

/// Who wants to hear of it; in calling order.
struct RecordRules {
  std::vector<Rule*> begin_batch, header, end_record, end_batch, partial, end_records;
  std::vector<Rule*> null_header, repeated_header, bad_batch, packed_batch;
  [[nodiscard]] bool headers() const noexcept {
    return !(header.empty() && null_header.empty() && repeated_header.empty());
  }
  [[nodiscard]] bool any() const noexcept {
    return !(begin_batch.empty() && header.empty() && end_record.empty() && end_batch.empty() &&
             partial.empty() && end_records.empty() && null_header.empty() && repeated_header.empty() &&
             bad_batch.empty() && packed_batch.empty());
  }
};

struct RecordPassSink;

class RecordPass final : public RecordListener {
 public:
  RecordPass(const RecordRules&, const RecordOptions&, Desk&);
  ~RecordPass() override;

  /// What follows is about this field, which must outlive it.
  void begin(const RecordsSeen&) noexcept;
  /// Opens it; or else whoever does calls these.
  void read();
  void begin_batch(const Batch&) noexcept override;
  void record(const Batch&, const Record&) noexcept override;
  void end_batch(const Batch&, const Error&) noexcept override;
  void partial(std::uint64_t bytes, std::uint64_t need) noexcept override;
  void end_records() noexcept override;

 private:
  friend struct RecordPassSink;
  struct Name {
    std::string text;
    std::vector<Rule*> wanted_by;
    std::uint64_t ends = 0;      ///< ... those of them that want the record's end, too: bits, by place in RecordRules
    std::uint64_t seen_in = 0;   ///< the newest record that has it
    std::int32_t times = 0;      ///< ... so often
  };
  Name* name(std::size_t place, std::string_view);

  const RecordRules& rules_;
  RecordOptions options_;
  Scratch scratch_;
  std::unique_ptr<RecordPassSink> sink_;
  std::unordered_map<std::string_view, Name*> by_text_;
  std::vector<std::unique_ptr<Name>> names_;
  std::vector<Name*> at_place_;   ///< what stood there last: records of a topic mostly have the same names in order
  Room room_;   ///< for names: rules aren't asked about others
  std::uint64_t records_ = 0;   ///< with headers, so far
};

}  // namespace kparse::lint
