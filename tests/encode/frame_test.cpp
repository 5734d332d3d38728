// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "encoding.h"
#include "kparse/decode.h"

namespace kparse::test {
namespace {

std::string request(int key, int version, std::optional<std::string_view> client) {
  Writer out;
  write_request_header(*find_api(key), version, 7, client, out);
  return to_hex(out.view());
}

std::string response(int key, int version) {
  Writer out;
  write_response_header(*find_api(key), version, 7, out);
  return to_hex(out.view());
}

// Header versions: Kafka's ApiMessageType.
TEST(Frames, RequestHeaders) {
  EXPECT_EQ(request(7, 0, "c"),
            "0007"
            "0000"
            "00000007");  // ControlledShutdown 0: no client id
  EXPECT_EQ(request(7, 1, "c"),
            "0007"
            "0001"
            "00000007"
            "000163");
  EXPECT_EQ(request(18, 0, std::nullopt),
            "0012"
            "0000"
            "00000007"
            "ffff");
  EXPECT_EQ(request(18, 3, "kparse"),
            "0012"
            "0003"
            "00000007"
            "00066b7061727365"
            "00");
  EXPECT_EQ(request(18, 3, ""),
            "0012"
            "0003"
            "00000007"
            "0000"
            "00");
}

TEST(Frames, ResponseHeaders) {
  EXPECT_EQ(response(18, 3), "00000007");  // ApiVersions: never flexible
  EXPECT_EQ(response(3, 8), "00000007");
  EXPECT_EQ(response(3, 9), "0000000700");
}

TEST(Frames, HeadersReadBackForEveryApiAndVersion) {
  for (const Api& api : apis()) {
    for (int v = api.request->versions.lo; v <= api.request->versions.hi; ++v) {
      Writer out;
      write_request_header(api, v, -3, "me", out);
      const RequestHeader h = decode_request_header(out.view());
      EXPECT_FALSE(h.error);
      EXPECT_EQ(h.api_key, api.key);
      EXPECT_EQ(h.version, v);
      EXPECT_EQ(h.correlation_id, -3);
      EXPECT_EQ(h.size, out.size());
      EXPECT_EQ(h.client_id, h.header_version > 0 ? "me" : "");
    }
  }
}

TEST(Frames, SizeCountsWhatFollowsIt) {
  Writer out;
  const std::size_t first = begin_frame(out);
  out.text("abc");
  EXPECT_TRUE(end_frame(out, first));
  const std::size_t second = begin_frame(out);
  EXPECT_TRUE(end_frame(out, second));
  EXPECT_EQ(to_hex(out.view()),
            "00000003"
            "616263"
            "00000000");
}

}  // namespace
}  // namespace kparse::test
