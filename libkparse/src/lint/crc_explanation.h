// SPDX-License-Identifier: MIT
// A checksum that doesn't fit: which wrong way of computing it, or which change after it, would give the stored value.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/crc.h"

namespace kparse::lint {

class CrcExplanation {
 public:
  /// `rest`: the records from the batch or message on, `size` bytes of which are it. `legacy`: CRC-32 of magic 0 and 1.
  CrcExplanation(Bytes rest, std::size_t size, bool legacy, std::int64_t largest_time)
      : rest_(rest), entry_(rest.first(size)), legacy_(legacy), time_(largest_time) {
    crc_at_ = legacy ? 12 : 17;
    from_ = crc_at_ + 4;
    stored_ = load_be<std::uint32_t>(entry_.data() + crc_at_);
    range_ = entry_.subspan(from_);
  }

  [[nodiscard]] std::uint32_t computed() const noexcept { return crc(range_); }

  /// "" when nothing fits. Cost: some twenty checksums of the batch.
  [[nodiscard]] std::string text() {
    work_.assign(range_.begin(), range_.end());
    for (const auto way : {&CrcExplanation::other_kind, &CrcExplanation::other_range, &CrcExplanation::edited,
                           &CrcExplanation::one_bit, &CrcExplanation::zeros})
      if (std::string s = (this->*way)(); !s.empty()) return s;
    return {};
  }

 private:
  [[nodiscard]] std::uint32_t crc(Bytes b) const noexcept { return legacy_ ? crc32(b) : crc32c(b); }

  std::string other_kind() {
    const std::uint32_t right = crc(range_);
    if (stored_ == 0) return "none was written";
    if (__builtin_bswap32(right) == stored_) return "the right value with its bytes in reverse order";
    if (~right == stored_) return "the right value without the inversion at the end";
    if (legacy_ && crc32c(range_) == stored_) return "that is CRC-32C of the same bytes, where messages have CRC-32";
    if (!legacy_ && crc32(range_) == stored_) return "that is CRC-32 of the same bytes, where batches have CRC-32C";
    return {};
  }

  std::string other_range() {
    const std::size_t end = entry_.size();
    struct Range {
      std::size_t from, to;
      std::string_view text;
    };
    const Range ranges[] = {
        {from_ - 4, end, "it fits when the range begins 4 bytes early, with the checksum's own field"},
        {from_ + 4, end, "it fits when the range begins 4 bytes late"},
        {from_, end - 4, "it fits when the range ends 4 bytes early"},
        {from_ + 1, end, "it fits when the range begins 1 byte late"},
        {12, end, "it fits when the range begins at the leader epoch"},
        {16, end, "it fits when the range begins at the magic byte"},
        {8, end, "it fits when the range begins at the length"},
        {0, end, "it fits when the range is the whole batch"},
    };
    for (const Range& r : ranges)
      if (r.from < r.to && r.to <= end && fits(entry_.subspan(r.from, r.to - r.from))) return std::string(r.text);
    if (rest_.size() >= end + 4 && fits(rest_.subspan(from_, end + 4 - from_)))
      return "it fits when the range ends 4 bytes late, in what follows";
    if (!legacy_) {
      for (const std::size_t to :
           {std::size_t{17}, std::size_t{16}}) {  // what is before the field, and what is after it
        std::vector<std::uint8_t> joined(entry_.begin() + 12, entry_.begin() + static_cast<std::ptrdiff_t>(to));
        joined.insert(joined.end(), range_.begin(), range_.end());
        if (fits(joined)) return "it fits when the leader epoch is in the range";
      }
    }
    return {};
  }
  [[nodiscard]] bool fits(Bytes b) const noexcept { return crc(b) == stored_; }

  struct Field {
    std::size_t at, size;
    std::string_view name;
  };
  [[nodiscard]] std::span<const Field> fields() const noexcept {
    static constexpr Field batch[] = {{0, 2, "attributes"},    {2, 4, "lastOffsetDelta"}, {6, 8, "baseTimestamp"},
                                      {14, 8, "maxTimestamp"}, {22, 8, "producerId"},     {30, 2, "producerEpoch"},
                                      {32, 4, "baseSequence"}, {36, 4, "recordsCount"}};
    static constexpr Field message[] = {{1, 1, "attributes"}, {2, 8, "timestamp"}};
    if (legacy_) return range_[0] == 1 ? std::span<const Field>(message) : std::span<const Field>(message).first(1);
    return batch;
  }

