// SPDX-License-Identifier: MIT
#include "json_check.h"

#include <gtest/gtest.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

namespace kparse::test {
namespace {

std::string text_of(const Json& v) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  v.Accept(writer);
  return buffer.GetString();
}

std::string_view view(const Json& v) { return {v.GetString(), v.GetStringLength()}; }

std::size_t base64_bytes(std::string_view text) {
  return text.size() / 4 * 3 - static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
}

std::string lists(const Json& ours, const Json& theirs, Differ how, const std::string& path) {
  if (ours.Size() != theirs.Size())
    return path + ": " + std::to_string(ours.Size()) + " elements, Kafka " + std::to_string(theirs.Size());
  std::vector<bool> taken(ours.Size());
  for (rapidjson::SizeType i = 0; i < theirs.Size(); ++i) {
    if (!how.any_order) {
      if (const auto d = difference(ours[i], theirs[i], how, path + "[" + std::to_string(i) + "]"); !d.empty())
        return d;
      continue;
    }
    rapidjson::SizeType k = 0;
    while (k < ours.Size() && (taken[k] || !difference(ours[k], theirs[i], how).empty())) ++k;
    if (k == ours.Size()) return path + ": missing " + text_of(theirs[i]);
    taken[k] = true;
  }
  return "";
}

}  // namespace

rapidjson::Document parsed(std::string_view text) {
  rapidjson::Document d;
  d.Parse<rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
  EXPECT_FALSE(d.HasParseError()) << "at " << d.GetErrorOffset() << ": " << text;
  return d;
}

bool valid_json(std::string_view text) {
  rapidjson::Document d;
  d.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  return !d.HasParseError();
}

std::string difference(const Json& ours, const Json& theirs, Differ how, const std::string& path) {
  if (theirs.IsObject() && ours.IsObject()) {
    for (const auto& m : theirs.GetObject()) {
      const auto at = ours.FindMember(m.name);
      const std::string p = path + "." + m.name.GetString();
      if (at == ours.MemberEnd()) return p + ": missing";
      if (const auto d = difference(at->value, m.value, how, p); !d.empty()) return d;
    }
    for (const auto& m : ours.GetObject()) {
      if (how.siblings && view(m.name).ends_with(".decoded")) continue;
      if (!theirs.HasMember(m.name)) return path + "." + m.name.GetString() + ": invented";
    }
    return "";
  }
  if (theirs.IsArray() && ours.IsArray()) return lists(ours, theirs, how, path);
  if (ours.IsObject() && theirs.IsString() && ours.HasMember("sizeInBytes")) {
    const std::size_t size = base64_bytes(view(theirs));
    const bool same = ours["sizeInBytes"].GetUint64() == size && (size > 0 || ours.MemberCount() == 1);
    return same ? "" : path + ": " + text_of(ours);
  }
  if (theirs.IsDouble() && ours.IsNumber())
    return ours.GetDouble() == theirs.GetDouble() ? "" : path + ": " + text_of(ours);
  return ours == theirs ? "" : path + ": ours " + text_of(ours) + ", Kafka " + text_of(theirs);
}

Dumped dump(std::string_view message, int version, Bytes body, const JsonOptions& options, const BodyContext& context) {
  JsonDump d(options);
  JsonWriter out;
  Dumped r;
  r.error = d.body(out, *find_message(message), version, body, context);
  r.json = std::string(out.view());
  r.notes.assign(d.notes().begin(), d.notes().end());
  r.facts = d.facts();
  return r;
}

std::string payload(std::string_view kind, Bytes bytes, int version, int api_key, Error* error) {
  JsonOptions options;
  options.show_secrets = true;
  JsonDump d(options);
  JsonWriter out;
  Error e;
  (void)d.payload(out, kind, version, api_key, bytes, e);
  if (error) *error = e;
  return std::string(out.view());
}

}  // namespace kparse::test
