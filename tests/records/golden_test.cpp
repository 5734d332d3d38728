// SPDX-License-Identifier: MIT
// Record sets written, and judged, by Kafka's own classes (kafka-clients 4.4.0).
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cctype>
#include <sstream>
#include <string>

#include "support.h"

namespace kparse::test {
namespace {

using Json = rapidjson::Value;

/// Collects what differs.
class Check {
 public:
  template <class T>
  void equal(const std::string& what, const T& ours, const T& theirs) {
    if (ours == theirs) return;
    out_ << what << ": ours " << ours << ", Kafka " << theirs << '\n';
  }
  void integer(const std::string& what, std::int64_t ours, const Json& j, const char* name) {
    equal(what + name, ours, j[name].IsUint64() ? static_cast<std::int64_t>(j[name].GetUint64()) : j[name].GetInt64());
  }
  /// Long values are there as length and first bytes only.
  void blob(const std::string& what, const std::optional<Blob>& ours, const Json& theirs) {
    if (theirs.IsNull()) return equal(what, ours.has_value(), false);
    if (!ours) return equal<std::string>(what, "null", "bytes");
    if (theirs.IsString()) return equal<std::string>(what, base64(*ours), theirs.GetString());
    equal<std::uint64_t>(what, ours->size(), theirs["len"].GetUint64());
    const std::string head = theirs["head"].GetString();
    equal(what, base64(*ours).substr(0, head.size() - 4), head.substr(0, head.size() - 4));
  }
  void fail(const std::string& what) { out_ << what << '\n'; }
  [[nodiscard]] std::string text() const { return out_.str(); }

