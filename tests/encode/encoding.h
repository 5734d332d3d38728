// SPDX-License-Identifier: MIT
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <string_view>
#include <vector>

#include "kparse/encode.h"

namespace kparse::test {

[[nodiscard]] std::string to_hex(Bytes);

struct Encoded {
  EncodeError error;
  std::string hex;
  std::string path, message;         ///< of the error
  std::vector<std::string> ignored;  ///< "path name", with " (known)" behind
};
[[nodiscard]] Encoded encode(std::string_view message, int version, const rapidjson::Value&);
[[nodiscard]] Encoded encode(std::string_view message, int version, std::string_view json);

}  // namespace kparse::test
