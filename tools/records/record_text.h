// SPDX-License-Identifier: MIT
// Records for people, and as CSV.
#pragma once

#include <string>
#include <vector>

#include "kparse/json.h"
#include "output/csv.h"
#include "output/output.h"
#include "output/text.h"
#include "records/carriers_out.h"
#include "records/internal_decoder.h"
#include "records/record_out.h"

namespace kparse::cli {

/// One aligned line a record; keys and values are cut.
class RecordText final : public RecordOut {
 public:
  RecordText(Output&, BytesAs, Painter, bool show_secrets, RecordExtras = {});

  void begin_field(const RecordsPlace&) override;
  void begin_batch(const Batch&) override {}
  void record(const Batch&, const Record&, std::optional<std::int64_t> offset) override;

 private:
  /// `bytes` as text for people, at most `width` columns.
  std::string shown(Bytes bytes, std::size_t width);

  Output& out_;
  const BytesAs bytes_;
  const RecordExtras extras_;
  InternalDecoder internal_;
  const Painter paint_;
  std::string place_;              ///< what the lines of a field have in common
  std::string topic_;
  JsonWriter scratch_;
};

/// The members of the JSON lines as columns; keys and values that aren't text as base64.
class RecordCsv final : public RecordOut {
 public:
  RecordCsv(Output&, const std::vector<std::string>& captures, BytesAs, bool show_secrets, RecordExtras = {});

  void begin_field(const RecordsPlace&) override;
  void begin_batch(const Batch&) override {}
  void record(const Batch&, const Record&, std::optional<std::int64_t> offset) override;

 private:
  void bytes_cell(Bytes);
  void text_cell(std::string_view text, bool null);

  Csv csv_;
  const std::vector<std::string>& captures_;
  const BytesAs bytes_;
  const RecordExtras extras_;
  InternalDecoder internal_;
  struct {
    std::string capture, time, client, server, client_id, via, topic, topic_id;
    bool client_id_null = false;
    std::uint64_t packet = 0, conversation = 0;
    std::int32_t partition = -1;
  } place_;
  JsonWriter scratch_;
};

}  // namespace kparse::cli
