// SPDX-License-Identifier: MIT
// OTLP metrics, put together by hand from opentelemetry-proto's field numbers.
#include <gtest/gtest.h>

#include "json_check.h"

namespace kparse::test {
namespace {

std::string message(int id, const std::string& content) {
  std::string out(1, static_cast<char>(id << 3 | 2));
  for (std::size_t n = content.size(); true; n >>= 7) {
    out += static_cast<char>(n > 127 ? (n & 127) | 128 : n);
    if (n <= 127) break;
  }
  return out + content;
}
std::string fixed64(int id, std::uint64_t v) {
  std::string out(1, static_cast<char>(id << 3 | 1));
  for (int n = 0; n < 8; ++n) out += static_cast<char>(v >> 8 * n);
  return out;
}
std::string number(int id, int v) { return {static_cast<char>(id << 3), static_cast<char>(v)}; }

Bytes view(const std::string& s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }

std::string metrics() {
  const std::string attribute = message(7, message(1, "node") + message(2, message(1, "n1")));
  const std::string point = attribute + fixed64(2, 5) + fixed64(3, 6) + fixed64(6, 42);
  const std::string sum = message(7, message(1, point) + number(2, 1) + number(3, 1));
  const std::string histogram =
      message(9, message(1, fixed64(3, 6) + fixed64(4, 3) + fixed64(5, 0x4004000000000000)) + number(2, 2));
  const std::string scope =
      message(2, message(1, message(1, "s")) + message(2, message(1, "a.total") + message(3, "1") + sum) +
                     message(2, message(1, "b.time") + histogram));
  return message(1, message(1, message(1, message(1, "k") + message(2, number(3, 7)))) + scope);
}

const std::string expected =
    R"({"codec":"none","resourceMetrics":[{"resource":{"k":7},"scopeMetrics":[{"scope":"s","metrics":[)"
    R"({"name":"a.total","unit":"1","type":"sum","temporality":"delta","monotonic":true,"points":[)"
    R"({"attributes":{"node":"n1"},"startTimeNs":5,"timeNs":6,"value":42}]},)"
    R"({"name":"b.time","type":"histogram","temporality":"cumulative","points":[{"attributes":{},"timeNs":6,"count":3,"sum":2.5}]}]}]}]})";

TEST(Telemetry, Metrics) { EXPECT_EQ(payload("telemetry", view(metrics()), 0), expected); }

TEST(Telemetry, InABody) {
  const std::string m = metrics();
  Blob body(16);
  const Blob head = from_hex("00000001 00 00");
  body.insert(body.end(), head.begin(), head.end());
  ASSERT_LT(m.size(), 0x3fffu);
  body.push_back(static_cast<std::uint8_t>(((m.size() + 1) & 127) | 128));
  body.push_back(static_cast<std::uint8_t>((m.size() + 1) >> 7));
  body.insert(body.end(), m.begin(), m.end());
  body.push_back(0);
  const Dumped d = dump("PushTelemetryRequest", 0, body);
  EXPECT_EQ(d.error.code, Code::none);
  EXPECT_TRUE(d.json.find("\"metrics.decoded\":" + expected) != std::string::npos) << d.json;
}

TEST(Telemetry, BrokenOnesSaySo) {
  const std::string m = metrics();
  Error error;
  for (std::size_t size = 1; size < m.size(); ++size) {
    const std::string json = payload("telemetry", view(m).first(size), 0, -1, &error);
    ASSERT_EQ(error.code, Code::corrupt) << size;
    ASSERT_TRUE(valid_json(json)) << json;
  }
  EXPECT_TRUE(valid_json(payload("telemetry", view(m), 1, -1, &error)));  // not gzip
  EXPECT_NE(error.code, Code::none);
  EXPECT_EQ(payload("telemetry", view(m), 9, -1, &error), "");
  EXPECT_EQ(error.code, Code::unknownCodec);
}

TEST(Telemetry, DeepValuesEnd) {
  std::string value = message(1, "x");
  for (int n = 0; n < 3000; ++n) value = message(5, message(1, value));
  const std::string m = message(1, message(1, message(1, message(1, "k") + message(2, value))));
  EXPECT_TRUE(valid_json(payload("telemetry", view(m), 0)));
}

}  // namespace
}  // namespace kparse::test
