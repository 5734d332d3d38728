// SPDX-License-Identifier: MIT
// What is recognised in real captures, against what their records hold: none may be taken for what it isn't.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "captures.h"
#include "process.h"

namespace kparse::test {
namespace {

using rapidjson::Document;
using rapidjson::Value;

/// Schema ids that the programs of the captures put before some of their values.
const std::set<std::int64_t> schema_ids{7, 1042, 90210};

bool has_header(const Value& line, std::string_view begins) {
  for (const Value& h : line["headers"].GetArray()) {
    std::string name = h[0].GetString();
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    if (name.starts_with(begins)) return true;
  }
  return false;
}

/// Is it there? By other means than the rules': names of headers, RapidJSON, and what is known of the programs.
bool holds(const Value& line, const Value& carrier) {
  const std::string kind = carrier["kind"].GetString();
  static const std::map<std::string, const char*> by_header{
      {"traceparent", "traceparent"},    {"b3", ""},
      {"cloudevents", "ce_specversion"}, {"spring", ""},
      {"dead-letter", "kafka_"},         {"retry", "retry_topic-"},
      {"connect", "__connect.errors."},  {"schema-registry", "__"}};
  if (const auto found = by_header.find(kind); found != by_header.end()) {
    if (kind == "b3") return has_header(line, "b3") || has_header(line, "x-b3-traceid");
    if (kind == "spring")
      return has_header(line, "__typeid__") || has_header(line, "spring_") || has_header(line, "kafka_");
    return has_header(line, found->second);
  }
  if (kind == "confluent") return schema_ids.count(carrier["fields"]["schemaId"].GetInt64()) == 1;
  if (kind == "string-map" && carrier["fields"].HasMember("header"))
    return has_header(line, "spring_json_header_types");
  if ((kind == "cloudevents-structured" || kind == "connect-json") && line["value"].IsString()) {
    Document value;
    value.Parse(line["value"].GetString());
    if (value.HasParseError() || !value.IsObject()) return false;
    return kind == "connect-json" ? value.HasMember("schema") && value.HasMember("payload")
                                  : value.HasMember("specversion");
  }
  return false;
}

struct Count {
  std::size_t captures = 0, records = 0, wrong = 0;
  std::map<std::string, std::size_t> kinds;
  std::map<std::string, std::set<std::string>> looks;  ///< capture and topic
};

void measure(const fs::path& file, Count& count) {
  ++count.captures;
  const Result r = run({"records", "--recognise", "--format", "ndjson", file.string()});
  EXPECT_EQ(r.status, 0) << file << r.err;
  std::istringstream in(r.out);
  for (std::string line; std::getline(in, line);) {
    Document d;
    d.Parse(line.c_str());
    ASSERT_FALSE(d.HasParseError()) << line.substr(0, 300);
    ++count.records;
    if (d["carrier"].IsNull()) continue;
    for (const Value& c : d["carrier"].GetArray()) {
      ++count.kinds[c["kind"].GetString()];
      if (holds(d, c)) continue;
      ++count.wrong;
      ADD_FAILURE() << file << ": " << c["kind"].GetString() << " in " << line.substr(0, 600);
    }
  }
  Document report;
  report.Parse(run({"report", "--format", "json", file.string()}).out.c_str());
  ASSERT_FALSE(report.HasParseError()) << file;
  for (const Value& t : report["topics"].GetArray()) {
    for (const Value& l : t["looksLike"].GetArray())
      count.looks[file.stem().string() + " " + (t["topic"].IsString() ? t["topic"].GetString() : "?")].insert(
          l["kind"].GetString());
  }
}

TEST(CarriersInCaptures, OfTheSamples) {
  Count count;
  for (const auto& e : fs::directory_iterator(fs::path(KPARSE_SOURCE_DIR) / "samples/captures")) {
    if (e.is_regular_file() && e.path().extension() != ".md") measure(e.path(), count);
  }
  EXPECT_GE(count.captures, 12u);
  EXPECT_EQ(count.wrong, 0u);
  EXPECT_GT(count.kinds["traceparent"], 0u);
  EXPECT_GT(count.kinds["b3"], 0u);
  EXPECT_GT(count.kinds["confluent"], 0u);
}

TEST(CarriersInCaptures, OfManyClients) {
  const char* folder = std::getenv("KPARSE_SHARED");
  const fs::path real = fs::path(folder ? folder : KPARSE_SOURCE_DIR "/../shared") / "captures/real";
  if (!fs::exists(real)) GTEST_SKIP() << "no " << real;
  Count count;
  for (const auto& e : fs::recursive_directory_iterator(real)) {
    const auto extension = e.path().extension();
    if (extension == ".pcap" || extension == ".pcapng") measure(e.path(), count);
  }
  EXPECT_GT(count.captures, 200u);
  EXPECT_GT(count.records, 20'000u);
  EXPECT_EQ(count.wrong, 0u);
  for (const auto& [kind, n] : count.kinds) RecordProperty("found_" + kind, static_cast<int>(n));
  for (const auto& [topic, kinds] : count.looks) {
    std::string all;
    for (const std::string& k : kinds) all += k + " ";
    std::printf("%s looks like %s\n", topic.c_str(), all.c_str());
  }
}

}  // namespace
}  // namespace kparse::test
