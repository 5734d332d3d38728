// SPDX-License-Identifier: MIT
#include "session/request_memory.h"

#include <gtest/gtest.h>

namespace kparse {
namespace {

TEST(RequestMemory, FindsWhatWasPutUntilItIsForgotten) {
  RequestMemory memory;
  EXPECT_EQ(memory.find(5), nullptr);
  memory.put(5)->group = "g";
  ASSERT_NE(memory.find(5), nullptr);
  EXPECT_EQ(memory.find(5)->group, "g");
  EXPECT_EQ(memory.find(13), nullptr);  // the same place of the ring
  memory.forget(13);
  EXPECT_NE(memory.find(5), nullptr);
  memory.forget(5);
  EXPECT_EQ(memory.find(5), nullptr);
}

TEST(RequestMemory, AnOldPlaceIsEmptyAgain) {
  RequestMemory memory;
  RequestFacts* facts = memory.put(1);
  facts->group = "g";
  facts->has_wait = true;
  memory.forget(1);
  facts = memory.put(1 + RequestMemory::max_requests);
  EXPECT_EQ(facts->group, "");
  EXPECT_FALSE(facts->has_wait);
}

TEST(RequestMemory, KeepsAllThatAreOpenUpToItsBound) {
  RequestMemory memory;
  for (std::uint64_t i = 0; i < RequestMemory::max_requests; ++i) memory.put(i)->max_wait_ms = static_cast<std::int32_t>(i);
  for (std::uint64_t i = 0; i < RequestMemory::max_requests; ++i) {
    ASSERT_NE(memory.find(i), nullptr) << i;
    EXPECT_EQ(memory.find(i)->max_wait_ms, static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(memory.left_out(), 0u);
  memory.put(RequestMemory::max_requests);
  EXPECT_EQ(memory.left_out(), 1u);
  EXPECT_EQ(memory.find(0), nullptr);
  EXPECT_NE(memory.find(1), nullptr);
}

}  // namespace
}  // namespace kparse
