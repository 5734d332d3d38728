// SPDX-License-Identifier: MIT
// What the command makes of headers: drafts in Produce and Fetch, carriers, registers; and kparse xerial.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <map>
#include <sstream>

#include "captures.h"
#include "process.h"

namespace kparse::test {
namespace {

using rapidjson::Document;
using rapidjson::Value;

std::string bytes_of(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return out;
}

const std::string& vector(const std::string& name) {
  static const auto all = [] {
    std::map<std::string, std::string> out;
    Document d;
    d.Parse(read_file(fs::path(KPARSE_SOURCE_DIR) / "tests/headers/data/vectors.json").c_str());
    for (const auto& m : d.GetObject()) out[m.name.GetString()] = m.value.GetString();
    return out;
  }();
  return all.at(name);
}

std::string text16(std::string_view s) { return be16(static_cast<std::uint16_t>(s.size())) + std::string(s); }
std::string frame(const std::string& body) { return be32(static_cast<std::uint32_t>(body.size())) + body; }
std::string request(int api, int version, std::uint32_t id, const std::string& body) {
  return frame(be16(static_cast<std::uint16_t>(api)) + be16(static_cast<std::uint16_t>(version)) + be32(id) +
               text16("tester") + body);
}
std::string response(std::uint32_t id, const std::string& body) { return frame(be32(id) + body); }
std::string blob(const std::string& b) { return be32(static_cast<std::uint32_t>(b.size())) + b; }

/// Record sets that were produced to topic "t" and fetched from it again, in version 3 of both.
void write_capture(const fs::path& path, const std::vector<std::string>& sets) {
  ConnectionWriter w(path);
  std::uint32_t id = 1;
  for (const std::string& set : sets) {
    w.client(
        request(0, 3, id, be16(0xffff) + be16(1) + be32(1000) + be32(1) + text16("t") + be32(1) + be32(0) + blob(set)));
    w.server(response(
        id, be32(1) + text16("t") + be32(1) + be32(0) + be16(0) + be64(42) + be64(~std::uint64_t{0}) + be32(0)));
    ++id;
    w.client(request(1, 3, id,
                     be32(0xffffffff) + be32(500) + be32(1) + be32(1 << 20) + be32(1) + text16("t") + be32(1) +
                         be32(0) + be64(42) + be32(1 << 20)));
    w.server(response(id, be32(0) + be32(1) + text16("t") + be32(1) + be32(0) + be16(0) + be64(43) + blob(set)));
    ++id;
  }
}

std::vector<Document> lines_of(const std::string& text) {
  std::vector<Document> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    out.emplace_back();
    out.back().Parse(line.c_str());
    EXPECT_FALSE(out.back().HasParseError()) << line;
  }
  return out;
}

std::string shown(const Value& v) {
  if (v.IsString()) return v.GetString();
  if (v.IsInt64()) return std::to_string(v.GetInt64());
  if (v.IsNull()) return "null";
  std::string out = "[";
  for (const Value& x : v.GetArray()) out += (out.size() > 1 ? "," : "") + shown(x);
  return out + "]";
}

TEST(DraftHeaders, InProduceAndFetchOfVersion3) {
  const Folder folder;
  const std::string file = folder / "draft.pcap";
  write_capture(file, {bytes_of(vector("draft_mp")), bytes_of(vector("draft_tf")), bytes_of(vector("draft_tomb")),
                       bytes_of(vector("batch"))});
  const Result off = run({"records", "--format", "ndjson", file});
  EXPECT_EQ(lines_of(off.out).size(), 4u);  // the shipped batch alone
  EXPECT_NE(off.err.find("unknownMagic"), std::string::npos) << off.err;

  const Result on = run({"records", "--format", "ndjson", "--draft-headers", "kip82-varint", file});
  EXPECT_EQ(on.status, 0);
  EXPECT_EQ(on.err, "");
  const auto lines = lines_of(on.out);
  ASSERT_EQ(lines.size(), 10u);
  for (const int i : {0, 1, 2, 3}) {
    const Document& d = lines[static_cast<std::size_t>(i)];
    EXPECT_STREQ(d["via"].GetString(), i % 2 ? "fetch" : "produce");
    EXPECT_STREQ(d["draft"].GetString(), "kip82-varint");
    EXPECT_EQ(shown(d["headers"]), "[[1,cli-7,client.id],[260,nr,new.relic],[-129,x]]");
    EXPECT_EQ(d["offset"].GetInt64(), 42);
    EXPECT_EQ(d["timestamp"].GetInt64(), 1475280000000);
  }
  EXPECT_TRUE(lines[4]["value"].IsNull());
  EXPECT_FALSE(lines[6].HasMember("draft"));
  EXPECT_EQ(shown(lines[6]["headers"]), "[[a,1],[a,null],[b,]]");

  const Result dump = run({"dump", "--format", "ndjson", "--draft-headers", "kip82-any", "--api", "Produce", file});
  const auto frames = lines_of(dump.out);
  ASSERT_FALSE(frames.empty());
  const Value& batch = frames[0]["body"]["topicData"][0]["partitionData"][0]["records"]["batches"][0];
  EXPECT_STREQ(batch["draft"].GetString(), "kip82-any");
  EXPECT_STREQ(batch["draftIntegers"].GetString(), "messagepack");
  EXPECT_TRUE(batch["crcValid"].GetBool());
  EXPECT_EQ(shown(batch["records"][0]["headers"]), "[[1,cli-7,client.id],[260,nr,new.relic],[-129,x]]");
}

// Written by samples/captures/drafts/make.py, which knows nothing of this library.
TEST(DraftHeaders, SamplesOfEachProfile) {
  const std::string old_keys = "[[1,cli-7,client.id],[260,nr,new.relic],[-5,shop,app.name]]";
  const std::string map = "[[client.id,cli-7],[app,shop 1]]";
  const std::pair<const char*, std::string> all[] = {
      {"kip82-varint", old_keys},
      {"kip82-int32", "[[1,cli-7,client.id],[1114000,shop,app.name],[2100001,nr,new.relic]]"},
      {"kip82-compact", old_keys},
      {"kip82-compact-literal", old_keys},
      {"kip82-map", map},
      {"kip82-map-always", map}};
  for (const auto& [profile, headers] : all) {
    SCOPED_TRACE(profile);
    const std::string file = sample("drafts/" + std::string(profile) + ".pcap");
    const Result r = run({"records", "--format", "ndjson", "--draft-headers", profile, file});
    EXPECT_EQ(r.err, "");
    const auto lines = lines_of(r.out);
    ASSERT_EQ(lines.size(), std::string_view(profile) == "kip82-varint" ? 12u : 6u);
    for (std::size_t i = 0; i < lines.size(); i += 3) {
      EXPECT_STREQ(lines[i]["key"].GetString(), "order-1");
      EXPECT_STREQ(lines[i]["value"].GetString(), "placed");
      EXPECT_EQ(shown(lines[i]["headers"]), headers);
      EXPECT_TRUE(lines[i + 1]["value"].IsNull());
      EXPECT_EQ(shown(lines[i + 1]["headers"]), headers);
      EXPECT_TRUE(lines[i + 2]["key"].IsNull());
      EXPECT_EQ(shown(lines[i + 2]["headers"]), "[]");
    }
    const Result off = run({"records", "--format", "ndjson", file});
    EXPECT_EQ(off.out, "");
    EXPECT_NE(off.err.find("unknownMagic"), std::string::npos) << off.err;
  }
}

TEST(DraftHeaders, InTheReportWithNames) {
  const Folder folder;
  const std::string file = folder / "draft.pcap", names = folder / "names.txt";
  write_capture(file, {bytes_of(vector("draft_mp")), bytes_of(vector("batch"))});
  write_file(names, "key -129 our.scratch  what nobody else reads\nheader b ours\n");
  const Result r =
      run({"report", "--format", "json", "--draft-headers", "kip82-varint", "--header-register", names, file});
  ASSERT_EQ(r.status, 0) << r.err;
  Document d;
  d.Parse(r.out.c_str());
  std::string all;
  for (const Value& h : d["headers"].GetArray()) {
    all += shown(h["name"]) + ":" + std::to_string(h["records"].GetInt()) + ":" + shown(h["kind"]);
    if (h.HasMember("registered")) all += ":" + shown(h["registered"]);
    all += " ";
  }
  EXPECT_EQ(all, "-129:2:null:our.scratch 1:2:null:client.id 260:2:null:new.relic a:4:null b:2:ours ");
  const Result text = run({"report", "--draft-headers", "kip82-varint", "--header-register", names, file});
  EXPECT_NE(text.out.find("-129 (our.scratch)"), std::string::npos) << text.out;
}

TEST(DraftHeaders, DecodeWithoutACapture) {
  const std::pair<const char*, std::pair<const char*, const char*>> all[] = {
      {"draft_i32", {"kip82-int32", "[[1,cli-7,client.id],[1050000,ig,charge.tag]]"}},
      {"fut_hdr", {"kip82-compact", "[[1,cli-7,client.id]]"}},
      {"fut_nokey", {"kip82-compact", "[]"}},
  };
  for (const auto& [name, expected] : all) {
    const Result r = run({"decode", "--records", "--draft-headers", expected.first, vector(name)});
    ASSERT_EQ(r.status, 0) << r.err;
    Document d;
    d.Parse(r.out.c_str());
    EXPECT_EQ(shown(d["batches"][0]["records"][0]["headers"]), expected.second) << name;
  }
  EXPECT_EQ(run({"decode", "--records", vector("draft_i32")}).status, 1);
}

TEST(HeaderRegister, MistakesAndMissingFiles) {
  const Folder folder;
  const std::string bad = folder / "bad.txt";
  write_file(bad, "key 1 a\nkee 2 b\n");
  for (const char* command : {"records", "report", "dump"}) {
    const Result r = run({command, "--header-register", bad, sample("otel-traceparent.pcap")});
    EXPECT_EQ(r.status, 2) << command;
    EXPECT_NE(r.err.find("bad.txt:2: neither 'key' nor 'header': 'kee'"), std::string::npos) << r.err;
    EXPECT_EQ(r.out, "");
  }
  EXPECT_EQ(run({"headers", "--header-register", folder / "none.txt"}).status, 3);
}

TEST(HeadersCommand, PrintsRulesAndRegister) {
  const Result rules = run({"headers"});
  EXPECT_EQ(rules.status, 0);
  for (const char* word :
       {"ce_specversion", "__connect.errors.*", "confluent-guid", "kip82-varint", "linkedin-segment"})
    EXPECT_NE(rules.out.find(word), std::string::npos) << word;
  const Folder folder;
  const std::string names = folder / "names.txt";
  write_file(names, "key 4711 acme.tenant whose it is\n");
  const Result text = run({"headers", "--register", "--header-register", names});
  for (const char* word : {"appdynamics", "2100002", "0x00200000", "acme.tenant", "whose it is", "in-house overflow"})
    EXPECT_NE(text.out.find(word), std::string::npos) << word;
  const Result json = run({"headers", "--register", "--format", "json", "--header-register", names});
  Document d;
  d.Parse(json.out.c_str());
  ASSERT_FALSE(d.HasParseError()) << json.out;
  EXPECT_EQ(d["schemaVersion"].GetInt(), 1);
  EXPECT_EQ(d["keys"][0]["key"].GetInt(), 4711);
  EXPECT_TRUE(d["keys"][0]["yours"].GetBool());
  EXPECT_EQ(d["keys"].Size(), 12u);
  d.Parse(run({"headers", "--format", "json"}).out.c_str());
  ASSERT_FALSE(d.HasParseError());
  EXPECT_GE(d["headers"].Size(), 40u);
  EXPECT_GE(d["carriers"].Size(), 26u);
}

TEST(Recognise, OnlyWhenAsked) {
  const std::string file = sample("otel-traceparent.pcap");
  EXPECT_EQ(run({"records", "--format", "ndjson", file}).out.find("\"carrier\""), std::string::npos);
  const Result r = run({"records", "--recognise", "--format", "ndjson", file});
  std::size_t traced = 0, all = 0;
  for (const Document& d : lines_of(r.out)) {
    ASSERT_TRUE(d.HasMember("carrier"));
    ++all;
    if (d["carrier"].IsNull()) continue;
    for (const Value& c : d["carrier"].GetArray()) {
      if (std::string_view(c["kind"].GetString()) != "traceparent") continue;
      ++traced;
      EXPECT_STREQ(c["where"].GetString(), "headers");
      EXPECT_STREQ(c["confidence"].GetString(), "certain");
      EXPECT_EQ(std::string_view(c["fields"]["traceId"].GetString()).size(), 32u);
    }
  }
  EXPECT_GT(traced, 10u);
  EXPECT_LE(traced, all);
  EXPECT_NE(run({"records", "--recognise", file}).out.find("[traceparent traceId="), std::string::npos);
  EXPECT_NE(run({"records", "--recognise", "--format", "csv", file}).out.find(",carrier\r\n"), std::string::npos);
}

TEST(Xerial, WorkedBytesBothWays) {
  const auto encode = [](std::vector<std::string> more, const std::string& input) {
    more.insert(more.begin(), {"xerial", "encode", "--hex"});
    return run(more, input);
  };
  EXPECT_EQ(encode({}, "68656c6c6f").out, vector("xer") + "\n");
  EXPECT_EQ(encode({"--little-endian"}, "68656c6c6f").out, vector("xer_le") + "\n");
  EXPECT_EQ(encode({}, "").out, vector("xer_empty") + "\n");
  EXPECT_EQ(encode({"--raw"}, "68656c6c6f").out, "051068656c6c6f\n");
  const std::pair<const char*, const char*> read[] = {
      {"xer", "68656c6c6f"}, {"xer_le", "68656c6c6f"}, {"xer_cat", "68656c6c6f776f726c64"}, {"xer_empty", ""}};
  for (const auto& [name, plain] : read) {
    const Result r = run({"xerial", "decode", "--hex"}, vector(name));
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.out, std::string(plain) + "\n") << name;
    EXPECT_EQ(r.err.find("little-endian") != std::string::npos, std::string_view(name) == "xer_le") << r.err;
  }
  EXPECT_EQ(run({"xerial", "decode", "--hex"}, "051068656c6c6f").out, "68656c6c6f\n");
}

