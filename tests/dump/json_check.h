// SPDX-License-Identifier: MIT
// JSON of ours against JSON of Kafka's.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <string_view>
#include <vector>

#include "kparse/json.h"
#include "support.h"

namespace kparse::test {

using Json = rapidjson::Value;

/// Fails the test when it isn't JSON.
[[nodiscard]] rapidjson::Document parsed(std::string_view text);
[[nodiscard]] bool valid_json(std::string_view text);

struct Differ {
  bool siblings = false;   ///< NAME.decoded members don't count
  bool any_order = false;  ///< of lists: they come from hash maps
};
/// "" or the first difference. A records field may be an object with sizeInBytes where Kafka has base64.
[[nodiscard]] std::string difference(const Json& ours, const Json& theirs, Differ, const std::string& path = "");

struct Dumped {
  std::string json;
  Error error;
  std::vector<Note> notes;
  BodyFacts facts{};
};
[[nodiscard]] Dumped dump(std::string_view message, int version, Bytes body, const JsonOptions& = {},
                          const BodyContext& = {});
[[nodiscard]] std::string payload(std::string_view kind, Bytes, int version = 0, int api_key = -1, Error* = nullptr);

}  // namespace kparse::test
