// SPDX-License-Identifier: MIT
// `kschema import`: from JSON files as Kafka's repository has them, and from the merged form.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gen/command.h"

namespace kschema {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class Import : public testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  void write(const fs::path& name, const std::string& text) {
    fs::create_directories((dir_ / name).parent_path());
    std::ofstream(dir_ / name, std::ios::binary) << text;
  }
  /// Imports files of dir_ into dir_/k; gives the status and keeps what was said.
  int import(std::vector<std::string> names) {
    std::vector<std::string> args{"import"};
    for (const auto& name : names) args.push_back((dir_ / name).string());
    args.insert(args.end(), {"--to", (dir_ / "k").string()});
    said_.clear();
    return run(args, said_);
  }
  std::string k(const std::string& name) { return read(dir_ / "k" / name); }

  fs::path dir_;
  std::string said_;
};

constexpr const char* request_v2 = R"(// A licence text could stand here.
{
  "apiKey": 201,
  "type": "request",
  "listeners": ["broker", "controller"],
  "name": "ParkRequest",
  // Version 1 adds the gate.
  "validVersions": "0-2",
  "flexibleVersions": "2+",
  "fields": [
    { "name": "Gate", "type": "string", "versions": "1+", "nullableVersions": "0+", "default": "null", "about": "Which gate." },
    { "name": "Cars", "type": "[]Car", "versions": "0+", "fields": [
      { "name": "Plate", "type": "string", "versions": "0+", "mapKey": true },
      { "name": "Size", "type": "int32", "versions": "1+", "default": "0x7fffffff", "ignorable": true },
      { "name": "Seen", "type": "[]Place", "versions": "0+" },
      { "name": "Colour", "type": "int8", "taggedVersions": "2+", "tag": "0", "default": "-1" } ]},
    { "name": "TopicName", "type": "string", "versions": "0-1", "entityType": "topicName" },
    { "name": "Note", "type": "bytes", "versions": "0+", "zeroCopy": true, "flexibleVersions": "none" }
  ],
  /* shared by several */
  "commonStructs": [
    { "name": "Place", "versions": "0+", "fields": [
      { "name": "Row", "type": "int16", "versions": "0+" },
      { "name": "Gone", "type": "int16", "versions": "7+" },
      { "name": "PartitionIndex", "type": "int32", "versions": "2+" } ]}
  ]
}
)";

constexpr const char* response_v2 = R"({
  "apiKey": 201, "type": "response", "name": "ParkResponse", "validVersions": "0-2", "flexibleVersions": "2+",
  "fields": [
    { "name": "ThrottleTimeMs", "type": "int32", "versions": "1+", "ignorable": true },
    { "name": "ErrorCode", "type": "int16", "versions": "0+" } ]
}
})";  // one brace too many, as in a file of Kafka 2.8

constexpr const char* park_k = R"(# SPDX-License-Identifier: MIT

api 201 Park  0-2  flexible 2+  listeners broker,controller

request
  gate                string  1+   null  default null
  cars                []
    plate             string       key
    size              int32   1+   default 2147483647  ignorable
    seen              []
      row             int16
      partitionIndex  int32   2+   @partition
    colour            int8    2+   tag 0  default -1
  topicName           string  0-1  entity topicName  @topic
  note                bytes        zerocopy  noflex

response
  throttleTimeMs  int32  1+  ignorable  @throttle
  errorCode       int16      @error
)";

TEST_F(Import, KafkaFilesMakeAKFile) {
  write("ParkRequest.json", request_v2);
  write("ParkResponse.json", response_v2);
  EXPECT_EQ(import({"ParkRequest.json", "ParkResponse.json"}), 0) << said_;
  EXPECT_EQ(k("201_park.k"), park_k);
  // Again: nothing changes.
  EXPECT_EQ(import({"ParkRequest.json", "ParkResponse.json"}), 0) << said_;
  EXPECT_EQ(k("201_park.k"), park_k);
}