TEST(Xerial, FilesAndBlocks) {
  const Folder folder;
  const std::string plain = folder / "plain", packed = folder / "packed";
  std::string content;
  for (int i = 0; i < 20'000; ++i) content += std::to_string(i * 7919);
  write_file(plain, content);
  for (const char* size : {"1K", "32K", "512M"}) {
    ASSERT_EQ(run({"xerial", "encode", "--block-size", size, plain, "--output", packed}).status, 0);
    EXPECT_EQ(run({"xerial", "decode", packed}).out, content) << size;
  }
  ASSERT_EQ(run({"xerial", "encode", plain, "--output", packed}).status, 0);
  const Result cut = run({"xerial", "decode"}, read_file(packed).substr(0, 30000));
  EXPECT_EQ(cut.status, 1);
  EXPECT_NE(cut.err.find("truncated"), std::string::npos) << cut.err;
  EXPECT_FALSE(cut.out.empty());  // what came before
  const Result more = run({"xerial", "decode"}, read_file(packed) + "xx");
  EXPECT_EQ(more.status, 0);
  EXPECT_NE(more.err.find("2 bytes at the end"), std::string::npos) << more.err;
}

TEST(Xerial, Mistakes) {
  EXPECT_EQ(run({"xerial"}).status, 2);
  EXPECT_EQ(run({"xerial", "squeeze"}).status, 2);
  EXPECT_EQ(run({"xerial", "decode", "--raw"}).status, 2);
  EXPECT_EQ(run({"xerial", "encode", "--raw", "--block-size", "1K"}).status, 2);
  EXPECT_EQ(run({"xerial", "encode", "--block-size", "0"}).status, 2);
  EXPECT_EQ(run({"xerial", "decode", "/nowhere"}).status, 3);
  EXPECT_EQ(run({"xerial", "decode"}, "").status, 1);
  EXPECT_EQ(run({"xerial", "decode", "--hex"}, "0x").status, 1);
}

}  // namespace
}  // namespace kparse::test
