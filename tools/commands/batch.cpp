// SPDX-License-Identifier: MIT
#include "commands/batch.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace kparse::cli {
namespace {

constexpr int deepest = 1000;  // RapidJSON writes values by recursion

/// Deepest nesting of arrays and objects, roughly where the text is no JSON.
int nesting(std::string_view text) {
  int depth = 0, most = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      most = std::max(most, ++depth);
    } else if (!quoted && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return most;
}

/// Where a second half of a surrogate pair has no first: RapidJSON looks only for the second. npos: nowhere. `text` is JSON.
std::size_t lone_surrogate(std::string_view text) {
  for (std::size_t i = text.find('\\'); i != text.npos; i = text.find('\\', i)) {
    unsigned code = 0;
    if (text[i + 1] == 'u') std::from_chars(text.data() + i + 2, text.data() + i + 6, code, 16);
    if (code >= 0xdc00 && code < 0xe000) return i;
    i += code >= 0xd800 && code < 0xdc00 ? 12 : 2;
  }
  return text.npos;
}

/// Where a number is that no double holds: RapidJSON makes NaN of 2e308, and something small of 9e308. npos: nowhere.
std::size_t huge_number(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      continue;
    }
    quoted = c == '"';
    if (c < '0' || c > '9') continue;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-", i), text.size());
    const std::string_view number = text.substr(i, end - i);
    // Without an exponent it takes 309 digits.
    const bool large = number.size() > 300 || number.find_first_of("eE") != number.npos;
    if (large && std::isinf(std::strtod(std::string(number).c_str(), nullptr)))
      return i;
    i = end - 1;
  }
  return text.npos;
}

void pass_through(const Json& line, std::string_view input, JsonWriter& out) {
  rapidjson::StringBuffer buffer;
  for (const auto& m : line.GetObject()) {
    if (view(m.name) == input) continue;
    out.escaped_key(view(m.name));
    buffer.Clear();
    rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>, rapidjson::CrtAllocator,
                      rapidjson::kWriteNanAndInfFlag>
        writer(buffer);
    m.value.Accept(writer);
    out.raw({buffer.GetString(), buffer.GetSize()});
  }
}

}  // namespace

std::string parse_json(std::string_view text, rapidjson::Document& to) {
  if (nesting(text) > deepest) return fmt::format("JSON nested deeper than {}", deepest);
  if (const std::size_t at = huge_number(text); at != text.npos)
    return fmt::format("not JSON at byte {}: {}", at, rapidjson::GetParseError_En(rapidjson::kParseErrorNumberTooBig));
  to.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(
      text.data(), text.size());
  std::size_t at = to.GetErrorOffset();
  rapidjson::ParseErrorCode wrong = to.GetParseError();
  if (!to.HasParseError()) {
    at = lone_surrogate(text);
    if (at == text.npos) return "";
    wrong = rapidjson::kParseErrorStringUnicodeSurrogateInvalid;
  }
  return fmt::format("not JSON at byte {}: {}", at, rapidjson::GetParseError_En(wrong));
}

std::string take_number(const Json& line, const char* name, int& to) {
  const auto at = line.FindMember(name);
  if (at == line.MemberEnd()) return "";
  if (!at->value.IsInt()) return fmt::format("'{}' is not a number", name);
  to = at->value.GetInt();
  return "";
}

std::string take_text(const Json& line, const char* name, std::string& to) {
  const auto at = line.FindMember(name);
  if (at == line.MemberEnd()) return "";
  if (!at->value.IsString()) return fmt::format("'{}' is not a string", name);
  to = view(at->value);
  return "";
}

void say_error(JsonWriter& out, std::string_view error) {
  out.key("error");
  (void)out.string(error);
}

void for_each_line(std::FILE* in, std::string_view input, Output& to,
                   const std::function<void(const Json&, JsonWriter&)>& answer) {
  char* line = nullptr;
  std::size_t capacity = 0;
  JsonWriter out;
  for (ssize_t size; to.wanted() && (size = getline(&line, &capacity, in)) >= 0;) {
    std::string_view text(line, static_cast<std::size_t>(size));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    if (text.find_first_not_of(" \t") == std::string_view::npos) continue;
    out.clear();
    out.begin_object();
    rapidjson::Document d;
    if (const std::string wrong = parse_json(text, d); !wrong.empty()) {
      say_error(out, wrong);
    } else if (!d.IsObject()) {
      say_error(out, "not a JSON object");
    } else {
      pass_through(d, input, out);
      answer(d, out);
    }
    out.end_object();
    out.newline();
    to.write(out.view());
  }
  std::free(line);
}

}  // namespace kparse::cli
