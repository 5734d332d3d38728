// SPDX-License-Identifier: MIT
// Headers that carry a trace's context from producer to consumer.
// Source: W3C Trace Context and Baggage; OpenZipkin B3; Jaeger; Elastic APM; Datadog; SkyWalking.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace kparse::lint {

struct TraceHeader {
  std::string_view name;
  bool beginning = false;  ///< the names begin with it
};
inline constexpr std::array<TraceHeader, 9> trace_headers{{{"traceparent"},
                                                           {"tracestate"},
                                                           {"baggage"},
                                                           {"b3"},
                                                           {"X-B3-", true},
                                                           {"uber-trace-id"},
                                                           {"elasticapmtraceparent"},
                                                           {"x-datadog-", true},
                                                           {"sw8"}}};

[[nodiscard]] inline bool same_letters(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

/// Its place in trace_headers; -1: none of them. Case doesn't count.
[[nodiscard]] inline int trace_header(std::string_view name) noexcept {
  for (std::size_t i = 0; i < trace_headers.size(); ++i) {
    const TraceHeader& h = trace_headers[i];
    if (same_letters(h.beginning ? name.substr(0, h.name.size()) : name, h.name)) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace kparse::lint
