// SPDX-License-Identifier: MIT
// Only one direction was captured: answers must not be taken for requests.
#include <gtest/gtest.h>

#include "support.h"

using namespace kparse;
using namespace kparse::test;

namespace {

// An answer's correlation id stands where a request has its API key and version: 3, 4, 5 look like Produce. Read as
// such, these bodies have a null that isn't allowed and bytes left over: one oddity may be a client's habit, two are
// not.
TEST(OneSided, AnswersThatLookLikeProduceAreAnswers) {
  Talk talk(false);
  for (int id = 2; id <= 5; ++id)
    talk.s(frame(Out().i32(id).i32(1).i32(0).str("h").i32(9092).i16(-1).i32(0).i32(0).bytes()));
  const std::string all = talk.finish();
  EXPECT_EQ(all.find("request"), all.npos) << all;
  EXPECT_NE(all.find("response"), all.npos) << all;
}

std::string answer(std::int32_t id, std::size_t size) { return response(id, std::string(size, '\0')); }

// Lists of partitions have small numbers at equal distances, which may look like frames for a while.
TEST(OneSided, NumbersInsideALostAnswerAreNoAnswers) {
  Talk talk;
  for (int id = 11; id <= 15; ++id) talk.s(metadata_answer(id));
  talk.lose_s(1448);
  talk.s(answer(0, 253) + answer(2, 252) + answer(256, 252) + std::string("\x03\0\0\0\0\0\0\0", 8) + std::string(300, '\x7f'));
  for (int id = 17; id <= 20; ++id) talk.s(metadata_answer(id));
  const std::string all = talk.finish();
  EXPECT_EQ(all.find("#0 "), all.npos) << all;
  EXPECT_EQ(all.find("#256 "), all.npos) << all;
  for (const char* id : {"#17", "#18", "#19", "#20"}) EXPECT_NE(all.find(id), all.npos) << all;
}

// The end of a lost answer may happen to lead to the next one.
TEST(OneSided, TheEndOfALostAnswerThatLeadsToTheNextIsNone) {
  Talk talk;
  for (int id = 11; id <= 15; ++id) talk.s(metadata_answer(id));
  talk.lose_s(1448);
  talk.s(std::string(20, '\xff') + answer(9, 100));
  for (int id = 17; id <= 20; ++id) talk.s(metadata_answer(id));
  const std::string all = talk.finish();
  EXPECT_EQ(all.find("#9 "), all.npos) << all;
  for (const char* id : {"#17", "#18", "#19", "#20"}) EXPECT_NE(all.find(id), all.npos) << all;
}

}  // namespace
