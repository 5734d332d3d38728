// SPDX-License-Identifier: MIT
// Output that goes nowhere, and JSON that must be JSON.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/reader.h>

#include <string_view>

#include "output/diagnostics.h"
#include "output/output.h"
#include "targets.h"

namespace kparse::fuzz {

class Paper {
 public:
  Paper() : out_(diagnostics_) { KPARSE_HOLDS(out_.open("/dev/null")); }
  [[nodiscard]] cli::Output& out() noexcept { return out_; }

 private:
  cli::Diagnostics diagnostics_;
  cli::Output out_;
};

[[nodiscard]] inline bool is_json(std::string_view text) {
  rapidjson::MemoryStream raw(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(raw);
  rapidjson::BaseReaderHandler<> nobody;
  return !rapidjson::Reader().Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(stream, nobody).IsError();
}

}  // namespace kparse::fuzz
