// SPDX-License-Identifier: MIT
// Varints as Kafka's ByteUtils reads them, alone and as a record's deltas; single records as DefaultRecord reads them.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "support.h"

namespace kparse::test {
namespace {

constexpr std::int64_t base_offset = std::int64_t{1} << 40;

Blob record_with(Bytes timestamp_delta, Bytes offset_delta) {
  Blob body{0};
  append(body, timestamp_delta);
  append(body, offset_delta);
  append(body, from_hex("010100"));  // null key, null value, no headers
  Blob out;
  put_varint(out, static_cast<std::int64_t>(body.size()));
  append(out, body);
  return out;
}

Keeper read_one(Bytes record) {
  return read_all(BatchMaker{.base_offset = base_offset, .base_timestamp = 0}.make(record));
}

void check_number(const rapidjson::Document& row, const std::string& kind, Bytes bytes) {
  const std::uint8_t* end = bytes.data() + bytes.size();
  const std::uint8_t* after = nullptr;
  std::int64_t value = 0;
  if (kind == "uvarint") {
    std::uint32_t v = 0;
    after = read_uvarint(bytes.data(), end, v);
    value = static_cast<std::int32_t>(v);
  } else if (kind == "varint") {
    std::int32_t v = 0;
    after = read_varint(bytes.data(), end, v);
    value = v;
  } else {
    after = read_varlong(bytes.data(), end, value);
  }
  if (row.HasMember("exception")) {
    EXPECT_EQ(after, nullptr) << row["hex"].GetString();
    return;
  }
  ASSERT_NE(after, nullptr) << row["hex"].GetString();
  EXPECT_EQ(value, row["value"].GetInt64()) << row["hex"].GetString();
  EXPECT_EQ(after - bytes.data(), row["consumed"].GetInt64()) << row["hex"].GetString();
}

void check_in_record(const rapidjson::Document& row, const std::string& kind, Bytes bytes) {
  if (row.HasMember("consumed")) bytes = bytes.first(row["consumed"].GetUint());
  const Blob zero{0};
  const Blob record = kind == "varint"    ? record_with(zero, bytes)
                      : kind == "varlong" ? record_with(bytes, zero)
                                          : Blob(bytes.begin(), bytes.end());
  const Keeper ours = read_one(record);
  ASSERT_EQ(ours.batches.size(), 1u);
  const KeptBatch& b = ours.batches[0];
  if (row.HasMember("exception")) {
    EXPECT_TRUE(b.error) << row["hex"].GetString();
    return;
  }
  ASSERT_TRUE(!b.error && b.records.size() == 1) << row["hex"].GetString();
  const KeptRecord& r = b.records[0];
  if (kind != "record") {
    EXPECT_EQ(kind == "varint" ? r.record.offset - base_offset : r.record.timestamp, row["value"].GetInt64());
    return;
  }
  EXPECT_EQ(r.record.offset - base_offset, row["offsetDelta"].GetInt64());
  EXPECT_EQ(r.record.timestamp, row["timestampDelta"].GetInt64());
  EXPECT_EQ(r.key ? base64(*r.key) : "null", row["key"].IsNull() ? "null" : row["key"].GetString());
  EXPECT_EQ(r.value ? base64(*r.value) : "null", row["value"].IsNull() ? "null" : row["value"].GetString());
  const auto headers = row["headers"].GetArray();
  ASSERT_EQ(r.headers.size(), headers.Size());
  for (rapidjson::SizeType i = 0; i < headers.Size(); ++i) {
    EXPECT_EQ(r.headers[i].first, headers[i][0].GetString());
    EXPECT_EQ(r.headers[i].second ? base64(*r.headers[i].second) : "null",
              headers[i][1].IsNull() ? "null" : headers[i][1].GetString());
  }
}

void run(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    rapidjson::Document row;
    row.Parse(line.c_str());
    ASSERT_FALSE(row.HasParseError());
    const std::string kind = row["kind"].GetString();
    const Blob bytes = from_hex(row["hex"].GetString());
    if (kind != "record") check_number(row, kind, bytes);
    if (kind != "uvarint") check_in_record(row, kind, bytes);
  }
}

TEST(Varints, BesideTheTest) {
  const auto lines = lines_of(data_file("varints.jsonl"));
  ASSERT_GT(lines.size(), 300u);
  run(lines);
}

TEST(Varints, All) {
  const auto path = shared_file("golden/varints.jsonl.gz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " isn't there";
  const auto lines = lines_of(path);
  ASSERT_GT(lines.size(), 1300u);
  run(lines);
}

}  // namespace
}  // namespace kparse::test
