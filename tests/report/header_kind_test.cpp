// SPDX-License-Identifier: MIT
#include "report/header_kind.h"

#include <string>

#include <gtest/gtest.h>

#include "report/traceparent.h"

namespace kparse::report {
namespace {

TEST(HeaderKind, KnowsTheConventions) {
  const struct {
    const char* name;
    const char* kind;
  } cases[] = {
      {"traceparent", "traceparent"}, {"tracestate", "traceparent"}, {"baggage", "traceparent"}, {"ce_id", "cloudevents"},
      {"ce_specversion", "cloudevents"}, {"b3", "b3"}, {"X-B3-TraceId", "b3"}, {"uber-trace-id", "jaeger"}, {"sw8", "skywalking"},
      {"x-datadog-trace-id", "datadog"}, {"elasticapmtraceparent", "elastic"}, {"__TypeId__", "spring"},
      {"spring_json_header_types", "spring"}, {"kafka_correlationId", "spring"}, {"kafka_dlt-original-topic", "dead-letter"},
      {"retry_topic-attempts", "retry"}, {"__connect.errors.stage", "connect"}, {"__value_schema_id", "schema-registry"},
      {"content-type", "content-type"}, {"contentType", "content-type"},
      {"", ""}, {"ce", ""}, {"b33", ""}, {"order-id", ""}, {"my-traceparent", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(header_kind(c.name), c.kind) << c.name;
}

bool valid(const std::string& v) { return valid_traceparent({reinterpret_cast<const std::uint8_t*>(v.data()), v.size()}); }

// The examples and rules of W3C Trace Context, section 3.2.
TEST(Traceparent, FollowsTheGrammar) {
  const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  EXPECT_TRUE(valid(good));
  EXPECT_TRUE(valid("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"));
  EXPECT_FALSE(valid("ff" + good.substr(2)));
  EXPECT_FALSE(valid("00-00000000000000000000000000000000-00f067aa0ba902b7-01"));
  EXPECT_FALSE(valid("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"));
  EXPECT_FALSE(valid("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"));
  EXPECT_FALSE(valid(good + "-extra"));            // version 00 has nothing more
  EXPECT_TRUE(valid("01" + good.substr(2) + "-extra"));
  EXPECT_FALSE(valid("01" + good.substr(2) + "extra"));
  EXPECT_FALSE(valid("\"" + good + "\""));
  EXPECT_FALSE(valid(""));
  for (std::size_t i = 0; i < good.size(); ++i) {
    EXPECT_FALSE(valid(good.substr(0, i)));
    for (const char c : {'g', '/', ':', 'F', '\0', '\xff'}) {
      std::string bad = good;
      bad[i] = c;
      EXPECT_FALSE(valid(bad)) << i << " " << static_cast<int>(c);
    }
  }
}

}  // namespace
}  // namespace kparse::report
