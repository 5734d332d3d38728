// SPDX-License-Identifier: MIT
// Inputs that are missing, empty, foreign, damaged or endless: said clearly, and nothing else is lost.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "captures.h"
#include "process.h"

namespace kparse::test {
namespace {

const std::string good = sample("java-4.3-headers-lz4.pcap");

rapidjson::Document json(const std::string& text) {
  rapidjson::Document document;
  document.Parse(text.c_str());
  EXPECT_FALSE(document.HasParseError()) << text.substr(0, 200);
  return document;
}

std::uint64_t seen(const Result& report, const char* what) {
  const auto document = json(report.out);
  if (document.HasParseError() || !document.HasMember("seen")) return ~0ull;
  return document["seen"][what].GetUint64();
}

/// One line: kparse: FILE: why.
void expect_message(const std::string& err, const std::string& file, const std::string& why) {
  EXPECT_NE(err.find("kparse: " + file + ": "), std::string::npos) << err;
  EXPECT_NE(err.find(why), std::string::npos) << err;
}

TEST(Inputs, MissingFile) {
  const Result r = run({"report", "no-such-file.pcap"});
  EXPECT_EQ(r.status, 3);
  expect_message(r.err, "no-such-file.pcap", "No such file");
}

TEST(Inputs, WhatIsNoCapture) {
  const Folder folder;
  write_file(folder / "empty", "");
  std::string noise;
  for (std::uint32_t i = 0, x = 12345; i < 100'000; ++i)
    noise += static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
  write_file(folder / "noise", noise);
  write_file(folder / "noise.gz", noise);
  write_file(folder / "text", "this is a text, not a capture\n");
  fs::create_directory(folder / "folder");
  for (const char* name : {"empty", "noise", "noise.gz", "text", "folder"}) {
    for (const char* command : {"report", "frames", "dump", "records"}) {
      const Result r = run({command, folder / name});
      EXPECT_EQ(r.status, 3) << command << ' ' << name;
      expect_message(r.err, folder / name, "");
    }
  }
}

TEST(Inputs, StandardInput) {
  const Result by_name = run({"dump", "--format", "ndjson", good}),
               by_pipe = run({"dump", "--format", "ndjson", "-"}, read_file(good));
  EXPECT_EQ(by_pipe.status, 0) << by_pipe.err;
  EXPECT_EQ(std::count(by_pipe.out.begin(), by_pipe.out.end(), '\n'),
            std::count(by_name.out.begin(), by_name.out.end(), '\n'));
  const Result nothing = run({"report", "-"}, "");
  EXPECT_EQ(nothing.status, 3);
}

TEST(Inputs, TwoOfThreeUnreadable) {
  const Folder folder;
  write_file(folder / "empty", "");
  const Result alone = run({"report", "--format", "json", good});
  const Result three = run({"report", "--format", "json", "no-such-file.pcap", good, folder / "empty"});
  EXPECT_EQ(alone.status, 0);
  EXPECT_EQ(three.status, 3);
  expect_message(three.err, "no-such-file.pcap", "No such file");
  expect_message(three.err, folder / "empty", "");
  for (const char* what : {"packets", "requests", "responses", "matched", "records", "batches"})
    EXPECT_EQ(seen(three, what), seen(alone, what)) << what;
}

TEST(Inputs, CutInTheFirstKilobyte) {
  const Folder folder;
  const std::string whole = read_file(good);
  const auto records = Pcap::parse(whole).records;
#if defined(__SANITIZE_ADDRESS__)
  constexpr std::size_t step = 5;  // each run costs ten times as much
#else
  constexpr std::size_t step = 1;
#endif
  for (std::size_t size = 0; size <= 1024; size += step) {
    write_file(folder / "cut", whole.substr(0, size));
    const Result r = run({"report", "--format", "json", folder / "cut"});
    ASSERT_TRUE(r.status == 0 || r.status == 3) << size << ": " << r.status << '\n' << r.err;
    ASSERT_EQ(r.status == 3, size < 24) << size << ": the file header is 24 bytes\n" << r.err;
    if (r.status == 3) {
      expect_message(r.err, folder / "cut", "");
      continue;
    }
    const auto document = json(r.out);
    const auto& input = document["inputs"][0];
    std::size_t complete = 24;
    for (const auto& record : records) {
      if (complete + record.size() > size) break;
      complete += record.size();
    }
    ASSERT_EQ(input["damaged"].IsNull(), complete == size) << size;
  }
}

TEST(Inputs, CutEverywhereInOnePass) {
  const Folder folder;
  const std::string whole = read_file(good);
  std::vector<std::string> arguments = {"report", "--separate"};
  for (std::size_t size = 24; size <= 1024; ++size) {
    arguments.push_back(folder / std::to_string(size));
    write_file(arguments.back(), whole.substr(0, size));
  }
  const Result r = run(arguments);
  EXPECT_EQ(r.status, 0) << r.err;
}

TEST(Inputs, RecordThatClaimsTwoGigabytes) {
  const Folder folder;
  Pcap pcap = Pcap::parse(read_file(good));
  std::string file = pcap.file(0, 50);
  const std::size_t where = file.size();
  file += pcap.records[50].substr(0, 8) + std::string("\xff\xff\xff\x7f\xff\xff\xff\x7f", 8) + std::string(5000, 'x');
  write_file(folder / "huge", file);
  const Result r = run({"report", "--format", "json", folder / "huge"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(seen(r, "packets"), 50u);
  const auto document = json(r.out);
  const std::string damaged =
      document["inputs"][0]["damaged"].IsString() ? document["inputs"][0]["damaged"].GetString() : "";
  EXPECT_NE(damaged.find(std::to_string(where)), std::string::npos) << "names the byte: " << damaged;
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(r.peak_kib, 512 * 1024);
#endif
}

TEST(Inputs, SignalEndsTheReadingNotTheReport) {
  const Pcap pcap = Pcap::parse(read_file(good));
  for (const int number : {SIGINT, SIGTERM}) {
    Process process(
        {.arguments = {"report", "--format", "json", "-"}, .out_file = {}, .close_out = false, .in_child = {}});
    process.write(pcap.file(0, 60));
    process.wait_until_read();
    ::usleep(300'000);
    process.signal(number);
    ::usleep(300'000);  // standard input is still open: it must not wait for its end
    const Result r = process.finish();
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(seen(r, "packets"), 60u);
  }
}

}  // namespace
}  // namespace kparse::test
