// SPDX-License-Identifier: MIT
// Bytes and JSON written by Kafka's own classes.
#include <gtest/gtest.h>

#include "json_check.h"

namespace kparse::test {
namespace {

/// Takes "$tags" out of `json`, collecting "path tag hex" of each.
void split_tags(Json& json, const std::string& path, std::vector<std::string>& out,
                rapidjson::Document::AllocatorType& memory) {
  if (json.IsArray()) {
    for (rapidjson::SizeType i = 0; i < json.Size(); ++i)
      split_tags(json[i], path + "[" + std::to_string(i) + "]", out, memory);
  } else if (json.IsObject()) {
    if (json.HasMember("$tags"))
      for (const auto& tag : json["$tags"].GetArray()) out.push_back(path + " " + std::to_string(tag["tag"].GetUint()));
    json.RemoveMember("$tags");
    for (auto& m : json.GetObject())
      split_tags(m.value, path.empty() ? m.name.GetString() : path + "." + m.name.GetString(), out, memory);
  }
}

class Checker {
 public:
  explicit Checker()
      : dump_([] {
          JsonOptions o;
          o.show_secrets = true;
          o.unknown_tags = true;
          return o;
        }()) {}

  void messages(const std::filesystem::path& path) {
    for (const std::string& line : lines_of(path)) {
      rapidjson::Document row;
      row.Parse<rapidjson::kParseFullPrecisionFlag>(line.data(), line.size());
      if (row.HasMember("layout")) continue;
      ++count;
      const std::string at = std::string(row["message"].GetString()) + " v" + std::to_string(row["version"].GetInt());
      const Error error = write(row);
      ASSERT_EQ(error.code, Code::none) << at;
      auto ours = parsed(out_.view());
      std::vector<std::string> tags, expected;
      split_tags(ours, "", tags, ours.GetAllocator());
      if (row.HasMember("unknownTags"))
        for (const auto& tag : row["unknownTags"].GetArray())
          expected.push_back(std::string(tag["path"].GetString()) + " " + std::to_string(tag["tag"].GetUint()));
      std::sort(tags.begin(), tags.end());
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(tags, expected) << at;
      ASSERT_EQ(difference(ours, row["json"], {.siblings = true}), "") << at << " " << row["hex"].GetString();
    }
  }

  /// What Kafka refuses needs an error (or the note of a null, or of a tag's size, which only Kafka takes for one);
  /// what it takes must read the same or be refused too.
  void damaged(const std::filesystem::path& path) {
    for (const std::string& line : lines_of(path)) {
      rapidjson::Document row;
      row.Parse<rapidjson::kParseFullPrecisionFlag>(line.data(), line.size());
      ++count;
      const std::string at = std::string(row["message"].GetString()) + ": " + row["note"].GetString();
      bool complaint = write(row).code != Code::none;
      for (const Note& n : dump_.notes())
        complaint = complaint || n.rule == Note::Rule::nullNotAllowed || n.rule == Note::Rule::tagSize;
      if (std::string_view(row["outcome"].GetString()) == "refused") {
        ASSERT_TRUE(complaint) << at << " " << row["hex"].GetString();
      } else if (!complaint && std::string_view(row["note"].GetString()).find("surrogate") == std::string_view::npos) {
        auto ours = parsed(out_.view());
        std::vector<std::string> tags;
        split_tags(ours, "", tags, ours.GetAllocator());
        ASSERT_EQ(difference(ours, row["json"], {.siblings = true}), "") << at;
      }
    }
  }

  std::size_t count = 0;

 private:
  Error write(const Json& row) {
    out_.clear();
    body_ = from_hex(row["hex"].GetString());
    return dump_.body(out_, *find_message(row["message"].GetString()), row["version"].GetInt(), body_);
  }

  JsonDump dump_;
  JsonWriter out_;
  Blob body_;
};

void payloads(const std::filesystem::path& path, std::size_t& count) {
  for (const std::string& line : lines_of(path)) {
    rapidjson::Document row;
    row.Parse<rapidjson::kParseFullPrecisionFlag>(line.data(), line.size());
    ++count;
    const Json& json = row["json"];
    const std::string_view kind = row["kind"].GetString();
    Error error;
    const std::string ours = payload(kind, from_hex(row["hex"].GetString()), row["version"].GetInt(),
                                     kind == "coordinator-value" ? json["apiKey"].GetInt() : -1, &error);
    ASSERT_EQ(error.code, Code::none) << line;
    const bool any_order = row.HasMember("note") &&
                           std::string_view(row["note"].GetString()).find("without order") != std::string_view::npos;
    ASSERT_EQ(difference(parsed(ours), json, {.any_order = any_order}), "") << line;
  }
}

TEST(Golden, Messages) {
  Checker check;
  check.messages(data_file("decode/data/messages.jsonl"));
  EXPECT_GT(check.count, 300u);
}

TEST(Golden, DamagedMessages) {
  Checker check;
  check.damaged(data_file("decode/data/badmessages.jsonl"));
  EXPECT_GT(check.count, 100u);
}

TEST(Golden, Payloads) {
  std::size_t count = 0;
  payloads(data_file("dump/data/embedded.jsonl"), count);
  EXPECT_GT(count, 100u);
}

TEST(Golden, Everything) {
  const auto files = shared_messages();
  if (files.empty()) GTEST_SKIP() << "no golden vectors";
  Checker check;
  for (const auto& file : files) check.messages(file);
  check.damaged(shared_folder() / "golden/badmessages.jsonl.gz");
  EXPECT_GT(check.count, 10000u);
  std::size_t count = 0;
  payloads(shared_folder() / "golden/embedded.jsonl.gz", count);
  EXPECT_GT(count, 300u);
}

}  // namespace
}  // namespace kparse::test
