// SPDX-License-Identifier: MIT
// The tables: carriers with their rules, and header names.
#include "kparse/carriers.h"

#include <algorithm>

#include "headers/marks.h"

namespace kparse {

namespace {

using C = Carrier;
using enum Confidence;

constexpr CarrierInfo table[] = {
    {C::traceparent, "traceparent", "W3C trace context", false, certain, false,
     "header traceparent with a value of its grammar"},
    {C::b3, "b3", "Zipkin B3", false, certain, false,
     "header b3 of its grammar, or x-b3-traceid of 16 or 32 hex digits"},
    {C::jaeger, "jaeger", "Jaeger", false, certain, false, "header uber-trace-id of four hex numbers"},
    {C::skywalking, "skywalking", "SkyWalking", false, certain, false, "header sw8 of eight parts"},
    {C::datadog, "datadog", "Datadog", false, certain, false, "header x-datadog-trace-id, a decimal number"},
    {C::elastic, "elastic", "Elastic APM", false, certain, false,
     "header elasticapmtraceparent of 29 bytes with field ids 0, 1, 2, or elastic-apm-traceparent of the W3C grammar"},
    {C::xray, "xray", "AWS X-Ray", false, certain, false,
     "header x-amzn-trace-id that begins with Root=, Self= or Parent="},
    {C::cloudevents, "cloudevents", "CloudEvents", false, certain, false,
     "headers ce_specversion, ce_id, ce_source and ce_type"},
    {C::spring, "spring", "Spring", false, certain, false,
     "a header that only Spring names so: __TypeId__, spring_..., kafka_correlationId, kafka_replyTopic, scst_..."},
    {C::dead_letter, "dead-letter", "dead letter", false, certain, false,
     "a header kafka_dlt-..., kafka_original-..., kafka_exception-..., dead-letter-... or x-original-topic"},
    {C::retry, "retry", "retry topic", false, certain, false, "a header retry_topic-..."},
    {C::connect, "connect", "Kafka Connect", false, certain, false, "a header __connect.errors...."},
    {C::debezium, "debezium", "Debezium", false, certain, false, "a header __debezium...."},
    {C::schema_header, "schema-registry", "schema registry", false, certain, false,
     "header __value_schema_id or __key_schema_id with an id (00 and 4 bytes, 01 and 16), or apicurio...."},
    {C::large_message, "large-message", "large message", false, certain, false,
     "header _lm of LinkedIn's client: 25 or 29 bytes whose numbers hold"},
    {C::content_type, "content-type", "", false, weak, false, "header content-type: told by name, never as a carrier"},
    {C::confluent, "confluent", "Confluent schema prefix", true, likely, true,
     "00 and an id from 1 to 1,000,000; not of 8 bytes, not a length, not the record's own time, no key of a "
     "coordinator"},
    {C::confluent_guid, "confluent-guid", "Confluent schema GUID", true, weak, true,
     "01 and 16 bytes, and JSON after them; else only by agreement"},
    {C::glue, "glue", "AWS Glue schema prefix", true, likely, true, "03, 00 or 05 (and then zlib), and a random UUID"},
    {C::apicurio, "apicurio", "Apicurio schema prefix", true, weak, true,
     "00 and an id of 8 bytes from 1 to 1,000,000, and JSON after it; else only by agreement"},
    {C::cloudevents_structured, "cloudevents-structured", "CloudEvents, structured", true, certain, false,
     "a JSON object with the strings specversion, id, source and type"},
    {C::connect_json, "connect-json", "Connect's JSON with schema", true, certain, false,
     "a JSON object of schema and payload and nothing else"},
    {C::spring_embedded, "spring-embedded", "Spring's embedded headers", true, certain, false,
     "ff, a count, and as many names with JSON"},
    {C::linkedin, "linkedin", "LinkedIn's headers in the value", true, certain, false,
     "its 8 bytes, and headers that use up their length"},
    {C::linkedin_segment, "linkedin-segment", "LinkedIn's large message segment", true, certain, false,
     "its checksum, and numbers that hold"},
    {C::string_map, "string-map", "Map<String, String>", true, likely, false,
     "an Avro map of two or more printable names; a=1&b=2 of two or more; {\"headers\": strings, and one more member}; "
     "in a header also one flat JSON object of strings"},
};

constexpr HeaderConvention names[] = {
    {"traceparent", C::traceparent, mark::traceparent},
    {"tracestate", C::traceparent, 0},
    {"baggage", C::traceparent, 0},
    {"ce_specversion", C::cloudevents, mark::ce_specversion},
    {"ce_id", C::cloudevents, mark::ce_id},
    {"ce_source", C::cloudevents, mark::ce_source},
    {"ce_type", C::cloudevents, mark::ce_type},
    {"ce_*", C::cloudevents, 0},
    {"b3", C::b3, mark::b3},
    {"x-b3-traceid", C::b3, mark::b3},
    {"x-b3-*", C::b3, 0},
    {"uber-trace-id", C::jaeger, mark::jaeger},
    {"uberctx-*", C::jaeger, 0},
    {"sw8", C::skywalking, mark::skywalking},
    {"sw8-*", C::skywalking, 0},
    {"x-datadog-trace-id", C::datadog, mark::datadog},
    {"x-datadog-*", C::datadog, 0},
    {"dd-pathway-ctx*", C::datadog, 0},
    {"elasticapmtraceparent", C::elastic, mark::elastic},
    {"elastic-apm-traceparent", C::elastic, mark::elastic},
    {"elastic-apm-*", C::elastic, 0},
    {"x-amzn-trace-id", C::xray, mark::xray},
    {"kafka_dlt-*", C::dead_letter, mark::dead_letter},
    {"kafka_original-*", C::dead_letter, mark::dead_letter},
    {"kafka_exception-*", C::dead_letter, mark::dead_letter},
    {"dead-letter-*", C::dead_letter, mark::dead_letter},
    {"x-original-topic", C::dead_letter, mark::dead_letter},
    {"x-original-*", C::dead_letter, 0},
    {"x-exception-*", C::dead_letter, 0},
    {"retry_topic-*", C::retry, mark::retry},
    {"__typeid__", C::spring, mark::spring},
    {"__keytypeid__", C::spring, mark::spring},
    {"__contenttypeid__", C::spring, mark::spring},
    {"__contentkeytypeid__", C::spring, mark::spring},
    {"__key_typeid__", C::spring, mark::spring},
    {"spring_*", C::spring, mark::spring},
    {"springdeserializerexception*", C::spring, mark::spring},
    {"kafka_correlationid", C::spring, mark::spring},
    {"kafka_replytopic", C::spring, mark::spring},
    {"kafka_replypartition", C::spring, mark::spring},
    {"kafka_*", C::spring, 0},
    {"scst_*", C::spring, mark::spring},
    {"__connect.errors.*", C::connect, mark::connect},
    {"__connect.*", C::connect, 0},
    {"__debezium.*", C::debezium, mark::debezium},
    {"__value_schema_id", C::schema_header, mark::schema_header},
    {"__key_schema_id", C::schema_header, mark::schema_header},
    {"apicurio.*", C::schema_header, mark::schema_header},
    {"_lm", C::large_message, mark::large_message},
    {"_t", C::large_message, 0},
    {"_so", C::large_message, 0},
    {"content-type", C::content_type, 0},
    {"contenttype", C::content_type, 0},
    {"content-encoding", C::content_type, 0},
};

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

bool fits_pattern(std::string_view name, std::string_view pattern) noexcept {
  const bool open = pattern.ends_with('*');
  if (open) pattern.remove_suffix(1);
  if (open ? name.size() < pattern.size() : name.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (lower(name[i]) != lower(pattern[i])) return false;
  }
  return true;
}

std::string_view name_of(Confidence c) noexcept {
  static constexpr std::array<std::string_view, 3> all{"certain", "likely", "weak"};
  return all[static_cast<std::size_t>(c)];
}

std::span<const CarrierInfo> carriers() noexcept { return table; }

const CarrierInfo& info_of(Carrier c) noexcept {
  static_assert(std::size(table) + 1 == carrier_count);
  static constexpr CarrierInfo nothing{C::none, "", "", false, weak, false, ""};
  return c == C::none ? nothing : table[static_cast<std::size_t>(c) - 1];
}

std::string_view name_of(Carrier c) noexcept { return info_of(c).name; }

std::span<const HeaderConvention> header_conventions() noexcept { return names; }

const HeaderConvention* find_header_convention(std::string_view name) noexcept {
  const auto* const found =
      std::find_if(std::begin(names), std::end(names), [name](const auto& c) { return fits_pattern(name, c.pattern); });
  return found == std::end(names) ? nullptr : found;
}

std::uint64_t carriers_marked(std::uint64_t marks) noexcept {
  constexpr std::uint64_t events = mark::ce_specversion | mark::ce_id | mark::ce_source | mark::ce_type;
  // Single marks are the bits of their carriers.
  std::uint64_t found = marks & ~events;
  if ((marks & events) == events) found |= bit_of(C::cloudevents);
  return found;
}

}  // namespace kparse
