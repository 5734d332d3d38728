// SPDX-License-Identifier: MIT
// Trace ids that records carry in headers.
#pragma once

#include <string>

#include "kparse/records.h"

namespace kparse::trace {

struct Context {
  bool any = false;  ///< there is a header that should hold one
  bool valid = false;
  std::string id;  ///< of the first valid one, lower case
};

/// W3C traceparent (and Elastic's), B3 in one header or several, Jaeger, Datadog, X-Ray, SkyWalking 8.
[[nodiscard]] Context context_of(const Record&);

}  // namespace kparse::trace
