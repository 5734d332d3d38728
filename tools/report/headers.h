// SPDX-License-Identifier: MIT
// Record headers by topic and name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/header_register.h"
#include "kparse/records.h"
#include "kparse/same.h"
#include "report/bounded_table.h"
#include "report/names.h"

namespace kparse::report {

struct HeaderRow {
  std::uint64_t count = 0;               ///< occurrences: a name twice in a record counts twice
  std::uint64_t repeats = 0;             ///< of these not the first in their record
  std::uint64_t last_record = 0;         ///< HeaderMeaning::record of the newest; only while counting
  std::uint64_t bytes = 0;               ///< names and values
  std::uint64_t nulls = 0;
  std::uint64_t invalid = 0;             ///< traceparent: values that are none
  bool is_traceparent = false;
  bool draft = false;                    ///< of KIP-82 drafts: the name is an integer key's digits
  std::uint64_t marks = 0;               ///< see HeaderConvention
  std::string_view kind;                 ///< by the register
  std::string_view registered;           ///< of a draft's key: its name
  std::string name;
  TopicKey topic;

  [[nodiscard]] std::uint64_t weight() const noexcept { return count; }
  void merge(HeaderRow&&);
};

using HeaderTable = BoundedTable<HeaderRow>;

/// What a record's headers are read with, besides their bytes.
struct HeaderMeaning {
  const HeaderRegister& names;           ///< must outlive the table
  std::uint64_t record = 0;              ///< which it is: from 1, never the same again for one table
  bool draft = false;                    ///< the record is a draft's, with integer keys
};

/// What is told of a record's headers together.
struct HeaderSums {
  std::uint64_t bytes = 0;               ///< of names and values
  std::uint64_t marks = 0;               ///< see HeaderConvention
};

/// The header rows of the record before, by place: nearly all records of a topic have the same headers in the same order,
/// so most are found by one comparison.
class HeaderPlaces {
 public:
  /// Counts the headers of a record. False: they aren't whole, to their last byte, and nothing was counted. Looks up what
  /// is new only.
  bool count(const Record&, const HeaderMeaning&, const TopicRef&, HeaderTable&, KeyBuilder&, HeaderSums&);

 private:
  static constexpr std::size_t max_places = 256;
  struct Place {
    HeaderTable::Slot* slot = nullptr;
    std::uint64_t uid = 0;
    std::string_view name;               ///< the row's, as long as the uid is the same
  };
  /// nullptr: something else stood at this place.
  [[nodiscard]] HeaderTable::Slot* find_place(std::size_t i, std::string_view name, bool draft) const noexcept {
    if (i >= places_.size()) return nullptr;
    const Place& p = places_[i];
    return p.slot && p.slot->uid == p.uid && same_text(p.name, name) && p.slot->row.draft == draft ? p.slot : nullptr;
  }
  void take_back(const Record&, std::size_t n, std::uint64_t number) noexcept;
  HeaderTable::Slot* look_up(std::size_t place, std::string_view name, const HeaderMeaning&, const TopicRef&, HeaderTable&,
                             KeyBuilder&);

  std::vector<Place> places_;
};

/// Their bytes only. False: they aren't whole.
[[nodiscard]] bool count_header_bytes(const Record&, HeaderSums&) noexcept;

/// A header name over all topics, or in one.
struct NamedHeader {
  std::string_view name, kind, registered;
  bool draft = false;
  std::vector<std::string> topics;       ///< sorted, once each
  std::uint64_t count = 0, bytes = 0, nulls = 0, invalid = 0;
  std::uint64_t records = 0;             ///< that carry it, once or more
};
/// Over all topics, by name.
[[nodiscard]] std::vector<NamedHeader> named_headers(const HeaderTable&, const Cluster&);
/// Topic (as shown) to its headers, by name.
[[nodiscard]] std::map<std::string, std::vector<NamedHeader>> headers_by_topic(const HeaderTable&, const Cluster&);

}  // namespace kparse::report
