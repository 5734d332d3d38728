// SPDX-License-Identifier: MIT
// The requests of a connection that wait for an answer, in order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kparse/schema.h"
#include "kparse/stamp.h"

namespace kparse::frame {

struct Pending {
  const Api* api = nullptr;
  std::int16_t key = -1, version = -1;
  bool whole = true;    ///< the request has all its bytes
  bool silent = false;  ///< no answer is due (acks=0), but some mock broker sends one
  std::uint64_t serial = 0;
  std::uint64_t offset = 0;
  Stamp first, last, completed;
};

/// Places are valid until the next push or answer. A search is linear, but four bytes an entry; where many wait, after a
/// small filter.
class PendingTable {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  explicit PendingTable(std::uint32_t limit) noexcept : limit_(limit) {}

  void push(std::int32_t id, const Pending&) noexcept;
  /// The first with this id at or after place `from` that waits for an answer; failing that, a silent one.
  [[nodiscard]] std::size_t find(std::int32_t id, std::size_t from) const noexcept;
  [[nodiscard]] bool has(std::int32_t id) const noexcept { return find(id, 0) != none; }
  /// The first that waits for an answer.
  [[nodiscard]] std::size_t oldest() const noexcept;
  [[nodiscard]] std::int32_t id(std::size_t place) const noexcept { return ids_[head_ + place]; }
  /// Was this one passed over by later answers?
  [[nodiscard]] bool passed(std::size_t place) const noexcept { return entries_[head_ + place].state == State::passed; }
  [[nodiscard]] Pending at(std::size_t place) const noexcept;
  /// Takes it out. What was sent before it and waits still has been passed over, and is given up some answers later.
  void answer(std::size_t place) noexcept;
  /// Is there one that waits and hasn't been passed over, and no other?
  [[nodiscard]] bool one_waits() const noexcept { return waiting_ == 1; }
  /// Does any wait that hasn't been passed over?
  [[nodiscard]] bool waiting() const noexcept { return waiting_ > 0; }

  void give_up_all() noexcept;
  [[nodiscard]] bool take_given_up(std::uint64_t& serial) noexcept;

 private:
  enum class State : std::uint8_t { waits, silent, passed, done };
  /// Pending, and what became of it: small, since thousands wait where a capture has many connections.
  struct Entry {
    std::uint64_t serial, offset;
    std::int64_t completed_ns;
    std::uint64_t completed_packet;
    std::uint32_t completed_file;
    std::uint32_t ends;       ///< place in ends_ of its other stamps; `same`: they are `completed`, too
    std::uint32_t passed_at;  ///< the low half of answers_ at that time
    std::int16_t key, version;
    State state;
    bool whole, silent;
  };
  static constexpr std::uint32_t same = 0xffffffff;
  struct Ends {
    Stamp first, last;
  };
  /// How many entries that aren't done have an id of each bucket: 2 KiB that few connections need.
  using Filter = std::array<std::uint16_t, 1024>;
  static constexpr std::size_t filter_from = 64;  ///< entries
  static std::size_t bucket(std::int32_t id) noexcept { return static_cast<std::uint32_t>(id) % 1024; }
  void make_filter() noexcept;
  [[nodiscard]] std::uint32_t keep_ends(const Pending&) noexcept;
  void close(std::size_t place, State) noexcept;
  void drop_front() noexcept;

  std::uint32_t limit_;
  std::size_t head_ = 0;
  std::vector<std::int32_t> ids_;  ///< beside entries_, so that searching reads little
  std::vector<Entry> entries_;
  std::vector<Ends> ends_;
  std::vector<std::uint32_t> free_ends_;  ///< places in ends_
  std::unique_ptr<Filter> open_;
  std::size_t waiting_ = 0, silent_ = 0;
  std::size_t first_waiting_ = 0;  ///< no entry before this place (from the vector's start) is in state waits
  std::uint64_t answers_ = 0;
  std::vector<std::uint64_t> given_up_;
  std::size_t given_up_read_ = 0;
};

}  // namespace kparse::frame
