// SPDX-License-Identifier: MIT
// One direction's bytes to TLS records. Knows headers and places; what is in a record, and whether a record is one
// where the place has been lost, its host knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kparse/bytes.h"
#include "kparse/stamp.h"

namespace kparse::tls {

/// From this byte of a buffer on, this packet carried it.
struct Carried {
  std::size_t at;
  Stamp by;
};

struct RawRecord {
  Bytes bytes;                      ///< header and body
  std::uint64_t offset = 0;         ///< in the stream
  Stamp now;                        ///< made it whole
  const Carried* pieces = nullptr;  ///< ascending; the first is at or before the record's first byte
  std::size_t piece_count = 0;
  std::size_t base = 0;  ///< the record's place in what `pieces` count
};

class RecordHost {
 public:
  virtual ~RecordHost() = default;
  virtual void on_record(int direction, const RawRecord&) = 0;
  /// The place is unknown: is this a record? True: it was taken.
  virtual bool try_record(int direction, const RawRecord&) = 0;
  /// A record whose header was seen lacks bytes; `front` is what came of it.
  virtual void on_damaged(int direction, Bytes front) = 0;
  /// No record begins where one should. False: no use in looking for the next.
  virtual bool on_lost_place(int direction, Bytes there, Stamp now) = 0;
};

/// Memory: one record, while it isn't whole.
class RecordStream {
 public:
  RecordStream(int direction, RecordHost& host) : direction_(direction), host_(host) {}

  void data(std::uint64_t offset, Bytes, Stamp carried, Stamp now);
  void gap(std::uint64_t bytes, Stamp now);
  void end(Stamp now);
  /// Records are of no use any more. May be called from the host.
  void stop() noexcept { stopped_ = true; }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }
  [[nodiscard]] std::uint64_t next_offset() const noexcept { return next_; }
  [[nodiscard]] std::uint64_t received() const noexcept { return received_; }  ///< offset behind what data() was given
  [[nodiscard]] bool searching() const noexcept { return phase_ == Phase::searching; }
  /// Bytes that wait for the rest of their record.
  [[nodiscard]] Bytes waiting() const noexcept { return buffer_; }

 private:
  enum class Phase : std::uint8_t { reading, skipping, searching };

  void keep(Bytes, Stamp carried);
  void work(Stamp now, bool last);
  void drop(std::size_t n);
  [[nodiscard]] RawRecord record(std::size_t at, std::size_t size, Stamp now) const noexcept;

  int direction_;
  RecordHost& host_;
  Phase phase_ = Phase::reading;
  bool stopped_ = false;
  std::uint64_t next_ = 0;  ///< offset behind the buffer
  std::uint64_t received_ = 0;
  std::uint64_t skip_ = 0;  ///< skipping: bytes left of the damaged record
  std::vector<std::uint8_t> buffer_;
  std::vector<Carried> pieces_;
};

}  // namespace kparse::tls
