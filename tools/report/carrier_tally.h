// SPDX-License-Identifier: MIT
// Which conventions the records of a topic follow, told where nearly all of them agree.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kparse/carriers.h"

namespace kparse::report {

/// Counts; memory is bounded. The result doesn't depend on the order of records.
class CarrierTally {
 public:
  static constexpr std::uint64_t least_records = 10;
  static constexpr std::uint64_t percent = 95;
  static constexpr std::size_t most_ids = 4;  ///< so many schemas a topic may have at once

  /// A record's headers, by their marks (HeaderConvention).
  void headers(std::uint64_t marks) noexcept {
    if (marks == 0) return;
    if (marks != last_marks_) {
      last_marks_ = marks;
      last_carriers_ = carriers_marked(marks);
    }
    for (std::uint64_t left = last_carriers_; left; left &= left - 1)
      ++counts_[static_cast<std::size_t>(__builtin_ctzll(left))];
  }
  /// A record whose value isn't null.
  void value(const Record& r) {
    const ValueFinding f = recognise_value(r.value, r.timestamp, r.key);
    if (f.carrier != Carrier::none) add(f);
  }
  void merge(const CarrierTally&);

  struct Agreed {
    Carrier carrier;
    std::uint64_t records = 0, of = 0;
    std::vector<std::uint64_t> ids;  ///< of schemas, the most frequent first; only where they are numbers
  };
  /// `records`: without control records; `values`: those of them that have one.
  [[nodiscard]] std::vector<Agreed> agreed(std::uint64_t records, std::uint64_t values) const;

 private:
  struct Id {
    Carrier carrier;
    std::uint64_t id, count;
  };
  static constexpr std::size_t most_seen = 16;  ///< ids of a carrier; with more there is no agreement
  void add(const ValueFinding&);
  void add_id(Carrier, std::uint64_t id, std::uint64_t count);

  std::array<std::uint64_t, carrier_count> counts_{};
  std::vector<Id> ids_;
  std::uint64_t too_many_ = 0;  ///< carriers (bits) with more ids
  std::uint64_t last_marks_ = 0, last_carriers_ = 0;
};

}  // namespace kparse::report