 private:
  std::ostringstream out_;
};

/// Runs of replacement characters count as one; so do runs of bytes that are no UTF-8.
std::string broken(const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    const auto lead = static_cast<unsigned char>(name[i]);
    const std::size_t n = lead < 0x80                   ? 1
                          : lead >= 0xc2 && lead < 0xe0 ? 2
                          : lead >= 0xe0 && lead < 0xf0 ? 3
                          : lead >= 0xf0 && lead < 0xf5 ? 4
                                                        : 0;
    bool good = n > 0 && i + n <= name.size();
    for (std::size_t k = 1; good && k < n; ++k) good = (name[i + k] & 0xc0) == 0x80;
    if (good && n == 3 && lead == 0xed && (name[i + 1] & 0x20)) good = false;  // a surrogate
    const std::string piece = good ? name.substr(i, n) : "\ufffd";
    if (piece != "\ufffd" || !out.ends_with("\ufffd")) out += piece;
    i += good ? n : 1;
  }
  return out;
}

/// Kafka's constants are LEADER_CHANGE and the like, ours the names of the messages.
std::string upper(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c != '_') out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

void compare_batch(Check& check, const std::string& at, const Batch& ours, const Json& truth, bool inner_crc) {
  check.integer(at, ours.magic, truth, "magic");
  check.integer(at, ours.base_offset, truth, "baseOffsetField");
  check.integer(at, ours.batch_length, truth, "batchLength");
  check.integer(at, ours.crc, truth, "crc");
  check.integer(at, static_cast<std::int64_t>(ours.position), truth, "position");
  if (!inner_crc) check.equal(at + "crcValid", ours.crc_valid, truth["crcValid"].GetBool());
  check.equal<std::string>(at + "codec", std::string(name_of(ours.codec)), truth["codec"].GetString());
  check.equal<std::string>(at + "timestampType", std::string(name_of(ours.timestamp_type)),
                           truth["timestampType"].GetString());
  if (ours.magic != 2) return;
  check.integer(at, ours.partition_leader_epoch, truth, "partitionLeaderEpoch");
  check.equal(at + "transactional", ours.transactional, truth["transactional"].GetBool());
  check.equal(at + "control", ours.control, truth["control"].GetBool());
  check.integer(at, ours.last_offset_delta, truth, "lastOffsetDelta");
  check.integer(at, ours.producer_id, truth, "producerId");
  check.integer(at, ours.producer_epoch, truth, "producerEpoch");
  check.integer(at, ours.base_sequence, truth, "baseSequence");
  check.integer(at, ours.count, truth, "count");
  check.integer(at, ours.max_timestamp, truth, "maxTimestampField");
  check.integer(at, ours.base_timestamp, truth, "baseTimestampField");
  check.equal(at + "deleteHorizon", ours.has_delete_horizon, !truth["deleteHorizonMs"].IsNull());
}

void compare_record(Check& check, const std::string& at, const KeptRecord& ours, const Json& truth,
                    const Batch& batch) {
  check.integer(at, ours.record.offset, truth, "offset");
  check.integer(at, ours.record.timestamp, truth, "timestamp");
  if (batch.magic == 2) check.integer(at, ours.record.sequence, truth, "sequence");
  check.blob(at + "key", ours.key, truth["key"]);
  check.blob(at + "value", ours.value, truth["value"]);
  const auto headers = truth["headers"].GetArray();
  check.equal<std::size_t>(at + "headers", ours.headers.size(), headers.Size());
  for (rapidjson::SizeType i = 0; i < headers.Size() && i < ours.headers.size(); ++i) {
    check.equal(at + "header name", broken(ours.headers[i].first),
                broken({headers[i][0].GetString(), headers[i][0].GetStringLength()}));
    check.blob(at + "header value", ours.headers[i].second, headers[i][1]);
  }
  if (!truth.HasMember("control")) return;
  const Json& control = truth["control"];
  if (control.HasMember("type")) {
    check.equal(at + "control", upper(control_type_name(ours.record.control_type)), upper(control["type"].GetString()));
  } else if (ours.key && ours.key->size() < 4) {
    check.equal<int>(at + "control", ours.record.control_type, -2);
  }
}

/// The same rules as those by which the command is checked: what Kafka refuses may not look sound; what it takes must
/// be the same, unless we refuse it where it was meant to be bad.
std::string compare(const Json& row, const Keeper& ours) {
  Check check;
  const std::string outcome = row["outcome"].GetString(), group = row["group"].GetString(),
                    note = row["note"].GetString();
  const auto has = [&note](const char* what) { return note.find(what) != std::string::npos; };
  if (outcome == "refused" || outcome == "records refused") {
    if (group != "edge" && !ours.complaint() && !ours.left && !ours.crc_bad()) check.fail("no error");
    return check.text();
  }
  if (ours.complaint() && (group == "bad" || has("checksum wrong") || has("content size wrong"))) return {};
  const auto truth = row["batches"].GetArray();
  check.equal<std::size_t>("batches", ours.batches.size(), truth.Size());
  for (rapidjson::SizeType i = 0; i < truth.Size() && i < ours.batches.size(); ++i) {
    const KeptBatch& b = ours.batches[i];
    const std::string at = "batches[" + std::to_string(i) + "].";
    compare_batch(check, at, b.batch, truth[i], has("inner CRC"));
    if (b.error)
      check.fail(at + "error " + std::string(name_of(b.error.code)) + " at " + std::to_string(b.error.offset));
    const auto records = truth[i]["records"].GetArray();
    check.equal<std::size_t>(at + "records", b.records.size(), records.Size());
    for (rapidjson::SizeType k = 0; k < records.Size() && k < b.records.size(); ++k) {
      compare_record(check, at + "records[" + std::to_string(k) + "].", b.records[k], records[k], b.batch);
    }
  }
  const std::uint64_t rest = row["bytesAfterLastBatch"].GetUint64();
  check.equal<std::uint64_t>("partial", ours.left ? ours.left->first : 0, rest);
  return check.text();
}

void run(const std::vector<std::string>& lines) {
  std::size_t records = 0;
  for (const std::string& line : lines) {
    rapidjson::Document row;
    row.Parse<rapidjson::kParseFullPrecisionFlag>(line.c_str());
    ASSERT_FALSE(row.HasParseError());
    const Blob set = from_hex(row["hex"].GetString());
    const Keeper ours = read_all(set);
    EXPECT_EQ(compare(row, ours), "") << row["id"].GetInt() << ": " << row["note"].GetString();
    for (const KeptBatch& b : ours.batches) records += b.records.size();
  }
  EXPECT_GT(records, lines.size() / 2);
}

TEST(Golden, RecordSetsBesideTheTest) {
  const auto lines = lines_of(data_file("records.jsonl"));
  ASSERT_GT(lines.size(), 100u);
  run(lines);
}

TEST(Golden, AllRecordSets) {
  const auto path = shared_file("golden/records.jsonl.gz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " isn't there";
  const auto lines = lines_of(path);
  ASSERT_GT(lines.size(), 600u);
  run(lines);
}

}  // namespace
}  // namespace kparse::test
