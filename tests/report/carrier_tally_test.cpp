// SPDX-License-Identifier: MIT
#include "report/carrier_tally.h"

#include <string>

#include <gtest/gtest.h>

namespace kparse::report {
namespace {

std::string confluent(std::uint32_t id, std::string payload = "payload") {
  std::string out(1, '\0');
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(id >> shift);
  return out + payload;
}

struct Topic {
  CarrierTally tally;
  std::uint64_t values = 0;
  void add(const std::string& value, int times = 1) {
    for (int i = 0; i < times; ++i) {
      Record r;
      r.value = {reinterpret_cast<const std::uint8_t*>(value.data()), value.size()};
      r.timestamp = 1'700'000'000'000;
      tally.value(r);
      ++values;
    }
  }
  /// "confluent 19/20 [7]"
  std::string looks() const {
    std::string out;
    for (const auto& a : tally.agreed(values, values)) {
      out += std::string(name_of(a.carrier)) + " " + std::to_string(a.records) + "/" + std::to_string(a.of) + " [";
      for (const auto id : a.ids) out += std::to_string(id) + ";";
      out += "]";
    }
    return out;
  }
};

TEST(CarrierTally, TenRecordsAnd95Percent) {
  Topic t;
  t.add(confluent(7), 9);
  EXPECT_EQ(t.looks(), "");
  t.add(confluent(7));
  EXPECT_EQ(t.looks(), "confluent 10/10 [7;]");
  t.add(confluent(7), 9);
  t.add("plain");
  EXPECT_EQ(t.looks(), "confluent 19/20 [7;]");
  t.add("plain");
  EXPECT_EQ(t.looks(), "");
}

TEST(CarrierTally, AFewSchemasButNotMany) {
  Topic t;
  for (std::uint32_t id = 1; id <= 4; ++id) t.add(confluent(100 + id), static_cast<int>(id));
  EXPECT_EQ(t.looks(), "confluent 10/10 [104;103;102;101;]");
  t.add(confluent(200));
  EXPECT_EQ(t.looks(), "");  // 10 of 11
  Topic counter;             // bytes that count up are no schema ids
  for (std::uint32_t id = 1000; id < 1100; ++id) counter.add(confluent(id));
  EXPECT_EQ(counter.looks(), "");
}

// Lengths of gRPC's messages differ, ids don't: a value whose size is just the id still counts.
TEST(CarrierTally, AnIdThatEqualsALength) {
  Topic schema, grpc;
  for (std::uint32_t i = 1; i <= 20; ++i) {
    schema.add(confluent(7, std::string(i, 'x')));
    grpc.add(confluent(i, std::string(i, 'x')));
  }
  EXPECT_EQ(schema.looks(), "confluent 19/20 [7;]");  // the one of eight bytes may be a long
  EXPECT_EQ(grpc.looks(), "");
}

// What one record says little about: a GUID without JSON after it.
TEST(CarrierTally, WeakOnesByAgreement) {
  Topic same, all;
  for (int i = 0; i < 20; ++i) {
    same.add("\x01" + std::string("0123456789abcdef") + "x");
    all.add("\x01" + std::string("0123456789abcde") + static_cast<char>('0' + i) + "x");
  }
  EXPECT_EQ(same.looks(), "confluent-guid 20/20 []");
  EXPECT_EQ(all.looks(), "");
}

TEST(CarrierTally, HeadersByTheirNames) {
  CarrierTally t;
  const auto marks = [](std::initializer_list<const char*> names) {
    std::uint64_t m = 0;
    for (const char* n : names) m |= find_header_convention(n)->marks;
    return m;
  };
  for (int i = 0; i < 10; ++i) t.headers(marks({"ce_id", "ce_source", "ce_type", "ce_specversion", "traceparent"}));
  auto found = t.agreed(10, 0);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].carrier, Carrier::traceparent);
  EXPECT_EQ(found[1].carrier, Carrier::cloudevents);
  CarrierTally half;
  for (int i = 0; i < 10; ++i) half.headers(marks({"ce_id", "ce_source", "ce_type"}));
  EXPECT_TRUE(half.agreed(10, 0).empty());
}

TEST(CarrierTally, MergedInAnyOrder) {
  Topic a, b, whole;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const auto value = confluent(i % 3 + 1000);
    (i < 25 ? a : b).add(value);
    whole.add(value);
  }
  CarrierTally ab = a.tally, ba = b.tally;
  ab.merge(b.tally);
  ba.merge(a.tally);
  for (CarrierTally* t : {&ab, &ba}) {
    const auto found = t->agreed(40, 40);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].ids, whole.tally.agreed(40, 40)[0].ids);
    EXPECT_EQ(found[0].records, 40u);
  }
}

}  // namespace
}  // namespace kparse::report