TEST_F(Import, WhatTheFileKnowsStays) {
  write("k/201_park.k", R"(# SPDX-License-Identifier: MIT

# Why the car park has its own API.
api 201 Park  0-1  listeners broker,controller  was Garage

request
  gate         string  1+  null  default null  secret  @host
  cars         []
    plate      string      key
    # Kept for the barrier.
    weight     int64   0  # kilograms
    size       int32   1+  default 2147483647  ignorable
    seen       []
      row      int16
  topicName    string      entity topicName
  note         bytes       zerocopy  noflex

alternative 0 plain in 0.1 .. 0.2
  gate  int8

response
  throttleTimeMs  int32  1+  ignorable
  errorCode       int16
)");
  std::string newer = request_v2;  // version 0 is no longer described, so "0+" means from 1
  newer.replace(newer.find("\"0-2\""), 5, "\"1-2\"");
  write("ParkRequest.json", newer);
  std::string answer = response_v2;
  answer.replace(answer.find("\"0-2\""), 5, "\"1-2\"");
  write("ParkResponse.json", answer);
  EXPECT_EQ(import({"ParkRequest.json", "ParkResponse.json"}), 0) << said_;
  EXPECT_EQ(k("201_park.k"), R"(# SPDX-License-Identifier: MIT

# Why the car park has its own API.
api 201 Park  0-2  flexible 2+  removed 0  was Garage  listeners broker,controller

request
  gate                string  1+   null  default null  secret  @host
  cars                []
    plate             string       key
    # Kept for the barrier.
    weight            int64   0  # kilograms
    size              int32   1+   default 2147483647  ignorable
    seen              []
      row             int16
      partitionIndex  int32   2+   @partition
    colour            int8    2+   tag 0  default -1
  topicName           string  0-1  entity topicName
  note                bytes        zerocopy  noflex

alternative 0 plain in 0.1 .. 0.2
  gate  int8

response
  throttleTimeMs  int32  1+  ignorable
  errorCode       int16
)");
}

TEST_F(Import, AKeyThatKafkaOnlyReserves) {
  write("k/201_park.k", park_k);
  write("ParkRequest.json", R"({"apiKey": 201, "type": "request", "name": "ParkRequest", "validVersions": "none"})");
  write("ParkResponse.json", R"({"apiKey": 201, "type": "response", "name": "ParkResponse", "validVersions": "none"})");
  write("Never.json", R"({"apiKey": 202, "type": "request", "name": "NeverRequest", "validVersions": "none"})");
  EXPECT_EQ(import({"ParkRequest.json", "ParkResponse.json", "Never.json"}), 0) << said_;
  std::string expected = park_k;
  expected.replace(expected.find("flexible 2+"), 11, "flexible 2+  removed 0-2");
  EXPECT_EQ(k("201_park.k"), expected);
  EXPECT_FALSE(fs::exists(dir_ / "k/202_never.k"));
}

TEST_F(Import, RecordsGoWhereTheirModuleSays) {
  write("group-coordinator/src/main/resources/common/message/SlotKey.json",
        R"({"apiKey": 7, "type": "coordinator-key", "name": "SlotKey", "validVersions": "0", "flexibleVersions": "none",
            "fields": [{"name": "group", "type": "string", "versions": "0"}]})");
  write(
      "group-coordinator/src/main/resources/common/message/SlotValue.json",
      R"({"apiKey": 7, "type": "coordinator-value", "name": "SlotValue", "validVersions": "0", "flexibleVersions": "0+",
            "fields": [{"name": "Until", "type": "int64", "versions": "0+", "default": -1}]})");
  EXPECT_EQ(import({"group-coordinator"}), 0) << said_;
  EXPECT_EQ(k("group_records.k"), R"(# SPDX-License-Identifier: MIT

area group-coordinator

key 7 SlotKey  0
  group  string  @group

value 7 SlotValue  0  flexible 0+
  until  int64  default -1
)");
}

