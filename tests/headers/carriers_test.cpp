// SPDX-License-Identifier: MIT
// What is recognised, and above all what isn't.
#include "kparse/carriers.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <random>

#include "kparse/header_register.h"
#include "kparse/wrappers.h"
#include "support.h"

namespace kparse {
namespace {

using test::MadeRecord;
using test::string;
using test::view;

struct Fields final : CarrierFields {
  std::string all;
  void text(std::string_view name, std::string_view v) noexcept override {
    all += std::string(name) + "=" + std::string(v) + " ";
  }
  void integer(std::string_view name, std::int64_t v) noexcept override {
    all += std::string(name) + "=" + std::to_string(v) + " ";
  }
  void bytes(std::string_view name, Bytes v) noexcept override {
    all += std::string(name) + "=0x" + test::to_hex(v) + " ";
  }
};

/// "name: field=value ... | name: ..."
std::string found(const MadeRecord& r) {
  std::string out;
  const CarriersSeen findings = recognise(r.record);
  for (const CarrierSeen& f : findings) {
    Fields fields;
    describe(f, r.record, fields);
    if (!fields.all.empty()) fields.all.pop_back();
    out += (out.empty() ? "" : " | ") + std::string(name_of(f.carrier)) + ": " + fields.all;
  }
  return out;
}

std::string found_in(const std::vector<MadeRecord::Header>& headers, std::string value = "",
                     std::int64_t timestamp = -1) {
  return found(MadeRecord(headers, std::move(value), timestamp));
}

std::string in_value(Bytes value, std::int64_t timestamp = 1'700'000'000'000) {
  return found_in({}, string(value), timestamp);
}

TEST(Carriers, TheTableIsWhole) {
  std::size_t expected = 1;
  for (const CarrierInfo& c : carriers()) {
    EXPECT_EQ(static_cast<std::size_t>(c.carrier), expected++) << c.name;
    EXPECT_EQ(&info_of(c.carrier), &c);
    EXPECT_FALSE(c.rule.empty());
  }
  EXPECT_EQ(expected, carrier_count);
  EXPECT_EQ(name_of(Carrier::none), "");
}

TEST(Carriers, HeaderNames) {
  const std::pair<const char*, const char*> all[] = {{"traceparent", "traceparent"},
                                                     {"tracestate", "traceparent"},
                                                     {"baggage", "traceparent"},
                                                     {"ce_id", "cloudevents"},
                                                     {"ce_specversion", "cloudevents"},
                                                     {"b3", "b3"},
                                                     {"X-B3-TraceId", "b3"},
                                                     {"uber-trace-id", "jaeger"},
                                                     {"sw8", "skywalking"},
                                                     {"x-datadog-trace-id", "datadog"},
                                                     {"elasticapmtraceparent", "elastic"},
                                                     {"__TypeId__", "spring"},
                                                     {"spring_json_header_types", "spring"},
                                                     {"kafka_correlationId", "spring"},
                                                     {"kafka_dlt-original-topic", "dead-letter"},
                                                     {"retry_topic-attempts", "retry"},
                                                     {"__connect.errors.stage", "connect"},
                                                     {"__value_schema_id", "schema-registry"},
                                                     {"content-type", "content-type"},
                                                     {"contentType", "content-type"},
                                                     {"", ""},
                                                     {"ce", ""},
                                                     {"b33", ""},
                                                     {"order-id", ""},
                                                     {"my-traceparent", ""}};
  const HeaderRegister none;
  for (const auto& [name, kind] : all) EXPECT_EQ(none.kind_of(name), kind) << name;
}

TEST(Carriers, TraceContexts) {
  const std::string w3c = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  EXPECT_EQ(
      found_in({{"traceparent", w3c}, {"tracestate", "congo=t61"}}),
      "traceparent: traceId=4bf92f3577b34da6a3ce929d0e0e4736 spanId=00f067aa0ba902b7 flags=01 tracestate=congo=t61");
  EXPECT_EQ(found_in({{"traceparent", "\"" + w3c + "\""}}), "");
  EXPECT_EQ(found_in({{"tracestate", "congo=t61"}}), "");
  EXPECT_EQ(found_in({{"b3", "80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1-05e3ac9a4f6e3b90"}}),
            "b3: traceId=80f198ee56343ba864fe8b2a57d3eff7 spanId=e457b5a2e4d86bd1 parentId=05e3ac9a4f6e3b90 flags=1");
  EXPECT_EQ(found_in({{"b3", "0"}}), "b3: flags=0");
  EXPECT_EQ(found_in({{"b3", "yes"}}), "");
  EXPECT_EQ(found_in({{"b3", "80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-"}}), "");
  EXPECT_EQ(found_in({{"X-B3-TraceId", "463ac35c9f6413ad"}, {"X-B3-Sampled", "1"}}),
            "b3: X-B3-TraceId=463ac35c9f6413ad X-B3-Sampled=1");
  EXPECT_EQ(found_in({{"X-B3-Sampled", "1"}}), "");
  EXPECT_EQ(found_in({{"uber-trace-id", "5e3aa1c0:1b2c:0:1"}}),
            "jaeger: traceId=5e3aa1c0 spanId=1b2c parentId=0 flags=1");
  EXPECT_EQ(found_in({{"uber-trace-id", "5e3aa1c0%3A1b2c%3A0%3A1"}}),
            "jaeger: traceId=5e3aa1c0 spanId=1b2c parentId=0 flags=1");
  EXPECT_EQ(found_in({{"uber-trace-id", "5e3aa1c0:1b2c"}}), "");
  EXPECT_NE(found_in({{"sw8", "1-VFJBQ0U=-U0VH-3-U1ZD-SU5T-L2Fw-MTI3"}})
                .find("traceId=TRACE segmentId=SEG spanId=3 service=SVC instance=INS endpoint=/ap address=127"),
            std::string::npos);
  EXPECT_EQ(found_in({{"sw8", "1-a-b"}}), "");
  EXPECT_EQ(found_in({{"x-datadog-trace-id", "12345"}, {"x-datadog-parent-id", "67"}}),
            "datadog: x-datadog-trace-id=12345 x-datadog-parent-id=67");
  EXPECT_EQ(found_in({{"x-datadog-trace-id", "0xab"}}), "");
  const std::string elastic =
      string(test::from_hex("00 00 00112233445566778899aabbccddeeff 01 0123456789abcdef 02 01"));
  EXPECT_EQ(found_in({{"elasticapmtraceparent", elastic}}),
            "elastic: traceId=00112233445566778899aabbccddeeff spanId=0123456789abcdef flags=01");
  EXPECT_EQ(found_in({{"elasticapmtraceparent", elastic.substr(1)}}), "");
}

TEST(Carriers, CloudEvents) {
  EXPECT_EQ(found_in({{"ce_specversion", "1.0"},
                      {"ce_id", "7"},
                      {"ce_source", "/s"},
                      {"ce_type", "t"},
                      {"content-type", "application/json"}}),
            "cloudevents: specversion=1.0 id=7 source=/s type=t datacontenttype=application/json");
  EXPECT_EQ(found_in({{"ce_specversion", "1.0"}, {"ce_id", "7"}, {"ce_source", "/s"}}), "");
  EXPECT_EQ(found_in({{"ce_id", "7"}}), "");
  EXPECT_EQ(in_value(view(R"({"specversion":"1.0","id":"7","source":"/s","type":"t","data":{"a":[1,2]}})")),
            "cloudevents-structured: specversion=1.0 id=7 source=/s type=t dataSize=11");
  EXPECT_EQ(in_value(view(R"({"specversion":"1.0","id":7,"source":"/s","type":"t"})")), "");
  EXPECT_EQ(in_value(view(R"({"a":{"specversion":"1.0","id":"7","source":"/s","type":"t"}})")), "");
  EXPECT_EQ(in_value(view(R"({"specversion":"1.0","id":"7","source":"/s","type":"t")")), "");
}

TEST(Carriers, Frameworks) {
  EXPECT_EQ(found_in({{"__TypeId__", "com.acme.Order"}}), "spring: __TypeId__=com.acme.Order");
  // As Spring Kafka's DeadLetterPublishingRecoverer writes them: text, and big-endian numbers.
  EXPECT_EQ(
      found_in({{"kafka_dlt-original-topic", "orders"},
                {"kafka_dlt-original-partition", std::string("\0\0\0\3", 4)},
                {"kafka_dlt-original-offset", std::string("\0\0\0\0\0\0\1\2", 8)},
                {"kafka_dlt-exception-stacktrace", "at x"}}),
      "dead-letter: kafka_dlt-original-topic=orders kafka_dlt-original-partition=3 kafka_dlt-original-offset=258");
  EXPECT_EQ(found_in({{"retry_topic-attempts", std::string("\0\0\0\2", 4)}}), "retry: retry_topic-attempts=2");
  EXPECT_EQ(found_in({{"__connect.errors.topic", "in"}, {"__connect.errors.offset", "12"}}),
            "connect: __connect.errors.topic=in __connect.errors.offset=12");
  EXPECT_EQ(found_in({{"x-original-url", "/a"}}), "");
  EXPECT_EQ(found_in({{"kafka_topic", "a"}}), "");
  EXPECT_EQ(in_value(view(R"({"schema":{"type":"struct","name":"o"},"payload":{"a":1}})")),
            "connect-json: schemaType=struct schemaName=o payloadSize=7");
  EXPECT_EQ(in_value(view(R"({"schema":{"type":"struct"},"payload":{"a":1},"more":1})")), "");
}

TEST(Carriers, SchemaPrefixes) {
  // Eight bytes are a long as well as a prefix, so the worked example with a byte more.
  const std::string confluent = string(test::vector("confluent")) + "C";
  EXPECT_EQ(in_value(view(confluent)), "confluent: schemaId=42 payloadSize=4");
  EXPECT_EQ(in_value(test::vector("confluent")), "");
  EXPECT_EQ(in_value(test::from_hex("00 00 00 04 12 7b 22 61 22 3a 31 7d")),
            "confluent: schemaId=1042 format=json payloadSize=7");
  EXPECT_EQ(in_value(test::vector("pb0")), "confluent: schemaId=42 payloadSize=1");
  const std::string guid = string(test::vector("guid"));
  EXPECT_EQ(found_in({{"__value_schema_id", guid}}),
            "schema-registry: valueSchemaGuid=00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(found_in({{"__key_schema_id", std::string("\0\0\0\0\7", 5)}}), "schema-registry: keySchemaId=7");
  EXPECT_EQ(found_in({{"__value_schema_id", "7"}}), "");
  EXPECT_EQ(in_value(view(guid + "{\"a\":1}")),
            "confluent-guid: schemaGuid=00112233-4455-6677-8899-aabbccddeeff format=json payloadSize=7");
  EXPECT_EQ(in_value(view(guid + "abc")), "");  // only by agreement
  EXPECT_EQ(recognise_value(view(guid + "abc"), -1).carrier, Carrier::confluent_guid);
  EXPECT_EQ(in_value(test::from_hex("03 00 00112233 4455 4677 8899aabbccddeeff 01 02")),
            "glue: schemaGuid=00112233-4455-4677-8899-aabbccddeeff compression=none payloadSize=2");
  EXPECT_EQ(in_value(test::from_hex("00 00000000 0000002a 7b 7d")), "apicurio: schemaId=42 format=json payloadSize=2");
}

TEST(Carriers, ValueWrappers) {
  EXPECT_EQ(in_value(test::vector("scs")), "spring-embedded: contentType=text/plain a=1 payloadSize=2");
  EXPECT_EQ(in_value(test::vector("xd")), "");  // nothing tells it from other bytes
  EXPECT_EQ(in_value(test::vector("li")), "linkedin: a=1 valueSize=2");
  EXPECT_EQ(in_value(test::vector("li_null")), "linkedin: a=1 valueSize=-1");
  EXPECT_EQ(in_value(test::vector("li_int")), "linkedin: 1=1 valueSize=2");
  EXPECT_EQ(in_value(test::vector("li_seg")),
            "linkedin-segment: messageId=00112233-4455-6677-8899-aabbccddeeff segment=0 segments=2 totalSize=6");
  EXPECT_EQ(found_in({{"_lm", string(test::vector("li_lm"))}}),
            "large-message: messageId=00112233-4455-6677-8899-aabbccddeeff segment=0 segments=2 totalSize=6");
  EXPECT_EQ(found_in({{"_lm", "x"}, {"_t", "y"}}), "");
}

TEST(Carriers, StringMaps) {
  EXPECT_EQ(in_value(test::vector("avro_map")), "string-map: form=avro a=1 b=2");
  EXPECT_EQ(in_value(view("a=1&b=2")), "string-map: form=pairs a=1 b=2");
  EXPECT_EQ(in_value(view(R"({"headers":{"a":"1"},"payload":[1]})")), "string-map: form=json a=1");
  EXPECT_EQ(in_value(view(R"({"a":"1","b":"2"})")), "");  // most JSON is no header
  EXPECT_EQ(in_value(view(R"({"headers":{"a":1},"payload":[1]})")), "");
  EXPECT_EQ(found_in({{"types", R"({"a":"java.lang.String"})"}}),
            "string-map: header=types form=json a=java.lang.String");
}

TEST(Carriers, SeveralInOneRecord) {
  EXPECT_EQ(found_in({{"b3", "1"}, {"__TypeId__", "x"}, {"m", "a=1&b=2"}}, string(test::vector("confluent")) + "C"),
            "b3: flags=1 | spring: __TypeId__=x | string-map: header=m form=pairs a=1 b=2 | confluent: schemaId=42 "
            "payloadSize=4");
}

// What serializers put at the front of a value and is no schema id.
TEST(Carriers, NumbersLengthsAndTimesAreNoPrefix) {
  constexpr std::int64_t now = 1'796'000'000'123;
  const auto of = [](auto write) {
    Writer w;
    write(w);
    return string(w.view());
  };
  const std::pair<const char*, std::string> all[] = {
      {"a long", of([](Writer& w) { w.be(std::int64_t{704'905'728}); })},
      {"a long, epoch seconds", of([](Writer& w) { w.be(std::int64_t{1'796'000'000}); })},
      {"a long, epoch milliseconds", of([](Writer& w) { w.be(now); })},
      {"an int", of([](Writer& w) { w.be(std::int32_t{7}); })},
      {"a double", of([](Writer& w) { w.be(std::uint64_t{0x000000000000002a}); })},
      {"zeros", std::string(5000, '\0')},
      {"a string after its length", of([](Writer& w) { w.be(std::int32_t{5}), w.text("hello"); })},
      {"a gRPC message", of([](Writer& w) { w.be(std::uint8_t{0}), w.be(std::int32_t{5}), w.text("hello"); })},
      // MirrorMaker's heartbeat: schema version 0 (int16), then its time; a schema id of 1 otherwise.
      {"a heartbeat", of([](Writer& w) { w.be(std::int16_t{0}), w.be(now - 3); })},
      // Kafka Streams' ValueAndTimestamp: the record's time, then the value.
      {"a value with its time", of([](Writer& w) { w.be(now), w.text("value"); })},
      {"a flag and a time", of([](Writer& w) { w.be(std::uint8_t{0}), w.be(now), w.text("value"); })},
      {"two longs", of([](Writer& w) { w.be(std::int64_t{12}), w.be(std::int64_t{13}); })},
      {"an id past a million",
       of([](Writer& w) { w.be(std::uint8_t{0}), w.be(std::int32_t{1'000'001}), w.text("value"); })},
      {"small little-endian numbers",
       of([](Writer& w) { w.bytes(test::from_hex("03000000 05000000 00000000 00000000 00000000")); })},
      {"a Java serialised object",
       of([](Writer& w) { w.bytes(test::from_hex("aced0005 7372")), w.text("java.lang.Long"); })},
      {"a query without pairs", "order=17"},
      {"prose", "a=b & c=d"},
      {"base64", "YWJjZGVmZ2g9PT0="},
      {"JSON", R"({"id":"7","type":"t","headers":["a"],"schema":1})"},
      {"a protobuf message", of([](Writer& w) { w.bytes(test::from_hex("0a05 68656c6c6f 1001 1a03 666f6f")); })},
      {"an Avro record", of([](Writer& w) { w.bytes(test::from_hex("0a 68656c6c6f 04 06 666f6f")); })},
      {"UTF-16 text", of([](Writer& w) { w.bytes(test::from_hex("0068 0065 006c 006c 006f")); })},
  };
  for (const auto& [what, value] : all) {
    EXPECT_EQ(in_value(view(value), now), "") << what;
    // A gRPC message could be of a schema, too: weak, so that a topic of them doesn't agree.
    const ValueFinding f = recognise_value(view(value), now);
    EXPECT_TRUE(f.carrier != Carrier::confluent || (f.confidence == Confidence::weak && f.id == 5)) << what;
  }
}

// Group metadata of a KIP-848 group, as a broker replicates it; its topic often has no name in a capture.
TEST(Carriers, WhatCoordinatorsKeepIsNone) {
  const auto key =
      test::from_hex("0005 000e 7374656164792d73746561647932 0016 566b356d5351677554457945595a756f6a4164757341");
  const auto value =
      test::from_hex("0000 00000e 7374656164792d726561646572 0c2f31302e36362e322e31 3902087374656164793201");
  EXPECT_EQ(recognise_value(value, 1'796'008'329'333, key).carrier, Carrier::none);
  EXPECT_EQ(recognise_value(value, 1'796'008'329'333, view("steady")).carrier, Carrier::confluent);
  MadeRecord r({}, string(value));
  r.record.key = key;
  EXPECT_EQ(found(r), "");
}

/// Lines "timestamp hex" of tests/headers/data/plain_values.txt.
TEST(Carriers, PlainValuesOfRealProgramsAreNone) {
  std::ifstream in(std::string(KPARSE_SOURCE_DIR) + "/tests/headers/data/plain_values.txt");
  int values = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto blank = line.find(' ');
    const auto value = test::from_hex(line.substr(blank));
    EXPECT_EQ(in_value(value, std::stoll(line)), "") << line;
    ++values;
  }
  EXPECT_GE(values, 120);
}

// Of random bytes one in about a million has a prefix of Confluent's; none the marks of others.
TEST(Carriers, RandomBytes) {
  std::mt19937_64 random(4);
  std::map<Carrier, int> wrong;
  for (int i = 0; i < 2'000'000; ++i) {
    std::uint8_t bytes[40];
    for (std::size_t k = 0; k < sizeof bytes; k += 8) {
      const std::uint64_t v = random();
      std::memcpy(bytes + k, &v, 8);
    }
    const auto f = recognise_value({bytes, 5 + static_cast<std::size_t>(random() % 36)}, 1'700'000'000'000);
    if (f.carrier != Carrier::none && f.confidence != Confidence::weak) ++wrong[f.carrier];
  }
  EXPECT_LE(wrong[Carrier::confluent], 8);
  EXPECT_LE(wrong[Carrier::glue], 8);
  wrong.erase(Carrier::confluent);
  wrong.erase(Carrier::glue);
  EXPECT_TRUE(wrong.empty());
}

TEST(Traceparent, FollowsTheGrammar) {  // W3C Trace Context, section 3.2
  const auto valid = [](const std::string& v) { return valid_traceparent(view(v)); };
  const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  EXPECT_TRUE(valid(good));
  EXPECT_TRUE(valid("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"));
  EXPECT_FALSE(valid("ff" + good.substr(2)));
  EXPECT_FALSE(valid("00-00000000000000000000000000000000-00f067aa0ba902b7-01"));
  EXPECT_FALSE(valid("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"));
  EXPECT_FALSE(valid("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"));
  EXPECT_FALSE(valid(good + "-extra"));  // version 00 has nothing more
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
}  // namespace kparse
