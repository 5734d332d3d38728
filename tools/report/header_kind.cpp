// SPDX-License-Identifier: MIT
#include "report/header_kind.h"

namespace kparse::report {
namespace {

struct Rule {
  std::string_view name;   ///< a trailing '*' stands for anything
  std::string_view kind;
};

// The first rule that fits decides. Letters of names that travel through HTTP are compared without case.
constexpr Rule rules[] = {
    {"traceparent", "traceparent"},
    {"tracestate", "traceparent"},
    {"baggage", "traceparent"},
    {"ce_*", "cloudevents"},
    {"b3", "b3"},
    {"x-b3-*", "b3"},
    {"uber-trace-id", "jaeger"},
    {"uberctx-*", "jaeger"},
    {"sw8", "skywalking"},
    {"sw8-*", "skywalking"},
    {"x-datadog-*", "datadog"},
    {"dd-pathway-ctx*", "datadog"},
    {"elasticapmtraceparent", "elastic"},
    {"elastic-apm-*", "elastic"},
    {"x-amzn-trace-id", "xray"},
    {"kafka_dlt-*", "dead-letter"},
    {"kafka_original-*", "dead-letter"},
    {"kafka_exception-*", "dead-letter"},
    {"dead-letter-*", "dead-letter"},
    {"x-original-*", "dead-letter"},
    {"x-exception-*", "dead-letter"},
    {"retry_topic-*", "retry"},
    {"__typeid__", "spring"},
    {"__keytypeid__", "spring"},
    {"__contenttypeid__", "spring"},
    {"__contentkeytypeid__", "spring"},
    {"spring_*", "spring"},
    {"springdeserializerexception*", "spring"},
    {"kafka_*", "spring"},
    {"scst_*", "spring"},
    {"__connect.*", "connect"},
    {"__debezium.*", "debezium"},
    {"__value_schema_id", "schema-registry"},
    {"__key_schema_id", "schema-registry"},
    {"apicurio.*", "schema-registry"},
    {"_lm", "large-message"},
    {"_t", "large-message"},
    {"_so", "large-message"},
    {"content-type", "content-type"},
    {"contenttype", "content-type"},
    {"content-encoding", "content-type"},
};

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool fits(std::string_view name, std::string_view pattern) noexcept {
  const bool open = pattern.ends_with('*');
  if (open) pattern.remove_suffix(1);
  if (open ? name.size() < pattern.size() : name.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (lower(name[i]) != pattern[i]) return false;
  }
  return true;
}

constexpr Rule titles[] = {
    {"traceparent", "W3C trace context"}, {"cloudevents", "CloudEvents"}, {"b3", "Zipkin B3"}, {"jaeger", "Jaeger"},
    {"skywalking", "SkyWalking"}, {"datadog", "Datadog"}, {"elastic", "Elastic APM"}, {"xray", "AWS X-Ray"},
    {"dead-letter", "dead letter"}, {"retry", "retry topic"}, {"spring", "Spring"}, {"connect", "Kafka Connect"},
    {"debezium", "Debezium"}, {"schema-registry", "schema registry"}, {"large-message", "large message"},
};

}  // namespace

std::string_view header_kind(std::string_view name) noexcept {
  for (const Rule& rule : rules) {
    if (fits(name, rule.name)) return rule.kind;
  }
  return {};
}

std::string_view kind_title(std::string_view kind) noexcept {
  for (const Rule& title : titles) {
    if (title.name == kind) return title.kind;
  }
  return {};
}

}  // namespace kparse::report
