// SPDX-License-Identifier: MIT
// Records as JSON, one a line (COMMAND: "records --format ndjson").
#pragma once

#include <string>
#include <vector>

#include "kparse/json.h"
#include "output/output.h"
#include "records/carriers_out.h"
#include "records/internal_decoder.h"
#include "records/record_out.h"

namespace kparse::cli {

/// Allocates nothing per record: what a line shares with the one before is kept as text.
class RecordJson final : public RecordOut {
 public:
  RecordJson(Output&, const std::vector<std::string>& captures, BytesAs, bool show_secrets, RecordExtras = {});
  /// Writes what is buffered.
  ~RecordJson() override;

  void begin_field(const RecordsPlace&) override;
  void begin_batch(const Batch&) override;
  void record(const Batch&, const Record&, std::optional<std::int64_t> offset) override;

 private:
  void flush();

  Output& out_;
  const std::vector<std::string>& captures_;
  const BytesAs bytes_;
  const RecordExtras extras_;
  InternalDecoder internal_;
  JsonWriter shared_;              ///< an open object: the field's members, then the batch's
  std::size_t field_size_ = 0;     ///< of the field's members in it
  JsonWriter lines_;
};

}  // namespace kparse::cli
