// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <fmt/format.h>

#include "commands/decode_command.h"

namespace kparse::cli {
namespace {

using Json = rapidjson::Value;

std::string_view view(const Json& v) { return {v.GetString(), v.GetStringLength()}; }

/// Takes a number of the line into `to`; says what is wrong with it.
std::string number(const Json& line, const char* name, int& to) {
  const auto at = line.FindMember(name);
  if (at == line.MemberEnd()) return "";
  if (!at->value.IsInt()) return fmt::format("'{}' is not a number", name);
  to = at->value.GetInt();
  return "";
}

std::string text(const Json& line, const char* name, std::string& to) {
  const auto at = line.FindMember(name);
  if (at == line.MemberEnd()) return "";
  if (!at->value.IsString()) return fmt::format("'{}' is not a string", name);
  to = view(at->value);
  return "";
}

/// All members but the bytes, as they came.
void pass_through(const Json& line, JsonWriter& out) {
  rapidjson::StringBuffer buffer;
  for (const auto& m : line.GetObject()) {
    if (view(m.name) == "hex") continue;
    out.escaped_key(view(m.name));
    buffer.Clear();
    rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>, rapidjson::CrtAllocator,
                      rapidjson::kWriteNanAndInfFlag>
        writer(buffer);
    m.value.Accept(writer);
    out.raw({buffer.GetString(), buffer.GetSize()});
  }
}

void say(JsonWriter& out, std::string_view error) {
  out.key("error");
  (void)out.string(error);
}

void write_result(const JobDecoder& decoder, JsonWriter& out) {
  if (decoder.error()) {
    out.key("error");
    write_error(out, decoder.error());
  }
  if (decoder.notes().empty()) return;
  out.key("notes");
  out.begin_array();
  for (const Note& n : decoder.notes()) write_note(out, n);
  out.end_array();
}

void decode_line(std::string_view line, DecodeJob job, JobDecoder& decoder, JsonWriter& out) {
  rapidjson::Document d;
  d.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(line.data(), line.size());
  if (d.HasParseError())
    return say(out, fmt::format("not JSON at byte {}: {}", d.GetErrorOffset(),
                                rapidjson::GetParseError_En(d.GetParseError())));
  if (!d.IsObject()) return say(out, "not a JSON object");
  pass_through(d, out);
  std::string hex;
  std::string wrong = text(d, "hex", hex);
  if (wrong.empty() && !d.HasMember("hex")) wrong = "'hex' is missing";
  if (wrong.empty() && job.what == DecodeWhat::message) wrong = text(d, "message", job.name);
  if (wrong.empty() && job.what == DecodeWhat::payload) wrong = text(d, "kind", job.name);
  if (wrong.empty()) wrong = number(d, "version", job.version);
  if (wrong.empty()) wrong = number(d, "apiKey", job.api_key);
  const auto bytes = parse_hex(hex);
  if (wrong.empty() && !bytes) wrong = "'hex' is not an even number of hex digits";
  if (!wrong.empty()) return say(out, wrong);

  const std::size_t before = out.size();
  out.key("json");
  const std::size_t value = out.size();
  wrong = decoder.run(job, *bytes, out);
  if (out.size() == value) out.truncate(before);
  if (!wrong.empty()) return say(out, wrong);
  write_result(decoder, out);
}

}  // namespace

void decode_batch(std::FILE* in, const DecodeJob& base, JobDecoder& decoder, Output& to) {
  char* line = nullptr;
  std::size_t capacity = 0;
  JsonWriter out;
  for (ssize_t size; to.wanted() && (size = getline(&line, &capacity, in)) >= 0;) {
    std::string_view text(line, static_cast<std::size_t>(size));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    if (text.find_first_not_of(" \t") == std::string_view::npos) continue;
    out.clear();
    out.begin_object();
    decode_line(text, base, decoder, out);
    out.end_object();
    out.newline();
    to.write(out.view());
  }
  std::free(line);
}

}  // namespace kparse::cli
