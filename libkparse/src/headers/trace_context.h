// SPDX-License-Identifier: MIT
// Grammars of headers that carry a trace.
#pragma once

#include <array>
#include <string_view>

#include "kparse/bytes.h"

namespace kparse {

/// trace id, span id, and what may follow them; "" where it isn't there.
struct TraceParts {
  std::string_view trace, span, parent, flags;
};
/// {trace}-{span}[-{sampled}[-{parent}]] or a sampling decision alone. Source: openzipkin/b3-propagation.
[[nodiscard]] bool read_b3(std::string_view, TraceParts& out) noexcept;
/// 16 or 32 hex digits.
[[nodiscard]] bool is_b3_trace_id(std::string_view) noexcept;
/// {trace}:{span}:{parent}:{flags}, colons perhaps as %3A. Source: Jaeger's propagation format.
[[nodiscard]] bool read_uber(std::string_view, TraceParts& out) noexcept;
/// Sample, then trace, segment (base64), span number, service, instance, endpoint, address (base64). Source:
/// SkyWalking's cross process propagation headers, version 3.
[[nodiscard]] bool read_sw8(std::string_view, std::array<std::string_view, 8>& out) noexcept;
/// 29 bytes: version 0, then fields 0 (trace id), 1 (span id), 2 (flags). Source: Elastic APM's binary format.
[[nodiscard]] bool is_elastic(Bytes) noexcept;
[[nodiscard]] bool is_decimal(std::string_view) noexcept;

}  // namespace kparse
