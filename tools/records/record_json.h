// SPDX-License-Identifier: MIT
// Records as JSON, one a line (COMMAND: "records --format ndjson").
#pragma once

#include <array>
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
  void write_place(const RecordsPlace&);
  void write_head(const Batch&);

  Output& out_;
  const std::vector<std::string>& captures_;
  const BytesAs bytes_;
  const RecordExtras extras_;
  InternalDecoder internal_;
  JsonWriter shared_;              ///< an open object: the field's members, then the batch's
  std::size_t field_size_ = 0;     ///< of the field's members in it
  JsonWriter lines_;

  /// What a field has in common with the one before, nearly always.
  struct Place {
    std::uint64_t conversation = 0;
    std::string client_id, topic;
    bool client_id_null = false, has_id = false;
    Via via = Via::produce;
    std::array<std::uint8_t, 16> id{};
    std::int32_t partition = 0;
    [[nodiscard]] bool is(const RecordsPlace&) const noexcept;
  };
  Place place_;
  JsonWriter place_members_;       ///< empty: none yet
  /// The same of a batch.
  struct Head {
    TimestampType timestamp_type;
    std::int8_t magic;
    Codec codec;
    std::int64_t producer_id;
    std::int16_t producer_epoch;
    bool transactional, draft;
    [[nodiscard]] bool operator==(const Head&) const = default;
  };
  Head head_{};
  JsonWriter head_members_;
};

}  // namespace kparse::cli
