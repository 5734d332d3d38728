// SPDX-License-Identifier: MIT
// Bodies that are tables of partitions: offsets, and partitions of transactions.
#pragma once

#include "kparse/cluster.h"
#include "kparse/decode.h"
#include "kparse/topic_ref.h"
#include "session/listing.h"
#include "session/parts.h"

namespace kparse {

struct Row {
  TopicRef topic;
  std::int32_t partition = -1;
  std::int64_t offset = -1;
  std::int64_t timestamp = -1;
  std::int32_t leader_epoch = -1;
  std::int16_t error = 0;
  std::string_view metadata{};
};

/// A transaction, a marker, a group; or the whole body where it isn't made of several.
struct Section {
  std::string_view group, member, instance, transactional_id;
  std::int32_t generation = -1, timeout_ms = -1;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1, error = 0;
  std::int8_t isolation = 0;
  bool result = false, verify_only = false;
  std::size_t first_row = 0, rows = 0;
};

struct RowFacts {
  Listing<Row> rows;
  Listing<Section> sections;  ///< at least one
  [[nodiscard]] std::span<const Row> rows_of(const Section& s) const noexcept {
    return rows.view().subspan(s.first_row, s.rows);
  }
  [[nodiscard]] std::uint64_t left_out() const noexcept { return rows.left_out() + sections.left_out(); }
};

class RowSink : public Sink {
 public:
  RowSink(const Part* parts, const Cluster& cluster, RowFacts& facts) noexcept
      : parts_(parts), cluster_(cluster), f_(facts) {
    f_.rows.clear();
    f_.sections.clear();
  }
  /// After the walk.
  void finish() noexcept;

  void begin_struct(NodeId, const std::uint8_t*) noexcept;
  void end_struct(NodeId, const std::uint8_t*) noexcept;
  void boolean(NodeId, bool, Bytes) noexcept;
  void integer(NodeId, std::int64_t, Bytes) noexcept;
  void uuid(NodeId, Bytes) noexcept;
  void string(NodeId, std::string_view, Bytes) noexcept;

 private:
  Section& section() noexcept { return inner_ ? element_ : whole_; }

  const Part* parts_;
  const Cluster& cluster_;
  RowFacts& f_;
  Section whole_, element_;
  bool inner_ = false;
  Row row_;
  bool row_open_ = false;
};

}  // namespace kparse
