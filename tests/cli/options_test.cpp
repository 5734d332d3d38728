// SPDX-License-Identifier: MIT
#include "commands/options.h"

#include <gtest/gtest.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <vector>

#include "commands/arguments.h"

namespace kparse::cli {
namespace {

using Strings = std::vector<std::string>;

/// Parses `args` as a command does that takes everything. What is wrong, or "".
std::string parse(Strings args, CommonOptions& options) {
  CLI::App app("test", "kparse test");
  add_common_options(app, options, Takes::captures | Takes::values | Takes::secrets | Takes::records | Takes::headers,
                     {Format::text, Format::json});
  if (const std::string wrong = expand_options(app, args); !wrong.empty()) return wrong;
  try {
    app.parse(Strings(args.rbegin(), args.rend()));
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

std::string wrong_with(const Strings& args) {
  CommonOptions options;
  return parse(args, options);
}

TEST(Options, WhatACommandDoesNotTakeIsUnknownToIt) {
  const auto takes = [](Takes t, const Strings& args) {
    CommonOptions options;
    CLI::App app("test", "kparse test");
    add_common_options(app, options, t, {Format::text});
    try {
      app.parse(Strings(args.rbegin(), args.rend()));
      return true;
    } catch (const CLI::ParseError&) {
      return false;
    }
  };
  EXPECT_TRUE(takes(Takes::limits, {"--max-ratio", "7"}));
  EXPECT_FALSE(takes(Takes::limits, {"--bytes", "hex"}));
  EXPECT_TRUE(takes(Takes::values, {"--bytes", "hex", "--max-ratio", "7"}));
  EXPECT_FALSE(takes(Takes::captures, {"--separate"}));
  EXPECT_TRUE(takes(Takes::separate, {"--separate"}));
}

TEST(Options, Defaults) {
  CommonOptions o;
  ASSERT_EQ(parse({"a.pcap"}, o), "");
  EXPECT_EQ(o.format, Format::text);
  EXPECT_EQ(o.max_batch, 268435456u);
  EXPECT_EQ(o.max_ratio, 2000u);
  EXPECT_EQ(o.bytes, BytesMode::automatic);
  EXPECT_EQ(o.records, RecordsMode::full);
  EXPECT_FALSE(o.show_secrets);
  EXPECT_FALSE(o.filter.any());
  EXPECT_TRUE(o.ports.empty());
}

TEST(Options, GnuHabits) {
  CommonOptions o;
  ASSERT_EQ(
      parse({"--format=json", "a.pcap", "--port", "9092,19092-19094", "-v", "b.pcap", "--secr", "show", "--", "--odd"},
            o),
      "");
  EXPECT_EQ(o.captures, (Strings{"a.pcap", "b.pcap", "--odd"}));
  EXPECT_EQ(o.format, Format::json);
  EXPECT_TRUE(o.ports.has(19093));
  EXPECT_TRUE(o.verbose);
  EXPECT_TRUE(o.show_secrets);
}

TEST(Options, StandardInputIsACapture) {
  CommonOptions o;
  ASSERT_EQ(parse({"-"}, o), "");
  EXPECT_EQ(o.captures, Strings{"-"});
}

TEST(Options, ListsDoNotSwallowCaptures) {
  CommonOptions o;
  ASSERT_EQ(parse({"--topic", "a,b", "--topic", "c", "x.pcap", "--group", "g,1", "--client", "--odd", "--conversation",
                   "3,4", "y.pcap"},
                  o),
            "");
  EXPECT_EQ(o.captures, (Strings{"x.pcap", "y.pcap"}));
  EXPECT_EQ(o.filter.topics, (Strings{"a", "b", "c"}));
  EXPECT_EQ(o.filter.groups, Strings{"g,1"}) << "a group's name may contain commas";
  EXPECT_EQ(o.filter.clients, Strings{"--odd"});
  EXPECT_EQ(o.filter.conversations, (std::vector<std::uint64_t>{3, 4}));
}

TEST(Options, Values) {
  CommonOptions o;
  ASSERT_EQ(parse({"--max-batch",
                   "64M",
                   "--max-ratio",
                   "10",
                   "--from",
                   "2024-05-01",
                   "--to",
                   "1714564800.5",
                   "--topic-id",
                   "AAAAAAAAAAAAAAAAAAAAAQ=__cluster_metadata",
                   "--bytes",
                   "hex",
                   "--names",
                   "all",
                   "--records",
                   "batches",
                   "--threads",
                   "2",
                   "--filter",
                   "host 1.2.3.4",
                   "x"},
                  o),
            "");
  EXPECT_EQ(o.max_batch, 64u << 20);
  EXPECT_EQ(o.max_ratio, 10u);
  EXPECT_EQ(o.from_ns, 1'714'521'600'000'000'000);
  EXPECT_EQ(o.to_ns, 1'714'564'800'500'000'000);
  ASSERT_EQ(o.topic_ids.size(), 1u);
  EXPECT_EQ(o.topic_ids[0].name, "__cluster_metadata");
  EXPECT_EQ(o.topic_ids[0].id[15], 1);
  EXPECT_EQ(o.bytes, BytesMode::hex);
  EXPECT_EQ(o.names, NamesMode::all);
  EXPECT_EQ(o.records, RecordsMode::batches);
  EXPECT_EQ(o.threads, 2u);
  EXPECT_EQ(o.packet_filter, "host 1.2.3.4");
}

TEST(Options, MistakesAreNamed) {
  EXPECT_EQ(wrong_with({"--fromat", "json", "x"}), "there is no option '--fromat'; did you mean --format?");
  EXPECT_EQ(wrong_with({"--zzzzzzz", "x"}), "there is no option '--zzzzzzz'");
  EXPECT_EQ(wrong_with({"--top", "t", "x"}), "'--top' could be --topic or --topic-id");
  EXPECT_EQ(wrong_with({"-x"}), "there is no option '-x'");
  EXPECT_NE(wrong_with({"--format", "xml", "x"}).find("'xml' is none of text|json"), std::string::npos);
  EXPECT_NE(wrong_with({"--max-batch", "much", "x"}).find("'much' is not a size"), std::string::npos);
  EXPECT_NE(wrong_with({"--secrets", "hide", "x"}).find("'hide' is not 'show'"), std::string::npos);
  EXPECT_NE(wrong_with({"--port-only", "x"}).find("--port"), std::string::npos);
  EXPECT_NE(wrong_with({"x", "--output"}), "");
}

TEST(Options, DraftProfilesAreChecked) {
  CommonOptions o;
  ASSERT_EQ(parse({"--draft-headers", "kip82-varint", "--header-register", "ours.txt", "a.pcap"}, o), "");
  EXPECT_EQ(o.draft_headers, "kip82-varint");
  EXPECT_EQ(o.header_register, "ours.txt");
  EXPECT_NE(wrong_with({"--draft-headers", "kip99", "x"}).find("'kip99' is none of kip82-varint|kip82-int32"), std::string::npos);
}

}  // namespace
}  // namespace kparse::cli
