// SPDX-License-Identifier: MIT
// Bits that header names set, by which a record's headers are summed up.
#pragma once

#include <cstdint>
#include <string_view>

#include "kparse/carriers.h"

namespace kparse {

[[nodiscard]] constexpr std::uint64_t bit_of(Carrier c) noexcept {
  return std::uint64_t{1} << static_cast<unsigned>(c);
}

/// Whatever the letters' case; a trailing * of the pattern stands for anything.
[[nodiscard]] bool fits_pattern(std::string_view name, std::string_view pattern) noexcept;

namespace mark {
/// Each header name of these suffices for its carrier.
inline constexpr std::uint64_t traceparent = bit_of(Carrier::traceparent), b3 = bit_of(Carrier::b3),
                               jaeger = bit_of(Carrier::jaeger), skywalking = bit_of(Carrier::skywalking),
                               datadog = bit_of(Carrier::datadog), elastic = bit_of(Carrier::elastic),
                               xray = bit_of(Carrier::xray), spring = bit_of(Carrier::spring),
                               dead_letter = bit_of(Carrier::dead_letter), retry = bit_of(Carrier::retry),
                               connect = bit_of(Carrier::connect), debezium = bit_of(Carrier::debezium),
                               schema_header = bit_of(Carrier::schema_header),
                               large_message = bit_of(Carrier::large_message);
/// All of these are needed for CloudEvents.
inline constexpr std::uint64_t ce_specversion = std::uint64_t{1} << 60, ce_id = std::uint64_t{1} << 61,
                               ce_source = std::uint64_t{1} << 62, ce_type = std::uint64_t{1} << 63;
}  // namespace mark

}  // namespace kparse
