// SPDX-License-Identifier: MIT
// Outputs that can't be written, usage errors, and output that depends on nothing but the packets.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <sys/resource.h>

#include <csignal>
#include <string>
#include <string_view>

#include "captures.h"
#include "process.h"

namespace kparse::test {
namespace {

const std::string good = sample("java-4.3-headers-lz4.pcap");
const std::string rebalance = sample("group-rebalance.pcap.gz");

TEST(Outputs, FullDisk) {
  for (const char* command : {"report", "dump", "records", "frames"}) {
    const Result named = run({command, "--output", "/dev/full", good});
    EXPECT_EQ(named.status, 3) << command;
    EXPECT_NE(named.err.find("kparse: /dev/full: cannot be written: No space left"), std::string::npos) << named.err;
    Process process({.arguments = {command, good}, .out_file = "/dev/full", .close_out = false, .in_child = {}});
    const Result standard = process.finish();
    EXPECT_EQ(standard.status, 3) << command;
    EXPECT_NE(standard.err.find("kparse: standard output: cannot be written: No space left"), std::string::npos)
        << standard.err;
  }
}

TEST(Outputs, ClosedPipeEndsQuietly) {
  for (const char* command : {"report", "dump", "records", "frames"}) {
    Process process({.arguments = {command, good, rebalance}, .out_file = {}, .close_out = true, .in_child = {}});
    const Result r = process.finish();
    EXPECT_EQ(r.status, 0) << command;
    EXPECT_EQ(r.err, "") << command;
  }
}

TEST(Outputs, FileIsWrittenWholeOrNotAtAll) {
  const Folder folder;
  const fs::path file = folder / "out.ndjson";
  const Result printed = run({"dump", "--format", "ndjson", good});
  EXPECT_EQ(run({"dump", "--format", "ndjson", "--output", file, good}).status, 0);
  EXPECT_EQ(read_file(file), printed.out);

  write_file(file, "former content");
  EXPECT_EQ(run({"dump", "--output", file}).status, 2) << "no capture named";
  EXPECT_EQ(run({"dump", "--output", file, "--filter", "no filter at all", good}).status, 2);
  EXPECT_EQ(read_file(file), "former content");

  // A limit of the size of files, as a disk that fills up in the middle.
  Process process({.arguments = {"dump", "--format", "ndjson", "--output", file, good},
                   .out_file = {},
                   .close_out = false,
                   .in_child = [] {
                     const rlimit limit{8192, 8192};
                     ::setrlimit(RLIMIT_FSIZE, &limit);
                     std::signal(SIGXFSZ, SIG_IGN);
                   }});
  const Result r = process.finish();
  EXPECT_EQ(r.status, 3);
  EXPECT_NE(r.err.find("kparse: " + file.string() + ": cannot be written: File too large"), std::string::npos) << r.err;
  EXPECT_EQ(read_file(file), "former content");
  EXPECT_EQ(folder.entries(), 1u) << "a temporary file was left";
}

TEST(Outputs, UnreadableInputStillGivesTheRest) {
  const Folder folder;
  EXPECT_EQ(run({"dump", "--format", "ndjson", "--output", folder / "out", "no-such-file", good}).status, 3);
  EXPECT_GT(read_file(folder / "out").size(), 10'000u);
}

TEST(Outputs, WhatIsReadTwiceIsComplainedOfOnce) {
  const Folder folder;
  std::string cut = read_file(good);
  cut.resize(cut.size() - 3);
  write_file(folder / "cut.pcap", cut);
  for (const std::vector<std::string>& chosen : {std::vector<std::string>{"--conversation", "0"}, {"--api", "Produce", "--topic", "orders.lz4"}}) {
    std::vector<std::string> call{"extract", folder / "cut.pcap", "-o", folder / "out.pcapng"};
    call.insert(call.end(), chosen.begin(), chosen.end());
    const Result r = run(call);
    const auto first = r.err.find("cut off inside a packet");
    EXPECT_NE(first, r.err.npos) << r.err;
    EXPECT_EQ(r.err.find("cut off inside a packet", first + 1), r.err.npos) << r.err;
  }
}

TEST(Usage, WrongCallsHaveStatusTwo) {
  const std::vector<std::vector<std::string>> calls = {{},
                                                       {"reprot", good},
                                                       {"report"},
                                                       {"report", "--no-such-option", good},
                                                       {"report", "--format", "xml", good},
                                                       {"report", "--max-batch", "lots", good},
                                                       {"dump", "--filter", "tcp prt 9", good},
                                                       {"report", "--recognise", good},
                                                       {"--no-such-option"}};
  for (const auto& call : calls) {
    const Result r = run(call);
    EXPECT_EQ(r.status, 2) << testing::PrintToString(call);
    EXPECT_EQ(r.out, "") << testing::PrintToString(call);
    EXPECT_NE(r.err, "") << testing::PrintToString(call);
  }
  EXPECT_NE(run({"reprot"}).err.find("did you mean 'report'?"), std::string::npos);
}

TEST(Usage, HelpAndVersion) {
  const Result help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* command : {"report", "frames", "dump", "records", "decode", "schema"}) {
    EXPECT_NE(help.out.find(std::string("\n  ") + command + ' '), std::string::npos) << command;
    const Result r = run({command, "--help"});
    EXPECT_EQ(r.status, 0) << command;
    EXPECT_NE(r.out.find("Examples:\n  kparse "), std::string::npos) << command;
    EXPECT_EQ(run({"help", command}).out, r.out);
  }
  EXPECT_EQ(run({"--version"}).out, "kparse " KPARSE_VERSION "\n");
  EXPECT_EQ(run({"--version", "--format", "json"}).out, "{\"schemaVersion\":1,\"kparse\":\"" KPARSE_VERSION "\"}\n");
}

TEST(Determinism, ThreadsChangeNothing) {
  for (const char* capture :
       {"java-4.3-headers-lz4.pcap", "lost-packets.pcap", "kraft-two-nodes.pcapng", "group-rebalance.pcap.gz"}) {
    for (const auto& [command, format] : {std::pair{"dump", "ndjson"},
                                          {"records", "ndjson"},
                                          {"frames", "ndjson"},
                                          {"report", "json"},
                                          {"report", "text"}}) {
      const Result one = run({command, "--format", format, "--threads", "1", sample(capture)});
      const Result two = run({command, "--format", format, "--threads", "2", sample(capture)});
      EXPECT_EQ(one.status, 0) << one.err;
      EXPECT_NE(one.out, "");
      EXPECT_TRUE(one.out == two.out) << command << ' ' << format << ' ' << capture;
    }
  }
}

/// `capture`, `packet`, `lastPacket` and their like count per file, and so do `inputs`.
bool is_per_file(std::string_view name) {
  return name.ends_with("apture") || name.ends_with("acket") || name == "inputs";
}

/// Takes away the members that count per file.
void strip(rapidjson::Value& value) {
  if (value.IsArray()) {
    for (auto& element : value.GetArray()) strip(element);
  } else if (value.IsObject()) {
    for (auto member = value.MemberBegin(); member != value.MemberEnd();) {
      if (is_per_file(member->name.GetString())) {
        member = value.EraseMember(member);
      } else {
        strip(member->value);
        ++member;
      }
    }
  }
}

std::string stripped(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    rapidjson::Document document;
    document.Parse<rapidjson::kParseNumbersAsStringsFlag>(text.data() + at, end - at);
    EXPECT_FALSE(document.HasParseError()) << text.substr(at, 100);
    strip(document);
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    document.Accept(writer);
    result += std::string(buffer.GetString()) + '\n';
    at = end + 1;
  }
  return result;
}

TEST(Determinism, SplitCapturesAreOneObservation) {
  for (const char* capture : {"java-4.3-headers-lz4.pcap", "lost-packets.pcap", "librdkafka-sasl-scram.pcap"}) {
    const Folder folder;
    const Pcap pcap = Pcap::parse(read_file(sample(capture)));
    std::vector<std::string> parts;
    for (std::size_t at = 0, n = 0; at < pcap.records.size(); at += 7 + n, ++n) {
      parts.push_back(folder / (std::to_string(n) + ".pcap"));
      write_file(parts.back(), pcap.file(at, at + 7 + n));
    }
    for (const auto& [command, format] :
         {std::pair{"dump", "ndjson"}, {"records", "ndjson"}, {"frames", "ndjson"}, {"report", "json"}}) {
      std::vector<std::string> arguments = {command, "--format", format};
      const Result whole = run({command, "--format", format, sample(capture)});
      arguments.insert(arguments.end(), parts.begin(), parts.end());
      const Result split = run(arguments);
      EXPECT_EQ(split.status, 0) << split.err;
      EXPECT_GT(whole.out.size(), 500u);
      EXPECT_TRUE(stripped(split.out) == stripped(whole.out)) << command << ' ' << capture;
    }
  }
}

}  // namespace
}  // namespace kparse::test