TEST_F(Import, WhatDoesNotFitIsRefused) {
  write("k/201_park.k", park_k);
  std::string swapped = request_v2;  // Note before TopicName: version 0 and 1 would change
  const auto topic = swapped.find("    { \"name\": \"TopicName\""), note = swapped.find("    { \"name\": \"Note\"");
  const std::string line = swapped.substr(topic, note - topic);
  swapped.erase(topic, line.size());
  swapped.replace(swapped.find("\"0-2\""), 5, "\"1-2\"");
  const auto end = swapped.find("\"none\" }\n") + 8;
  swapped.insert(end, ",\n" + line.substr(0, line.rfind(',')) + "\n");
  write("ParkRequest.json", swapped);
  EXPECT_EQ(import({"ParkRequest.json"}), 1);
  EXPECT_NE(said_.find("201_park.k:3: ParkRequest: version 0 would get another layout"), std::string::npos) << said_;
  EXPECT_EQ(k("201_park.k"), park_k);

  std::string other_type = request_v2;
  other_type.replace(other_type.find("\"0-2\""), 5, "\"1-2\"");
  other_type.replace(other_type.find("\"bytes\""), 7, "\"string\"");
  write("ParkRequest.json", other_type);
  EXPECT_EQ(import({"ParkRequest.json"}), 1);
  EXPECT_NE(said_.find("note: its type changed"), std::string::npos) << said_;

  write("bad.json", "{\n\"name\": \n}");
  EXPECT_EQ(import({"bad.json"}), 1);
  EXPECT_NE(said_.find("bad.json:3:"), std::string::npos) << said_;
  write(
      "bad.json",
      R"({"name": "XRequest", "type": "request", "validVersions": "0", "fields": [{"name": "A", "type": "int33", "versions": "0+"}]})");
  EXPECT_EQ(import({"bad.json"}), 1);
  EXPECT_NE(said_.find("a: unknown type 'int33'"), std::string::npos) << said_;
  EXPECT_EQ(import({"absent.json"}), 2);
}

TEST_F(Import, AlternativeLayouts) {
  write("k/201_park.k", park_k);
  write("alt.json",
        R"([{"name": "ParkRequest", "version": 1, "from_release": "0.1", "to_release": "0.2", "flexible": false,
                         "signature": "Gate:string?,Cars:[]{Plate:string,PartitionIndex:int32}"}])");
  EXPECT_EQ(import({"alt.json"}), 0) << said_;
  EXPECT_NE(k("201_park.k")
                .find("\nalternative 1 plain in 0.1 .. 0.2\n"
                      "  gate              string  null\n"
                      "  cars              []\n"
                      "    plate           string\n"
                      "    partitionIndex  int32   @partition\n\nresponse\n"),
            std::string::npos)
      << k("201_park.k");
}

/// The committed files say what the study of 46 releases found: importing it changes nothing.
TEST_F(Import, NoDriftFromTheMergedForm) {
  const char* given = std::getenv("KPARSE_SHARED");
  const fs::path shared = given ? fs::path(given) : fs::path(KPARSE_SOURCE_DIR) / "../shared";
  if (!fs::exists(shared / "protocol/schemas.json")) GTEST_SKIP() << "no " << shared;
  const fs::path committed = fs::path(KPARSE_SOURCE_DIR) / "libkparse/schema";
  fs::copy(committed, dir_ / "k", fs::copy_options::recursive);
  ASSERT_EQ(run({"import", (shared / "protocol/schemas.json").string(), (shared / "protocol/alt-layouts.json").string(),
                 "--to", (dir_ / "k").string()},
                said_),
            0)
      << said_;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(dir_ / "k")) {
    EXPECT_EQ(read(entry.path()), read(committed / entry.path().filename())) << entry.path().filename();
    ++files;
  }
  EXPECT_GT(files, 100u);
}

}  // namespace
}  // namespace kschema
