// SPDX-License-Identifier: MIT
// Kafka's JSON must give Kafka's bytes.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>

#include "encoding.h"
#include "kparse/json.h"
#include "support.h"

namespace kparse::test {
namespace {

using Json = rapidjson::Value;

/// The struct at "topics[0].partitions[1]"; "" is the body itself.
Json* at(Json& body, std::string_view path) {
  Json* v = &body;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of(".["), path.size());
    const std::string name(path.substr(0, end));
    if (!v->HasMember(name.c_str())) return nullptr;
    v = &(*v)[name.c_str()];
    path.remove_prefix(end);
    if (path.starts_with('[')) {
      const std::size_t close = path.find(']');
      v = &(*v)[static_cast<rapidjson::SizeType>(std::stoul(std::string(path.substr(1, close - 1))))];
      path.remove_prefix(close + 1);
    }
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return v;
}

std::string base64(const Blob& bytes) {
  JsonWriter w;
  w.base64(bytes);
  return std::string(w.view().substr(1, w.size() - 2));
}

/// Puts Kafka's unknown tagged fields into the JSON, as "$tags".
bool add_tags(rapidjson::Document& line) {
  auto& memory = line.GetAllocator();
  for (const auto& t : line["unknownTags"].GetArray()) {
    Json* where = at(line["json"], t["path"].GetString());
    if (!where) return false;
    if (!where->HasMember("$tags")) where->AddMember("$tags", Json(rapidjson::kArrayType), memory);
    Json entry(rapidjson::kObjectType);
    entry.AddMember("tag", Json(t["tag"].GetInt64()), memory);
    entry.AddMember("data", Json(base64(from_hex(t["hex"].GetString())).c_str(), memory), memory);
    (*where)["$tags"].PushBack(entry, memory);
  }
  return true;
}

/// Decoded by kparse, and encoded again.
std::size_t check_both_ways(const std::filesystem::path& path) {
  const JsonOptions options{.show_secrets = true, .unknown_tags = true, .decoded = false, .records = RecordsAs::base64};
  std::size_t checked = 0;
  for (const Vector& v : vectors_of(path)) {
    if (v.old_layout) continue;
    JsonDump dump(options);
    JsonWriter text;
    EXPECT_FALSE(dump.body(text, *v.message, v.version, v.body)) << v.message->name << " " << v.version;
    const Encoded e = encode(v.message->name, v.version, text.view());
    EXPECT_EQ(e.hex, to_hex(v.body)) << e.path << ": " << e.message << " " << text.view().substr(0, 500);
    ++checked;
  }
  return checked;
}

std::size_t check(const std::filesystem::path& path) {
  std::size_t checked = 0;
  for (const std::string& text : lines_of(path)) {
    rapidjson::Document line;
    line.Parse<rapidjson::kParseFullPrecisionFlag>(text.c_str());
    EXPECT_FALSE(line.HasParseError()) << text;
    if (line.HasMember("layout") || !find_message(line["message"].GetString())) continue;
    if (line.HasMember("unknownTags")) {
      EXPECT_TRUE(add_tags(line)) << text;
    }
    const Encoded e = encode(line["message"].GetString(), line["version"].GetInt(), line["json"]);
    EXPECT_EQ(e.hex, line["hex"].GetString()) << e.path << ": " << e.message << " " << text.substr(0, 500);
    EXPECT_TRUE(e.ignored.empty()) << e.ignored.front() << " " << text.substr(0, 500);
    ++checked;
  }
  return checked;
}

TEST(EncodeGolden, MessagesOfEveryApi) { EXPECT_GE(check(data_file("decode/data/messages.jsonl")), 370u); }

TEST(EncodeGolden, UnknownTaggedFields) { EXPECT_EQ(check(data_file("encode/data/tags.jsonl")), 60u); }

TEST(EncodeGolden, DecodedAndEncodedAgain) {
  EXPECT_GE(check_both_ways(data_file("decode/data/messages.jsonl")), 370u);
  EXPECT_GE(check_both_ways(data_file("encode/data/tags.jsonl")), 60u);
}

TEST(EncodeGolden, AllVectorsDecodedAndEncodedAgain) {
  const auto files = shared_messages();
  if (files.empty()) GTEST_SKIP() << "no golden vectors here";
  std::size_t checked = 0;
  for (const auto& file : files) checked += check_both_ways(file);
  EXPECT_GT(checked, 9000u);
}

TEST(EncodeGolden, AllVectors) {
  const auto files = shared_messages();
  if (files.empty()) GTEST_SKIP() << "no golden vectors here";
  std::size_t checked = 0;
  for (const auto& file : files) checked += check(file);
  EXPECT_GT(checked, 9000u);
}

}  // namespace
}  // namespace kparse::test
