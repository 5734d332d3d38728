// SPDX-License-Identifier: MIT
// --api, --topic, --client and their like: what passes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pipeline/filter.h"

using namespace kparse;
using namespace kparse::cli;

namespace {

struct Heard : Observer {
  std::vector<std::string> lines;
  void begin_request(const ConversationInfo&, const Request& r) override {
    lines.push_back("> " + std::to_string(r.serial));
  }
  void end_request(const ConversationInfo&, const Request&, const Error&) override { lines.push_back(">."); }
  void begin_response(const ConversationInfo&, const Response& r) override {
    lines.push_back("< " + std::to_string(r.serial));
  }
  void end_response(const ConversationInfo&, const Response&, const Error&) override { lines.push_back("<."); }
  void on_gap(const ConversationInfo&, const Gap&) override { lines.push_back("gap"); }
  void on_segment(const ConversationInfo&, const SegmentSeen& s) override {
    lines.push_back("segment " + std::to_string(s.offset));
  }
  void on_limit(const LimitReached&) override { lines.push_back("limit"); }
  void on_unanswered(const ConversationInfo&, std::uint64_t serial) override {
    lines.push_back("? " + std::to_string(serial));
  }
};

const std::uint8_t topic_id[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                   0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
const std::string topic_id_text = "ABEiM0RVZneImaq7zN3u_w";

/// Fetch v13 of one topic, by id.
std::string fetch_body() {
  std::string b(4 + 4 + 4 + 4 + 1 + 4 + 4, '\0');  // replica .. session epoch
  b += '\x02';                                     // one topic
  b.append(reinterpret_cast<const char*>(topic_id), 16);
  b += std::string("\x01\x00", 2);      // no partition, no tags
  b += std::string("\x01\x01\x00", 3);  // nothing forgotten, rack "", no tags
  return b;
}

class FilterTest : public ::testing::Test {
 protected:
  ConversationInfo info{
      .number = 3, .client = "10.0.0.1:4000", .server = "[fd00::9]:9092", .proxied = {}, .role_guessed = false};
  CommonOptions options;
  Cluster cluster;
  Heard heard;
  std::string fetch = fetch_body();

  Request request(std::uint64_t serial, int key, int version, std::string_view client, std::string_view body = {}) {
    Request r;
    r.api = find_api(key);
    r.api_key = static_cast<std::int16_t>(key);
    r.version = static_cast<std::int16_t>(version);
    r.known = true;
    r.client_id = client;
    r.client_id_null = false;
    r.serial = serial;
    r.body = {reinterpret_cast<const std::uint8_t*>(body.data()), body.size()};
    return r;
  }
  void ask(Filter& f, const Request& r) {
    f.begin_request(info, r);
    f.end_request(info, r, {});
  }
  void answer(Filter& f, std::uint64_t serial, int key) {
    Response r;
    r.matched = true;
    r.api = find_api(key);
    r.serial = serial;
    f.begin_response(info, r);
    f.end_response(info, r, {});
  }
  using Lines = std::vector<std::string>;
};

TEST_F(FilterTest, AnAnswerPassesWithItsRequest) {
  options.filter.clients = {"checkout"};
  Filter f(options, cluster, heard);
  ask(f, request(0, 3, 1, "checkout"));
  ask(f, request(1, 3, 1, "billing"));
  answer(f, 1, 3);
  answer(f, 0, 3);
  EXPECT_EQ(heard.lines, (Lines{"> 0", ">.", "< 0", "<."}));
}

TEST_F(FilterTest, OnlyThePassedAreToldAsUnanswered) {
  options.filter.apis = {"Metadata"};
  Filter f(options, cluster, heard);
  ask(f, request(0, 3, 1, "a"));
  ask(f, request(1, 12, 0, "a"));
  f.on_unanswered(info, 0);
  f.on_unanswered(info, 1);
  EXPECT_EQ(heard.lines, (Lines{"> 0", ">.", "? 0"}));
}

TEST_F(FilterTest, ATopicIsFoundByTheNameOfItsId) {
  options.filter.topics = {"orders"};
  Filter f(options, cluster, heard);
  ask(f, request(0, 1, 13, "a", fetch));
  EXPECT_TRUE(heard.lines.empty());
  cluster.learn_topic(topic_id, "orders");
  ask(f, request(1, 1, 13, "a", fetch));
  EXPECT_EQ(heard.lines, (Lines{"> 1", ">."}));
}

TEST_F(FilterTest, ATopicIsFoundByItsId) {
  options.filter.topics = {topic_id_text};
  Filter f(options, cluster, heard);
  ask(f, request(0, 1, 13, "a", fetch));
  EXPECT_EQ(heard.lines, (Lines{"> 0", ">."}));
}

TEST_F(FilterTest, SegmentsPassWithTheirConversationAndTime) {
  options.filter.conversations = {3};
  options.from_ns = 10;
  Filter f(options, cluster, heard);
  f.on_segment(info, {.at = {.time_ns = 9}, .offset = 1});
  f.on_segment(info, {.at = {.time_ns = 10}, .offset = 2});
  info.number = 4;
  f.on_segment(info, {.at = {.time_ns = 10}, .offset = 3});
  EXPECT_EQ(heard.lines, Lines{"segment 2"});
}

TEST_F(FilterTest, NoSegmentWhereFramesAreAskedFor) {
  options.filter.apis = {"Fetch"};
  Filter f(options, cluster, heard);
  f.on_segment(info, {});
  EXPECT_TRUE(heard.lines.empty());
}

TEST_F(FilterTest, HostsWithAndWithoutPort) {
  for (const char* host : {"10.0.0.1", "10.0.0.1:4000", "fd00::9", "[fd00::9]", "[fd00::9]:9092"}) {
    options.filter.hosts = {host};
    heard.lines.clear();
    Filter f(options, cluster, heard);
    f.on_gap(info, {});
    EXPECT_EQ(heard.lines, Lines{"gap"}) << host;
  }
  for (const char* host : {"10.0.0.10", "10.0.0.1:40", "fd00::", "4000"}) {
    options.filter.hosts = {host};
    heard.lines.clear();
    Filter f(options, cluster, heard);
    f.on_gap(info, {});
    EXPECT_TRUE(heard.lines.empty()) << host;
  }
}

TEST_F(FilterTest, TimesCountForFramesNotForPairing) {
  options.from_ns = 100;
  options.to_ns = 200;
  Filter f(options, cluster, heard);
  Request early = request(0, 3, 1, "a");
  early.frame.completed.time_ns = 99;
  ask(f, early);
  Response r;
  r.matched = true;
  r.frame.completed.time_ns = 100;
  f.begin_response(info, r);
  f.end_response(info, r, {});
  EXPECT_EQ(heard.lines, (Lines{"< 0", "<."}));
}

TEST_F(FilterTest, FullTablesAreAlwaysTold) {
  options.filter.apis = {"Fetch"};
  Filter f(options, cluster, heard);
  f.on_limit({});
  EXPECT_EQ(heard.lines, Lines{"limit"});
}

}  // namespace
