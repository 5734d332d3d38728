// SPDX-License-Identifier: MIT
#include "kparse/records.h"

#include <array>

#include "kparse/record_walk.h"

namespace kparse {

std::string_view name_of(TimestampType t) noexcept {
  static constexpr std::array<std::string_view, 3> names{"NoTimestampType", "CreateTime", "LogAppendTime"};
  return names[static_cast<std::size_t>(t)];
}

std::string_view name_of(DraftForm f) noexcept {
  static constexpr std::array<std::string_view, 4> names{"none", "int32", "messagepack", "tfile"};
  return names[static_cast<std::size_t>(f)];
}

std::string_view control_type_name(std::int16_t type) noexcept {
  static constexpr std::array<std::string_view, 7> names{
      "ABORT", "COMMIT", "LeaderChange", "SnapshotHeader", "SnapshotFooter", "KRaftVersion", "KRaftVoters"};
  return type >= 0 && static_cast<std::size_t>(type) < names.size() ? names[static_cast<std::size_t>(type)] : "UNKNOWN";
}

bool HeaderReader::next(RecordHeader& out) noexcept {
  if (left_ <= 0) return false;
  --left_;
  Bytes name;
  at_ = detail::read_nullable(at_, end_, name);
  if (at_) at_ = detail::read_nullable(at_, end_, out.value);
  if (!at_) {  // not the view of a record that was read
    left_ = 0;
    return false;
  }
  out.name = text(name);
  return true;
}

namespace detail {

std::int16_t control_type(Bytes key) noexcept {
  constexpr std::int16_t unreadable = -2;
  if (key.size() < 4 || load_be<std::int16_t>(key.data()) < 0) return unreadable;  // version, type
  return load_be<std::int16_t>(key.data() + 2);
}

Bytes open_payload(Batch& batch, std::uint64_t payload_at, const RecordOptions& options, Scratch& scratch,
                   Error& error) noexcept {
  if (batch.codec == Codec::none) {
    batch.uncompressed = batch.payload.size();
    batch.opened = batch.payload;
    return batch.payload;
  }
  const Decompressed out =
      decompress(batch.codec, batch.payload, scratch, {.max_out = options.max_batch, .max_ratio = options.max_ratio},
                 batch.magic == 0 ? Lz4Header::lenient : Lz4Header::checked);
  error = out.error;
  if (error) error.offset += payload_at;
  batch.opened = out.data;
  batch.uncompressed = out.data.size();
  batch.xerial = out.xerial;
  batch.xerial_version = out.xerial_version;
  batch.xerial_compatible = out.xerial_compatible;
  batch.lz4_wrong_header_checksum = out.lz4_wrong_header_checksum;
  return out.data;
}

}  // namespace detail

}  // namespace kparse
