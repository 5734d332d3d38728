// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support.h"

namespace kparse::test {
namespace {

TEST(RequestHeaders, Version1) {
  const Blob frame = from_hex("000c 0000 0000002a 0003 616263 ffff");
  const RequestHeader h = decode_request_header(frame);
  EXPECT_EQ(h.error.code, Code::none);
  EXPECT_EQ(h.api_key, 12);
  EXPECT_EQ(h.version, 0);
  EXPECT_EQ(h.correlation_id, 42);
  EXPECT_FALSE(h.client_id_null);
  EXPECT_EQ(h.client_id, "abc");
  EXPECT_EQ(h.header_version, 1);
  EXPECT_TRUE(h.known);
  EXPECT_EQ(h.size, 13u);
}

TEST(RequestHeaders, Version2SkipsItsTags) {
  // The client id keeps its int16 length; then one tag of two bytes.
  const RequestHeader h = decode_request_header(from_hex("000c 0004 0000002a ffff  01 05 02 aabb  00"));
  EXPECT_EQ(h.error.code, Code::none);
  EXPECT_EQ(h.header_version, 2);
  EXPECT_TRUE(h.client_id_null);
  EXPECT_EQ(h.size, 15u);
}

TEST(RequestHeaders, ControlledShutdown0HasNoClientId) {
  const RequestHeader h = decode_request_header(from_hex("0007 0000 00000001 00000005"));
  EXPECT_EQ(h.header_version, 0);
  EXPECT_EQ(h.size, 8u);
  EXPECT_EQ(h.error.code, Code::none);
}

TEST(RequestHeaders, UnknownKeysAndVersions) {
  const Blob frame = from_hex("01f5 0000 00000001 0001 61 00");
  const RequestHeader key = decode_request_header(frame);
  EXPECT_EQ(key.api, nullptr);
  EXPECT_FALSE(key.known);
  EXPECT_EQ(key.header_version, 2);
  EXPECT_EQ(key.client_id, "a");
  const RequestHeader version = decode_request_header(from_hex("0012 0063 00000001 0001 61 00"));
  ASSERT_NE(version.api, nullptr);
  EXPECT_EQ(version.api->name, "ApiVersions");
  EXPECT_FALSE(version.known);
  EXPECT_EQ(version.header_version, 2);
}

TEST(RequestHeaders, EveryPrefixIsAnError) {
  const Blob whole = from_hex("000c 0004 0000002a 0001 61  01 05 02 aabb");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(decode_request_header(Blob(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))).error)
        << size;
}

TEST(ResponseHeaders, Both) {
  EXPECT_EQ(decode_response_header(from_hex("00000007 00"), 0).size, 4u);
  const ResponseHeader h = decode_response_header(from_hex("00000007 01 00 01 ff"), 1);
  EXPECT_EQ(h.correlation_id, 7);
  EXPECT_EQ(h.size, 8u);
  EXPECT_EQ(decode_response_header(from_hex("000000"), 0).error.code, Code::truncated);
}

}  // namespace
}  // namespace kparse::test
