// SPDX-License-Identifier: MIT
// Findings and the catalogue, written; the baseline.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lint/baseline.h"
#include "lint/catalogue.h"
#include "lint/findings_out.h"
#include "lint/wrap.h"
#include "output/diagnostics.h"

namespace kparse::findings {
namespace {

namespace fs = std::filesystem;

constexpr RuleOption options[] = {{"slow-ms", 500, "ms", "what takes longer is slow"}, {"share", 0.05, "", "of all"}};
constexpr std::string_view better[] = {"KP-BETTER"};
constexpr RuleInfo slow = {.id = "KP-SLOWLY", .severity = Severity::warning, .scope = RuleScope::frame,
                           .condition = "It takes longer than slow-ms.", .why = "People wait.", .fix = "Look at the broker's disks.",
                           .example = "Fetch took 612 ms.", .sources = "KIP-1; Kafka's RequestChannel", .options = options,
                           .instead = better};
constexpr RuleInfo fact = {.id = "KP-FACT", .severity = Severity::info, .scope = RuleScope::client, .condition = "A fact.",
                           .why = "To know it.", .fix = "Nothing.", .example = "It is so.", .sources = "KIP-2", .healthy = true};

Finding finding(std::string message = "Fetch took 612 ms.") {
  Finding f;
  f.rule = &slow;
  f.message = std::move(message);
  f.count = 3;
  f.places = {{.time_ns = 1'700'000'000'123'456'789, .packet = 12, .file = 0}, {.time_ns = 0, .packet = 40, .file = 1}};
  f.in_conversation = true;
  f.conversation = 2;
  f.client = "10.0.0.1:5000";
  f.server = "10.0.0.9:9092";
  f.client_id = "billing";
  f.api = "Fetch";
  f.topic = "orders";
  f.partition = 4;
  return f;
}

const std::vector<std::string> captures = {"a b.pcap", "c.pcap"};

/// What `write` puts into a file.
template <class F>
std::string written(F write) {
  std::string name = (fs::temp_directory_path() / "kparse-out-XXXXXX").string();
  const int fd = mkstemp(name.data());
  if (fd < 0) return {};
  close(fd);
  {
    cli::Diagnostics diagnostics;
    cli::Output out(diagnostics);
    EXPECT_TRUE(out.open(name));
    write(out);
    EXPECT_TRUE(out.commit());
  }
  std::ifstream in(name, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  fs::remove(name);
  return text.str();
}

TEST(Ndjson, HasTheContractsMembers) {
  const Found found{.findings = {finding()}, .known = 0, .left_out = 0, .captures = captures};
  EXPECT_EQ(written([&](cli::Output& out) { write_ndjson(out, found); }),
            "{\"rule\":\"KP-SLOWLY\",\"severity\":\"warning\",\"capture\":\"a b.pcap\",\"packet\":12,"
            "\"time\":\"2023-11-14T22:13:20.123456789Z\",\"conversation\":2,\"client\":\"10.0.0.1:5000\","
            "\"server\":\"10.0.0.9:9092\",\"clientId\":\"billing\",\"api\":\"Fetch\",\"topic\":\"orders\",\"partition\":4,"
            "\"group\":null,\"message\":\"Fetch took 612 ms.\",\"count\":3,\"packets\":[{\"capture\":\"a b.pcap\",\"packet\":12},"
            "{\"capture\":\"c.pcap\",\"packet\":40}]}\n");
}

TEST(Ndjson, WhatIsOfNoConversationHasNone) {
  Finding f;
  f.rule = &fact;
  f.message = "It is so.";
  f.count = 1;
  f.places = {{.time_ns = 0, .packet = 1, .file = 0}};
  const Found found{.findings = {f}, .known = 0, .left_out = 0, .captures = captures};
  const std::string line = written([&](cli::Output& out) { write_ndjson(out, found); });
  EXPECT_NE(line.find("\"conversation\":null,\"client\":null,\"server\":null"), std::string::npos) << line;
  EXPECT_NE(line.find("\"partition\":null"), std::string::npos) << line;
}

TEST(Text, SaysWhatWhereAndWhatToDo) {
  const Found found{.findings = {finding()}, .known = 2, .left_out = 0, .captures = captures};
  const std::string text = written([&](cli::Output& out) { print_findings(out, {cli::When::never, false}, found, false); });
  for (const char* part : {"1 warning; 2 known, not shown.", "KP-SLOWLY  ×3", "Fetch took 612 ms.", "packets 12 of a b.pcap, 40 of c.pcap and 1 more",
                           "10.0.0.1:5000 \"billing\" → 10.0.0.9:9092", "▸  Look at the broker's disks."})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Text, ManyOfARuleAreCounted) {
  Found found{.findings = {}, .known = 0, .left_out = 0, .captures = captures};
  for (int i = 0; i < 9; ++i) found.findings.push_back(finding("Message " + std::to_string(i) + "."));
  const std::string some = written([&](cli::Output& out) { print_findings(out, {cli::When::never, false}, found, false); });
  EXPECT_NE(some.find("4 more findings"), std::string::npos) << some;
  const std::string all = written([&](cli::Output& out) { print_findings(out, {cli::When::never, false}, found, true); });
  EXPECT_NE(all.find("Message 8."), std::string::npos);
}

TEST(Text, NothingFound) {
  const Found found{.findings = {}, .known = 0, .left_out = 0, .captures = captures};
  EXPECT_EQ(written([&](cli::Output& out) { print_findings(out, {cli::When::never, false}, found, false); }), "Nothing found.\n");
}

TEST(Text, StrangersBytesAreHarmless) {
  Finding f = finding("a\x1b[31mb");
  f.client_id = "\x1b]0;x";
  const Found found{.findings = {f}, .known = 0, .left_out = 0, .captures = captures};
  const std::string text = written([&](cli::Output& out) { print_findings(out, {cli::When::never, false}, found, true); });
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

Found with_limits() {
  return {.findings = {finding()}, .known = 0, .left_out = 0,
          .limits = {{"", "topics", 10'000, 1}, {"KP-SLOWLY", "clients of an API", 10'000, 12'345}}, .captures = captures};
}

TEST(Limits, AreTheLastLinesOfText) {
  const std::string text = written([](cli::Output& out) { print_findings(out, {cli::When::never, false}, with_limits(), false); });
  EXPECT_TRUE(text.ends_with("\n\nSeveral rules: their table of topics was full (10,000): 1 time there was no place, and that was not "
                             "looked at.\nKP-SLOWLY: its table of clients of an API was full (10,000): 12,345 times there was no "
                             "place, and that was not looked at.\n"))
      << text;
}

TEST(Limits, AreNoFindings) {
  const Found found{.findings = {finding()}, .known = 0, .left_out = 0, .captures = captures};
  const auto ndjson = [](const Found& f) { return written([&](cli::Output& out) { write_ndjson(out, f); }); };
  EXPECT_EQ(ndjson(with_limits()), ndjson(found));
  EXPECT_EQ(unsaid(with_limits()).size(), 2u);
  EXPECT_EQ(unsaid(found).size(), 0u);
}

TEST(Limits, AreNotificationsInSarif) {
  const std::string text = written([](cli::Output& out) { write_sarif(out, with_limits()); });
  EXPECT_NE(text.find("\"invocations\":[{\"executionSuccessful\":true,\"toolExecutionNotifications\":[{\"level\":\"warning\","
                      "\"message\":{\"text\":\"Several rules: their table of topics was full"),
            std::string::npos)
      << text;
  const Found found{.findings = {finding()}, .known = 0, .left_out = 0, .captures = captures};
  EXPECT_EQ(written([&](cli::Output& out) { write_sarif(out, found); }).find("invocations"), std::string::npos);
}

TEST(Limits, InADocument) {
  JsonWriter json;
  json.begin_object();
  write_limits(json, with_limits());
  json.end_object();
  EXPECT_EQ(json.view(), "{\"limits\":[{\"table\":\"several rules: topics\",\"limit\":10000,\"leftOut\":1},"
                         "{\"table\":\"KP-SLOWLY: clients of an API\",\"limit\":10000,\"leftOut\":12345}]}");
}

TEST(Sarif, UrisAreEncoded) {
  const Found found{.findings = {finding()}, .known = 0, .left_out = 0, .captures = captures};
  const std::string text = written([&](cli::Output& out) { write_sarif(out, found); });
  for (const char* part : {"\"uri\":\"a%20b.pcap\"", "\"version\":\"2.1.0\"", "\"ruleIndex\":0", "\"level\":\"warning\"",
                           "\"occurrenceCount\":3", "\"kind\":\"fail\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// Numbers, addresses and ids differ from one capture to the next; what is wrong doesn't.
TEST(Baseline, NumbersDontCount) {
  const std::string known = fingerprint(finding("Batch at 12 of 1,234 bytes (10.0.0.1:9092, id 9f86d081884c): 3.5 ms over."));
  EXPECT_EQ(known, fingerprint(finding("Batch at 7 of 99 bytes (192.168.7.1:19092, id 1b4f0e985197): 1 ms over.")));
  EXPECT_NE(known, fingerprint(finding("Batch at 7 of 99 bytes (192.168.7.1:19092, id 1b4f0e985197): 1 ms under.")));
  EXPECT_EQ(fingerprint(finding("[fd66:5::2]:6019 asks.")), fingerprint(finding("[2001:db8::ab]:7 asks.")));
  Finding other = finding();
  other.topic = "payments";
  EXPECT_NE(fingerprint(finding()), fingerprint(other));
  other = finding();
  other.client = "10.0.0.77:1";   // the same client id from another host
  EXPECT_EQ(fingerprint(finding()), fingerprint(other));
  other.client_id.clear();
  EXPECT_NE(fingerprint(finding()), fingerprint(other));
}

// A version or an error's name is no number.
TEST(Baseline, NamesWithDigitsCount) {
  EXPECT_NE(fingerprint(finding("Produce v0 is old.")), fingerprint(finding("Produce v2 is old.")));
}

TEST(Baseline, IsReadBack) {
  std::string name = (fs::temp_directory_path() / "kparse-baseline-XXXXXX").string();
  close(mkstemp(name.data()));
  Finding odd = finding("A \"quoted\" \\ and \x01 byte, ü, 5 times.");
  odd.topic = "t\n\"";
  const std::vector<Finding> all = {finding(), odd};
  std::ofstream(name, std::ios::binary) << baseline_text(all);
  Baseline known;
  ASSERT_EQ(known.read(name), "");
  EXPECT_EQ(known.size(), 2u);
  EXPECT_TRUE(known.has(finding("Fetch took 9999 ms.")));
  EXPECT_TRUE(known.has(odd));
  EXPECT_FALSE(known.has(finding("Fetch took very long.")));
  for (const char* wrong : {"", "[]", "{\"findings\":3}", "{\"findings\":[{}]}", "{\"findings\":[3]}", "{\"findings\":["}) {
    std::ofstream(name, std::ios::binary | std::ios::trunc) << wrong;
    Baseline none;
    EXPECT_NE(none.read(name), "") << wrong;
  }
  fs::remove(name);
  Baseline none;
  EXPECT_NE(none.read(name), "");
}

TEST(Baseline, IsSorted) {
  const Finding a = finding("A."), b = finding("B.");
  EXPECT_EQ(baseline_text(std::vector{a, b}), baseline_text(std::vector{b, a}));
}

TEST(Wrap, BreaksAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 2, {}, 9), "  one two\n  three\n");
  EXPECT_EQ(wrapped("one", 4, "- ", 9), "- one\n");
  EXPECT_EQ(wrapped("averylongword x", 0, {}, 5), "averylongword\nx\n");
  EXPECT_EQ(wrapped("", 2, {}, 9), "  \n");
}

TEST(Rules, OneExplained) {
  const std::string text = written([&](cli::Output& out) { print_rule(out, {cli::When::never, false}, slow); });
  for (const char* part : {"KP-SLOWLY  warning", "It takes longer", "People wait.", "Look at", "Fetch took 612 ms.",
                           "KP-SLOWLY.slow-ms = 500 ms: what takes longer is slow", "KP-SLOWLY.share = 0.05: of all", "where KP-BETTER says",
                           "KIP-1; Kafka's RequestChannel"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Rules, Values) {
  EXPECT_EQ(value_text({"n", 104857600, "bytes", ""}), "104857600 bytes");
  EXPECT_EQ(value_text({"n", 0, "", ""}), "0");
  EXPECT_EQ(value_text({"n", 0.25, "%", ""}), "0.25 %");
  EXPECT_EQ(value_text({"n", 1000, "", ""}), "1000");
}

// The page is written from the rules: kparse rules --format markdown > tools/lint/RULES.md.
TEST(Rules, ThePageIsUpToDate) {
  std::ifstream in(std::string(KPARSE_SOURCE_DIR) + "/tools/lint/RULES.md", std::ios::binary);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_TRUE(page.str() == rules_page(rule_catalogue())) << "write it anew: kparse rules --format markdown > tools/lint/RULES.md";
}

}  // namespace
}  // namespace kparse::findings
