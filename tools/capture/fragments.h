// SPDX-License-Identifier: MIT
// IP datagrams put together from fragments (RFC 791, RFC 8200 section 4.5).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "kparse/bytes.h"

namespace kparse::capture {

struct FragmentKey {
  std::array<std::uint8_t, 16> source{}, destination{};
  std::uint32_t id = 0;
  std::uint8_t protocol = 0;
  bool v6 = false;

  auto operator<=>(const FragmentKey&) const = default;
};

struct Fragment {
  std::uint32_t offset = 0;
  std::uint32_t wire_length = 0;  ///< at least data.size()
  bool more = false;
  Bytes data;
};

/// Bounded: past `max_datagrams` or `max_bytes` the oldest unfinished datagram is given up.
class Fragments {
 public:
  explicit Fragments(std::size_t max_datagrams = 4096, std::size_t max_bytes = 16u << 20)
      : max_datagrams_(max_datagrams), max_bytes_(max_bytes) {}

  struct Whole {
    std::vector<std::uint8_t> data;  ///< up to the first byte that the snapshot length cut
    std::uint32_t wire_length = 0;
    std::uint8_t protocol = 0;  ///< of the first fragment (in IPv6 the header after the fragment header)
  };
  /// True: the datagram is complete and in `out`. Of bytes that come twice the first copy counts. A fragment of a
  /// datagram that is older than 30 s begins a new one. `first_protocol` counts in the fragment with offset 0.
  bool add(const FragmentKey&, const Fragment&, std::uint8_t first_protocol, std::int64_t time_ns, Whole& out);

  /// Given up, or not finished yet.
  [[nodiscard]] std::uint64_t incomplete() const noexcept { return given_up_ + table_.size(); }
  /// Given up because the table was full.
  [[nodiscard]] std::uint64_t given_up() const noexcept { return full_; }

 private:
  struct Piece {
    std::uint32_t offset, wire_length;
    std::vector<std::uint8_t> data;
  };
  struct Datagram {
    std::vector<Piece> pieces;  // by offset, no two overlap
    std::uint32_t covered = 0, total = 0;
    bool total_known = false;
    std::uint8_t protocol = 0;
    std::int64_t time_ns = 0;
    std::uint64_t serial = 0;
    std::size_t bytes = 0;
  };
  void put(Datagram&, const Fragment&);
  void drop(std::map<FragmentKey, Datagram>::iterator);
  void make_room();

  std::size_t max_datagrams_, max_bytes_, bytes_ = 0;
  std::map<FragmentKey, Datagram> table_;
  std::deque<std::pair<std::uint64_t, FragmentKey>>
      order_;  // oldest first; entries of finished ones stay until they get there
  std::uint64_t serial_ = 0, given_up_ = 0, full_ = 0;
};

}  // namespace kparse::capture
