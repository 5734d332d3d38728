// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "diff/compare.h"

namespace kparse::diff {
namespace {

Side side(const char* json) {
  Side s;
  s.report.Parse(json);
  return s;
}

const Difference* find(const std::vector<Difference>& all, std::string_view what, std::string_view path) {
  for (const Difference& d : all)
    if (d.what == what && d.path == path) return &d;
  return nullptr;
}

constexpr const char* base =
    R"({"apis":[{"api":"Fetch","requests":100,"responses":100,"versions":{"12":100},"errors":{},
  "latencyMs":{"p50":10,"p99":20},"requestBytes":5000}],"seen":{"lostBytes":0},"headers":[{"name":"a"}],"topics":[],"clients":[]})";

TEST(Diff, TheSameIsNoDifference) { EXPECT_TRUE(compare(side(base), side(base)).empty()); }

TEST(Diff, WhatChanged) {
  const auto all = compare(
      side(base),
      side(
          R"({"apis":[{"api":"Fetch","requests":90,"responses":90,"versions":{"13":90},"errors":{"NOT_LEADER_OR_FOLLOWER":3},
    "latencyMs":{"p50":11,"p99":200},"requestBytes":9000},{"api":"Metadata","requests":2}],"seen":{"lostBytes":5},"headers":[{"name":"b"}],"topics":[],"clients":[]})"));
  ASSERT_NE(find(all, "version", "Fetch"), nullptr);
  EXPECT_EQ(find(all, "version", "Fetch")->significance, Significance::high);
  ASSERT_NE(find(all, "error", "Fetch.NOT_LEADER_OR_FOLLOWER"), nullptr);
  ASSERT_NE(find(all, "latency", "Fetch.p99"), nullptr);
  EXPECT_EQ(find(all, "latency", "Fetch.p50"), nullptr);  // 10 % is noise
  ASSERT_NE(find(all, "api", "Metadata"), nullptr);
  EXPECT_NE(find(all, "size", "Fetch.request"), nullptr);
  EXPECT_NE(find(all, "header", "a"), nullptr);
  EXPECT_NE(find(all, "header", "b"), nullptr);
  EXPECT_NE(find(all, "loss", "lostBytes"), nullptr);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].significance, all[i].significance);
}

TEST(Diff, FewValuesSayNothingOfLatency) {
  const auto all =
      compare(side(R"({"apis":[{"api":"Fetch","requests":5,"responses":5,"latencyMs":{"p50":1,"p99":2}}]})"),
              side(R"({"apis":[{"api":"Fetch","requests":5,"responses":5,"latencyMs":{"p50":100,"p99":200}}]})"));
  EXPECT_TRUE(all.empty());
}

TEST(Diff, RequestFieldsAndFirstCalls) {
  Side a = side(R"({"apis":[]})"), b = side(R"({"apis":[]})");
  a.profile.emplace();
  b.profile.emplace();
  a.profile->fields[{"Fetch", "maxWaitMs"}] = {.seen = 9, .values = {"500"}, .more = false};
  b.profile->fields[{"Fetch", "maxWaitMs"}] = {.seen = 9, .values = {"100"}, .more = false};
  a.profile->fields[{"Fetch", "minBytes"}] =
      b.profile->fields[{"Fetch", "minBytes"}] = {.seen = 9, .values = {"1"}, .more = false};
  a.profile->starts["ApiVersions v4"] = 3;
  b.profile->starts["Metadata v0"] = 1;
  const auto all = compare(a, b);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NE(find(all, "field", "Fetch.maxWaitMs"), nullptr);
  EXPECT_NE(find(all, "connect", "first calls of a connection"), nullptr);
}

}  // namespace
}  // namespace kparse::diff
