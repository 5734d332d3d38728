// SPDX-License-Identifier: MIT
// Opens record batches and counts what is in them.
#pragma once

#include "kparse/compress.h"
#include "kparse/events.h"
#include "kparse/record_listener.h"
#include "kparse/records.h"
#include "report/headers.h"
#include "report/seen.h"
#include "report/topics.h"

namespace kparse::report {

/// One per thread. Allocates nothing per record: a header name that was not in the record before costs a table lookup.
class RecordCounter {
 public:
  /// `names`: what header names mean; must outlive the tables.
  RecordCounter(const RecordOptions& options, const HeaderRegister& names) : options_(options), names_(names) {}

  /// `row`: of the topic; nullptr: only the totals count (snapshots, and topics that were left out). `also`: hears of
  /// batches and records, too; mostly nullptr.
  void count(const RecordsSeen&, TopicRow* row, HeaderTable&, Seen&, RecordListener* also = nullptr);

 private:
  RecordOptions options_;
  const HeaderRegister& names_;
  Scratch scratch_;
  KeyBuilder key_;
  std::uint64_t record_ = 0;  ///< of the newest with headers
};

}  // namespace kparse::report
