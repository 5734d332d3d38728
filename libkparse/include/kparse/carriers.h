// SPDX-License-Identifier: MIT
// Which convention a record's headers and value follow: guesses, each by the rule that stands in one table. What is
// wrapped how: wrappers.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/records.h"

namespace kparse {

enum class Carrier : std::uint8_t {
  none,
  // In headers.
  traceparent,
  b3,
  jaeger,
  skywalking,
  datadog,
  elastic,
  xray,
  cloudevents,
  spring,
  dead_letter,
  retry,
  connect,
  debezium,
  schema_header,
  large_message,
  content_type,
  // In the value.
  confluent,
  confluent_guid,
  glue,
  apicurio,
  cloudevents_structured,
  connect_json,
  spring_embedded,
  linkedin,
  linkedin_segment,
  string_map,
};
inline constexpr std::size_t carrier_count = static_cast<std::size_t>(Carrier::string_map) + 1;

enum class Confidence : std::uint8_t {
  certain,  ///< by a checksum, a magic number or names that nobody else uses
  likely,   ///< its structure holds to the last byte that can be checked
  weak,     ///< one record says little: worth telling only where a topic's records agree
};
[[nodiscard]] std::string_view name_of(Confidence) noexcept;

struct CarrierInfo {
  Carrier carrier;
  std::string_view name;   ///< as printed in JSON: "cloudevents"
  std::string_view title;  ///< as people call it: "CloudEvents"; "" where the name says it all
  bool in_value;
  Confidence confidence;
  bool same_id;           ///< records of a topic agree only if they have the same id, or one of a few
  std::string_view rule;  ///< what must hold
};
/// The table, in the order of the enum, without none.
[[nodiscard]] std::span<const CarrierInfo> carriers() noexcept;
[[nodiscard]] const CarrierInfo& info_of(Carrier) noexcept;  ///< none: an empty one
[[nodiscard]] std::string_view name_of(Carrier) noexcept;    ///< "" for none

/// A header name that means something. Source: the projects' own documentation.
struct HeaderConvention {
  std::string_view pattern;  ///< lower case; a trailing * stands for anything
  Carrier carrier;
  std::uint64_t marks;  ///< see carriers_marked()
};
[[nodiscard]] std::span<const HeaderConvention> header_conventions() noexcept;
/// The first convention that fits, whatever the letters' case; nullptr: none. About 100 ns: keep the answer.
[[nodiscard]] const HeaderConvention* find_header_convention(std::string_view name) noexcept;
/// Which carriers (bits by Carrier) the headers of a record make up, by the marks of all of their names: for counting,
/// where values aren't looked at.
[[nodiscard]] std::uint64_t carriers_marked(std::uint64_t marks) noexcept;

/// What a value begins with.
struct ValueFinding {
  Carrier carrier = Carrier::none;
  Confidence confidence = Confidence::weak;
  std::uint64_t id = 0;  ///< of the schema; of 16 bytes a hash
};
/// `timestamp`: of the record (ms, -1 unknown); bytes that hold it are no prefix. `key`: of the record; what Kafka
/// keeps of groups and transactions (known by its keys where the topic has no name) has none either. A few nanoseconds
/// for most values, those of JSON excepted, which are searched (about 10 GB/s).
[[nodiscard]] ValueFinding recognise_value(Bytes value, std::int64_t timestamp, Bytes key = {}) noexcept;

struct CarrierSeen {
  Carrier carrier = Carrier::none;
  Confidence confidence = Confidence::weak;
  std::string_view header{};  ///< string_map: the header that holds it
  Bytes value{};              ///< likewise; and of the carriers in the value: the value
};
/// What was found in one record, headers first. Weak guesses are left out.
struct CarriersSeen {
  std::array<CarrierSeen, 20> items{};
  std::size_t size = 0;
  [[nodiscard]] const CarrierSeen* begin() const noexcept { return items.data(); }
  [[nodiscard]] const CarrierSeen* end() const noexcept { return items.data() + size; }
};
/// Views into the record. O(headers and value).
[[nodiscard]] CarriersSeen recognise(const Record&) noexcept;

/// Hears what is in a carrier.
class CarrierFields {
 public:
  virtual ~CarrierFields() = default;
  virtual void text(std::string_view name, std::string_view) noexcept = 0;
  virtual void integer(std::string_view name, std::int64_t) noexcept = 0;
  virtual void bytes(std::string_view name, Bytes) noexcept = 0;
};
/// Tells the fields of a finding of this record: ids, names, sizes; of headers that frameworks write as binary numbers,
/// the numbers. Names may repeat where headers do.
void describe(const CarrierSeen&, const Record&, CarrierFields&) noexcept;

/// Is this a traceparent by the grammar of W3C Trace Context (section 3.2)? version "-" 32 hex "-" 16 hex "-" 2 hex,
/// lower case, no id of zeros only, version not ff; a version after 00 may have more after a further "-". A few
/// nanoseconds.
[[nodiscard]] bool valid_traceparent(Bytes value) noexcept;

}  // namespace kparse
