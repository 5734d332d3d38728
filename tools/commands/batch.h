// SPDX-License-Identifier: MIT
// --batch: ndjson in, ndjson out, line by line in order; what a line has besides the task is passed through.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include "kparse/json.h"
#include "output/output.h"

namespace kparse::cli {

using Json = rapidjson::Value;

[[nodiscard]] inline std::string_view view(const Json& v) { return {v.GetString(), v.GetStringLength()}; }

/// Parses a text as the commands need it: numbers exact, UTF-8 checked, at most 1000 levels. "" or what is wrong.
[[nodiscard]] std::string parse_json(std::string_view text, rapidjson::Document& to);

/// The member's number or text into `to`, which stays where there is none; "" or what is wrong.
[[nodiscard]] std::string take_number(const Json& line, const char* name, int& to);
[[nodiscard]] std::string take_text(const Json& line, const char* name, std::string& to);

/// "error": text.
void say_error(JsonWriter& out, std::string_view error);

/// For each line: its members but `input` to the answer, then what `answer` adds, which is called with the line only
/// if that is an object. Blank lines are skipped. Ends early when nobody reads any more.
void for_each_line(std::FILE* in, std::string_view input, Output& to,
                   const std::function<void(const Json& line, JsonWriter& out)>& answer);

}  // namespace kparse::cli
