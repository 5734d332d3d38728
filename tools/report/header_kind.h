// SPDX-License-Identifier: MIT
// Conventions that record header names point to.
#pragma once

#include <string_view>

namespace kparse::report {

/// The family a header name belongs to: "traceparent" (also tracestate, baggage), "b3", "jaeger", "skywalking", "datadog", "xray",
/// "elastic", "cloudevents", "spring", "connect", "debezium", "schema-registry", "dead-letter", "retry", "large-message",
/// "content-type"; "" when it is none. Source: the projects' own documentation.
[[nodiscard]] std::string_view header_kind(std::string_view name) noexcept;

/// The kind as people call it ("CloudEvents").
[[nodiscard]] std::string_view kind_title(std::string_view kind) noexcept;

}  // namespace kparse::report
