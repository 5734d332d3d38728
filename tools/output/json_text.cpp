// SPDX-License-Identifier: MIT
#include "output/json_text.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <charconv>

namespace kparse::cli {
namespace {

using Value = rapidjson::Value;

std::string_view text_of(const Value& v) { return {v.GetString(), v.GetStringLength()}; }

std::string scalar(const Value& v) {
  if (v.IsNull()) return "null";
  if (v.IsBool()) return v.GetBool() ? "true" : "false";
  if (v.IsString()) return v.GetStringLength() ? printable(text_of(v)) : "\"\"";
  char digits[32];
  char* end = digits;
  if (v.IsInt64())
    end = std::to_chars(digits, digits + sizeof digits, v.GetInt64()).ptr;
  else if (v.IsUint64())
    end = std::to_chars(digits, digits + sizeof digits, v.GetUint64()).ptr;
  else
    end = std::to_chars(digits, digits + sizeof digits, v.GetDouble()).ptr;
  return {digits, end};
}

bool is_scalar(const Value& v) { return !v.IsObject() && !v.IsArray(); }
bool is_flat(const Value& v) { return v.IsArray() && std::all_of(v.Begin(), v.End(), is_scalar); }

void object(std::string& to, const Value& v, int indent, const Painter& paint);

void member(std::string& to, std::string_view name, const Value& v, int indent, const Painter& paint) {
  to.append(static_cast<std::size_t>(indent), ' ');
  to += paint(Style::cyan, printable(name));
  if (is_scalar(v)) {
    to += "  " + scalar(v) + '\n';
  } else if (is_flat(v)) {
    to += "  [";
    for (const Value& x : v.GetArray()) to += (&x == v.Begin() ? "" : ", ") + scalar(x);
    to += "]\n";
  } else if (v.IsObject()) {
    to += '\n';
    object(to, v, indent + 2, paint);
  } else {
    to += "  " + std::to_string(v.Size()) + '\n';
    for (const Value& x : v.GetArray()) {
      const std::size_t start = to.size();
      if (x.IsObject())
        object(to, x, indent + 4, paint);
      else
        member(to, "", x, indent + 4, paint);
      if (to.size() > start + static_cast<std::size_t>(indent) + 2)
        to[start + static_cast<std::size_t>(indent) + 2] = '-';
    }
  }
}

void object(std::string& to, const Value& v, int indent, const Painter& paint) {
  for (const auto& m : v.GetObject()) member(to, text_of(m.name), m.value, indent, paint);
}

}  // namespace

void append_json_as_text(std::string& to, std::string_view json, int indent, const Painter& paint) {
  // Iterative: the nesting of record sets inside payloads inside bodies is bounded, but costs no trust this way.
  rapidjson::Document d;
  d.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (d.HasParseError() || !d.IsObject()) {
    to += json;
    to += '\n';
    return;
  }
  object(to, d, indent, paint);
}

}  // namespace kparse::cli
