// SPDX-License-Identifier: MIT
#include "session/row_sink.h"

namespace kparse {

void RowSink::begin_struct(NodeId node, const std::uint8_t*) noexcept {
  if (parts_[node] == Part::section) {
    inner_ = true;
    element_ = {};
    element_.first_row = f_.rows.size();
  }
  // A struct with no number of its own inside one that has: nothing of the kind exists.
  row_open_ = false;
}

void RowSink::end_struct(NodeId node, const std::uint8_t*) noexcept {
  if (row_open_) {
    f_.rows.push(row_);
    row_open_ = false;
  }
  if (parts_[node] != Part::section) return;
  element_.rows = f_.rows.size() - element_.first_row;
  f_.sections.push(element_);
  inner_ = false;
}

void RowSink::finish() noexcept {
  if (f_.sections.size() > 0) {
    for (Section& s : f_.sections.items())
      if (s.error == 0) s.error = whole_.error;
    return;
  }
  whole_.rows = f_.rows.size();
  f_.sections.push(whole_);
}

void RowSink::boolean(NodeId node, bool v, Bytes) noexcept {
  switch (parts_[node]) {
    case Part::result:
      section().result = v;
      break;
    case Part::verify_only:
      section().verify_only = v;
      break;
    default:
      break;
  }
}

void RowSink::integer(NodeId node, std::int64_t v, Bytes) noexcept {
  switch (parts_[node]) {
    case Part::generation:
      section().generation = static_cast<std::int32_t>(v);
      break;
    case Part::timeout:
      section().timeout_ms = static_cast<std::int32_t>(v);
      break;
    case Part::producer_id:
      section().producer_id = v;
      break;
    case Part::producer_epoch:
      section().producer_epoch = static_cast<std::int16_t>(v);
      break;
    case Part::isolation:
      section().isolation = static_cast<std::int8_t>(v);
      break;
    case Part::error:
      section().error = static_cast<std::int16_t>(v);
      break;
    case Part::row_partition: {
      const TopicRef topic = row_.topic;
      row_ = {};
      row_.topic = topic;
      row_.partition = static_cast<std::int32_t>(v);
      row_open_ = true;
      break;
    }
    case Part::row_partitions:
      f_.rows.push({.topic = row_.topic, .partition = static_cast<std::int32_t>(v)});
      break;
    case Part::row_offset:
      if (row_.offset < 0) row_.offset = v;  // an array of them has the latest first
      break;
    case Part::row_timestamp:
      row_.timestamp = v;
      break;
    case Part::row_leader_epoch:
      row_.leader_epoch = static_cast<std::int32_t>(v);
      break;
    case Part::row_error:
      row_.error = static_cast<std::int16_t>(v);
      break;
    default:
      break;
  }
}

void RowSink::uuid(NodeId node, Bytes id) noexcept {
  if (parts_[node] == Part::row_topic_id) row_.topic = {.name = cluster_.topic_name(id.data()), .id = id.data()};
}

void RowSink::string(NodeId node, std::string_view v, Bytes) noexcept {
  switch (parts_[node]) {
    case Part::group:
      section().group = v;
      break;
    case Part::member:
      section().member = v;
      break;
    case Part::instance:
      section().instance = v;
      break;
    case Part::transactional_id:
      section().transactional_id = v;
      break;
    case Part::row_topic:
      row_.topic = {.name = v, .id = nullptr};
      break;
    case Part::row_metadata:
      row_.metadata = v;
      break;
    default:
      break;
  }
}

}  // namespace kparse
