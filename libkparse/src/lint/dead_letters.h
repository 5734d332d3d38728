// SPDX-License-Identifier: MIT
// Headers of records that somebody failed to process, and sent to a topic of dead letters or of retries.
// Source: Spring for Apache Kafka, Spring Cloud Stream, SmallRye Reactive Messaging.
#pragma once

#include <string_view>

namespace kparse::lint {

[[nodiscard]] inline bool is_dead_letter_header(std::string_view name) noexcept {
  for (const std::string_view family : {"kafka_dlt-", "kafka_original-", "dead-letter-", "x-original-", "retry_topic-"})
    if (name.starts_with(family)) return true;
  return false;
}

[[nodiscard]] inline bool is_stack_trace(std::string_view name) noexcept {
  return (is_dead_letter_header(name) || name.starts_with("x-exception-") || name.starts_with("kafka_exception-")) &&
         (name.ends_with("stacktrace") || name.ends_with("stack-trace"));
}

}  // namespace kparse::lint
