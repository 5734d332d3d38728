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

}  // namespace
