// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "output/diagnostics.h"
#include "report/report.h"
#include "report/text_parts.h"
#include "support.h"

namespace kparse::report {
namespace {

std::string text_of(const ReportData& data, const cli::Summary& summary, const Cluster& cluster = Cluster()) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("kparse-report-test-" + std::to_string(::getpid()));
  {
    cli::Diagnostics diagnostics;
    cli::Output out(diagnostics);
    EXPECT_TRUE(out.open(path.string()));
    print_report(out, cli::Painter(cli::When::never, false), Report(data, cluster, summary));
    EXPECT_TRUE(out.commit());
  }
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

cli::Summary two_files() {
  cli::Summary s;
  s.inputs.resize(2);
  s.inputs[0].name = "dir/node1-1.pcap";
  s.inputs[0].bytes = 1000;
  s.inputs[0].first_time = start_ns;
  s.inputs[0].last_time = start_ns + 1000 * ms;
  s.inputs[1].name = "dir/node1-2.pcap";
  s.inputs[1].bytes = 560;
  s.inputs[1].first_time = start_ns + 1000 * ms;
  s.inputs[1].last_time = start_ns + 324'000 * ms;
  s.packets = 12'618;
  s.tcp.conversations = 2;
  return s;
}

TEST(ReportText, ASmallObservation) {
  ReportObserver observer({});
  Script script(observer);
  auto t = script.talk(1);
  const Script::Call call{.key = 0, .version = 9, .client_id = "checkout", .size = 1020};
  const auto set = batch({{.key = "k", .value = "vvvv", .headers = {{"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}},
                          {.key = "k", .value = std::nullopt, .headers = {}}});
  for (int i = 0; i < 3; ++i) {
    const Stamp asked = at(i * 10 * ms, 10'230 + static_cast<std::uint64_t>(i), 1), answered = at(i * 10 * ms + (i + 1) * ms, 10'240 + static_cast<std::uint64_t>(i), 1);
    const std::uint64_t serial = script.request(t, call, asked, [&](Observer& o) {
      o.on_records({.via = Via::produce, .topic = {.name = "orders"}, .partition = 2, .records = bytes(set)});
    });
    script.response(t, call, serial, asked, answered, [&](Observer& o) {
      if (i == 1) o.on_error({.code = 6, .node = no_node, .topic = {.name = "orders"}, .partition = 2, .group = {}});
    });
  }
  script.request(t, {.key = 3, .version = 12, .client_id = "checkout", .size = 20}, at(50 * ms, 10'300, 1),
                 [](Observer& o) { o.on_client_software({.name = "librdkafka", .version = "2.3.0"}); });
  observer.on_gap(t.info, {.from = Side::server, .offset = 0, .bytes = 17'059, .at = at(0, 1), .cut = false});
  auto tls = script.talk(2);
  observer.on_other(tls.info, Side::client, "TLS", at(0, 1));
  script.close(t);
  script.close(tls);

  // By hand: 3 batches of 61 + 81 + 8 bytes (the header, a record with key, value of 4 and header of 11 + 55, one with a key
  // only); a record counts 1 + 4 + 66 bytes, or 1.
  const char* expected =
      R"(dir/node1-*.pcap: 2 files, 1.52 KiB, 12,618 packets, 2026-11-30 02:41:07 – 02:46:31 UTC (5 min 24 s)
1 Kafka conversation, 1 client, 1 broker address   ·   4 requests, 3 responses, 6 records
Records: 6 produced, 0 fetched in 3 batches, 6 B of keys, 12 B of values, 198 B in 3 headers
Not Kafka: 1 TLS (encrypted)
Not seen: 17,059 bytes lost in 1 conversation · 1 request without an answer

API       calls  no answer  err     p50     p99     max  versions
Produce       3          –    1  2.00ms  3.00ms  3.00ms  v9
Metadata      1          1    –       –       –       –  v12

Errors in answers
  NOT_LEADER_OR_FOLLOWER  ×1  Produce  orders-2 · client checkout · first at packet 10,241 of node1-2.pcap

Topic   parts  produced  fetched  on the wire  codec  record p50   p99   max  a batch
orders      1         6        –        450 B  none          1 B  71 B  71 B      2.0
  orders  from checkout · 3 null values

Headers   share of a topic's records that carry them
  orders  traceparent 50.0 %, all valid

Client    software          from      conns  calls  APIs and versions
checkout  librdkafka 2.3.0  10.0.0.1      1      4  Produce 9, Metadata 12

Broker         id  conns  requests  sent to it  sent by it  advertised as
10.1.0.1:9092   –      1         4    3.02 KiB    3.00 KiB  –

Slowest        took  client    request       packets
Produce  v9  3.00ms  checkout  02:41:07.020  10,232 – 10,242 of node1-2.pcap
Produce  v9  2.00ms  checkout  02:41:07.010  10,231 – 10,241 of node1-2.pcap
Produce  v9  1.00ms  checkout  02:41:07.000  10,230 – 10,240 of node1-2.pcap
)";
  EXPECT_EQ(text_of(observer.finish(), two_files()), expected);
}

TEST(ReportText, ANameTwiceInARecordIsOneRecordsShare) {
  ReportObserver observer({});
  Script script(observer);
  auto t = script.talk(1);
  const auto set = batch({{.key = "k", .value = "v", .headers = {{"dup", "1"}, {"dup", "2"}, {"dup", "3"}}},
                          {.key = "k", .value = "v", .headers = {}}});
  script.request(t, {.key = 0, .version = 9, .client_id = "x"}, at(0, 1), [&](Observer& o) {
    o.on_records({.via = Via::produce, .topic = {.name = "orders"}, .partition = 0, .records = bytes(set)});
  });
  script.close(t);
  const std::string text = text_of(observer.finish(), two_files());
  EXPECT_NE(text.find("  orders  dup 50.0 %\n"), std::string::npos) << text;
}

TEST(ReportText, NothingMissingIsSaidToo) {
  ReportObserver observer({});
  Script script(observer);
  auto t = script.talk(1);
  script.exchange(t, {.key = 3, .version = 12, .client_id = "x"}, 0, 1, ms);
  script.close(t);
  const std::string text = text_of(observer.finish(), two_files());
  EXPECT_NE(text.find("Nothing is missing"), std::string::npos) << text;
  EXPECT_EQ(text.find("Not seen"), std::string::npos);
}

// Whether the other side's packets were captured and it was just silent, a report doesn't know: it says no more than it saw.
TEST(ReportText, ASideWithoutFramesIsSaid) {
  ReportObserver observer({});
  Script script(observer);
  auto t = script.talk(1);
  script.request(t, {.key = 3, .version = 12, .client_id = "x"}, at(0, 1), [](Observer&) {});
  script.close(t);
  const std::string text = text_of(observer.finish(), two_files());
  EXPECT_NE(text.find("Not seen: any frame of one of the sides in 1 conversation"), std::string::npos) << text;
  EXPECT_EQ(text.find("direction"), std::string::npos) << text;
}

TEST(ReportText, DamageAndLimitsAreSaid) {
  ReportObserver observer({});
  cli::Summary s = two_files();
  s.inputs[1].damage = capture::Damage{.reason = "cut off inside a packet", .offset = 77, .compressed = false};
  s.inputs[0].snaplen_cut = 3;
  s.stopped = true;
  s.tcp.evicted = 2;
  const std::string text = text_of(observer.finish(), s);
  for (const char* part : {"2 TCP conversations, none of them Kafka", "cut off inside a packet at byte 77", "3 packets of dir/node1-1.pcap cut", "stopped",
                           "\"live connections\" was full"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

// What a capture holds must not steer the terminal of who reads the report.
TEST(ReportText, EscapesFromTheCaptureAreHarmless) {
  ReportObserver observer({});
  Script script(observer);
  const std::string evil = "\x1b]0;pwned\x07\x1b[2J\r\n\xe2\x80\xae";
  auto t = script.talk(1);
  const auto set = batch({{.key = evil, .value = evil, .headers = {{evil, evil}}}});
  const Script::Call call{.key = 0, .version = 9, .client_id = evil};
  const std::uint64_t serial = script.request(t, call, at(0, 1), [&](Observer& o) {
    o.on_records({.via = Via::produce, .topic = {.name = evil}, .partition = 0, .records = bytes(set)});
    o.on_client_software({.name = evil, .version = evil});
    o.on_principal({.mechanism = evil, .user = evil});
    o.on_group({.group = evil, .member = evil});
    o.on_broker({.id = 1, .host = evil, .port = 9092});
  });
  script.response(t, call, serial, at(0, 1), at(ms, 2),
                  [&](Observer& o) { o.on_error({.code = 3, .node = no_node, .topic = {.name = evil}, .partition = 0, .group = evil}); });
  observer.on_other(t.info, Side::client, evil, at(0, 1));
  script.close(t);
  cli::Summary s = two_files();
  s.inputs[0].name = evil;
  s.inputs[0].error = evil;
  const std::string text = text_of(observer.finish(), s);
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
  EXPECT_EQ(text.find('\x7f'), std::string::npos);
  EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos) << "right-to-left override";
}

TEST(TextParts, FilesShareTheirName) {
  const auto shown_as = [](std::vector<std::string> names) {
    std::vector<capture::FileInfo> files(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) files[i].name = names[i];
    return files_shown(files);
  };
  EXPECT_EQ(shown_as({"a.pcap"}), "a.pcap");
  EXPECT_EQ(shown_as({"-"}), "standard input");
  EXPECT_EQ(shown_as({"x-1.pcap", "x-2.pcap", "x-10.pcap"}), "x-*.pcap");
  EXPECT_EQ(shown_as({"aa", "aaa"}), "aa*");
  EXPECT_EQ(shown_as({"aba", "aa"}), "a*a");
  EXPECT_EQ(shown_as({"abc", "xyz"}), "abc, …");
}

TEST(ReportText, TlsThatStayedClosedIsSaid) {
  ReportObserver observer({});
  Script script(observer);
  TlsInfo opened, closed;
  opened.version = closed.version = 0x0304;
  opened.suite = closed.suite = 0x1301;
  opened.client.opened = 2048;
  closed.client.why = closed.server.why = TlsSealed::noSecret;
  for (const TlsInfo* i : {&opened, &closed}) {
    auto t = script.talk(i == &opened ? 1 : 2);
    t.info.tls = i;
    observer.on_other(t.info, Side::client, "TLS", at(0, 1));
    script.close(t);
  }
  const std::string text = text_of(observer.finish(), two_files());
  EXPECT_NE(text.find("Not Kafka: 1 TLS (encrypted)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("the inside of 1 TLS conversation: no secret for it in the key log"), std::string::npos) << text;
  EXPECT_NE(text.find("10.1.0.1:9092      2       1  2.00 KiB       –  TLS 1.3  TLS_AES_128_GCM_SHA256"), std::string::npos) << text;
}

}  // namespace
}  // namespace kparse::report