  std::string edited() {
    work_[1] ^= 8;
    if (fits(work_))
      return "it fits when attribute bit 3 (LogAppendTime) is flipped: the header was edited after the checksum";
    if (!legacy_ && with_time())
      return "it fits with attribute bit 3 flipped and the records' largest time as maxTimestamp: the header was "
             "edited after the checksum";
    work_[1] ^= 8;
    if (!legacy_ && with_time())
      return "it fits with the records' largest time as maxTimestamp: it was edited after the checksum";
    for (const Field& f : fields()) {
      if (f.at + f.size > work_.size()) break;
      for (const auto byte : {std::uint8_t{0}, std::uint8_t{0xff}})
        if (filled(f.at, f.size, byte))
          return "it fits when " + std::string(f.name) + (byte ? " is -1" : " is 0") +
                 ": that was written after the checksum";
    }
    if (!legacy_ && filled(22, 14, 0xff))
      return "it fits without the producer's id, epoch and sequence: they were written after the checksum";
    if (!legacy_ && filled(6, 16, 0x00))
      return "it fits when both timestamps are 0: they were written after the checksum";
    return {};
  }
  bool with_time() {
    std::uint8_t kept[8];
    std::copy_n(work_.data() + 14, 8, kept);
    for (int i = 0; i < 8; ++i)
      work_[14 + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(time_ >> (56 - 8 * i));
    const bool ok = fits(work_);
    std::copy_n(kept, 8, work_.data() + 14);
    return ok;
  }
  bool filled(std::size_t at, std::size_t size, std::uint8_t byte) {
    const std::vector<std::uint8_t> kept(work_.begin() + static_cast<std::ptrdiff_t>(at),
                                         work_.begin() + static_cast<std::ptrdiff_t>(at + size));
    std::fill_n(work_.begin() + static_cast<std::ptrdiff_t>(at), size, byte);
    const bool ok = fits(work_);
    std::ranges::copy(kept, work_.begin() + static_cast<std::ptrdiff_t>(at));
    return ok;
  }

  /// The checksum is linear: a flipped bit changes it by what depends on the bit's distance from the end only.
  std::string one_bit() {
    constexpr std::size_t most = 16u << 20;
    const std::uint32_t change = stored_ ^ crc(range_);
    if (std::popcount(change) == 1) return "one bit of the checksum's own field is flipped";
    const std::uint32_t polynomial = legacy_ ? 0xedb88320u : 0x82f63b78u;
    std::uint32_t r = polynomial;
    for (std::size_t at = range_.size(); at > 0 && range_.size() <= most; --at) {
      for (int bit = 7; bit >= 0; --bit) {
        if (r == change)
          return "it fits when bit " + std::to_string(bit) + " of byte " + std::to_string(from_ + at - 1) +
                 " is flipped";
        r = (r >> 1) ^ (r & 1 ? polynomial : 0);
      }
    }
    return {};
  }

  /// Lost pages and sectors read as zeros.
  std::string zeros() {
    constexpr std::size_t smallest = 32;
    std::size_t best = 0, best_at = 0;
    for (std::size_t at = 0; at < range_.size();) {
      std::size_t n = 0;
      while (at + n < range_.size() && range_[at + n] == 0) ++n;
      if (n > best) best = n, best_at = at;
      at += n + 1;
    }
    if (best < smallest) return {};
    return std::to_string(best) + " bytes of it, from byte " + std::to_string(from_ + best_at) + " on, are zeros";
  }

  Bytes rest_, entry_, range_;
  bool legacy_;
  std::int64_t time_;
  std::size_t crc_at_ = 0, from_ = 0;
  std::uint32_t stored_ = 0;
  std::vector<std::uint8_t> work_;
};

}  // namespace kparse::lint
