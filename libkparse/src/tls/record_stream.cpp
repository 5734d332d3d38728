// SPDX-License-Identifier: MIT
#include "tls/record_stream.h"

#include <algorithm>

#include "tls/record_cipher.h"

namespace kparse::tls {
namespace {

constexpr std::size_t max_pieces = 4096;  // of one record: beyond, packets of a few bytes share a mark

std::size_t size_of(Bytes header) noexcept { return header_size + load_be<std::uint16_t>(header.data() + 3); }

bool is_header(Bytes b) noexcept {
  return b[0] >= change_cipher_spec && b[0] <= 24 && b[1] == 3 && b[2] <= 4 && size_of(b) > header_size &&
         size_of(b) <= max_record;
}

/// Inside a connection all records say version 3.3, or 3.1 in a first hello.
bool is_header_found(Bytes b) noexcept {
  return b[0] >= change_cipher_spec && b[0] <= application_data && (b[2] == 3 || b[2] == 1) && is_header(b);
}

}  // namespace

void RecordStream::keep(Bytes b, Stamp carried) {
  if (pieces_.empty() || (pieces_.size() < max_pieces && pieces_.back().by != carried))
    pieces_.push_back({buffer_.size(), carried});
  // A record over many packets grows once, to what the largest one needs.
  if (buffer_.size() + b.size() > buffer_.capacity() && !buffer_.empty() && buffer_.size() + b.size() <= max_record)
    buffer_.reserve(max_record);
  buffer_.insert(buffer_.end(), b.begin(), b.end());
}

void RecordStream::drop(std::size_t n) {
  if (n == buffer_.size()) {
    buffer_ = {};  // most connections are idle at any time: they don't keep it
    pieces_.clear();
    return;
  }
  if (n == 0) return;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(n));
  std::size_t first = 0;
  while (first + 1 < pieces_.size() && pieces_[first + 1].at <= n) ++first;
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first));
  for (Carried& c : pieces_) c.at = c.at > n ? c.at - n : 0;
}

RawRecord RecordStream::record(std::size_t at, std::size_t size, Stamp now) const noexcept {
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), at, [](std::size_t a, const Carried& c) { return a < c.at; });
  const auto first = after == pieces_.begin() ? after : after - 1;
  return {Bytes(buffer_).subspan(at, size),
          next_ - buffer_.size() + at,
          now,
          &*first,
          static_cast<std::size_t>(pieces_.end() - first),
          at};
}

/// Takes whole records out of the buffer. `last`: nothing will follow without a gap.
void RecordStream::work(Stamp now, bool last) {
  std::size_t at = 0;
  while (!stopped_ && buffer_.size() - at >= header_size) {
    const Bytes rest = Bytes(buffer_).subspan(at);
    if (phase_ == Phase::reading) {
      if (!is_header(rest)) {
        if (!host_.on_lost_place(direction_, rest, now)) {
          stop();
          break;
        }
        phase_ = Phase::searching;
        continue;
      }
      const std::size_t size = size_of(rest);
      if (rest.size() < size) break;
      host_.on_record(direction_, record(at, size, now));
      at += size;
      continue;
    }
    const std::size_t size = is_header_found(rest) ? size_of(rest) : 0;
    if (size == 0) {
      ++at;
    } else if (rest.size() < size) {
      if (!last) break;
      ++at;
    } else if (host_.try_record(direction_, record(at, size, now))) {
      phase_ = Phase::reading;
      at += size;
    } else {
      ++at;
    }
  }
  drop(stopped_ ? buffer_.size() : at);
}

void RecordStream::data(std::uint64_t offset, Bytes b, Stamp carried, Stamp now) {
  if (stopped_) return;
  received_ = offset + b.size();
  if (offset < next_) {
    const std::uint64_t known = next_ - offset;
    if (known >= b.size()) return;
    b = b.subspan(static_cast<std::size_t>(known));
  } else if (offset > next_) {
    gap(offset - next_, now);
  }
  while (!b.empty() && !stopped_) {
    std::size_t used = b.size();
    if (phase_ == Phase::skipping) {
      used = static_cast<std::size_t>(std::min<std::uint64_t>(skip_, b.size()));
      skip_ -= used;
      next_ += used;
      if (skip_ == 0) phase_ = Phase::reading;
    } else if (phase_ == Phase::reading && buffer_.empty() && b.size() >= header_size && is_header(b) &&
               size_of(b) <= b.size()) {  // whole, in one packet: no copy
      used = size_of(b);
      const Carried whole{0, carried};
      const RawRecord r{b.first(used), next_, now, &whole, 1, 0};
      next_ += used;
      host_.on_record(direction_, r);
    } else {
      if (phase_ == Phase::reading) {
        const std::size_t have = buffer_.size();
        const std::size_t want = have >= header_size ? size_of(buffer_) : header_size;
        used = std::min(want - have, b.size());
      }
      next_ += used;
      keep(b.first(used), carried);
      work(now, false);
    }
    b = b.subspan(used);
  }
}

void RecordStream::gap(std::uint64_t bytes, Stamp now) {
  if (!stopped_ && phase_ == Phase::searching) work(now, true);
  if (!stopped_) {
    if (phase_ == Phase::reading && buffer_.size() >= header_size) {
      skip_ = size_of(buffer_) - buffer_.size();
      phase_ = Phase::skipping;
      host_.on_damaged(direction_, buffer_);
    }
    drop(buffer_.size());
    if (phase_ != Phase::skipping || bytes > skip_) {
      phase_ = Phase::searching;
    } else {
      skip_ -= bytes;
      if (skip_ == 0) phase_ = Phase::reading;
    }
  }
  next_ += bytes;
}

void RecordStream::end(Stamp now) {
  if (!stopped_ && phase_ == Phase::searching) work(now, true);
  drop(buffer_.size());
  stop();
}

}  // namespace kparse::tls
