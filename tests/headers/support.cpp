// SPDX-License-Identifier: MIT
#include "support.h"

#include <rapidjson/document.h>

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace kparse::test {

namespace {

const rapidjson::Document& document() {
  static const rapidjson::Document parsed = [] {
    std::ifstream in(std::string(KPARSE_SOURCE_DIR) + "/tests/headers/data/vectors.json");
    const std::string text(std::istreambuf_iterator<char>(in), {});
    rapidjson::Document d;
    d.Parse(text.c_str());
    return d;
  }();
  return parsed;
}

}  // namespace

Blob from_hex(std::string_view hex) {
  Blob out;
  int digits = 0, value = 0;
  for (const char c : hex) {
    if (c == ' ' || c == '\n') continue;
    value = value * 16 + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    if (++digits % 2 == 0) {
      out.push_back(static_cast<std::uint8_t>(value));
      value = 0;
    }
  }
  return out;
}

std::string to_hex(Bytes b) {
  std::string out;
  for (const std::uint8_t v : b) {
    out += "0123456789abcdef"[v >> 4];
    out += "0123456789abcdef"[v & 15];
  }
  return out;
}

Blob vector(std::string_view name) {
  const std::string key(name);
  if (!document().IsObject() || !document().HasMember(key.c_str())) {
    ADD_FAILURE() << "no vector " << name;
    return {};
  }
  return from_hex(document()[key.c_str()].GetString());
}

std::vector<std::string> vector_names() {
  std::vector<std::string> out;
  for (const auto& m : document().GetObject()) out.emplace_back(m.name.GetString());
  return out;
}

MadeRecord::MadeRecord(const std::vector<Header>& headers, std::string value_bytes, std::int64_t timestamp)
    : value(std::move(value_bytes)) {
  for (const auto& [name, v] : headers) {
    encoded.varint(static_cast<std::int32_t>(name.size()));
    encoded.text(name);
    encoded.varint(v ? static_cast<std::int32_t>(v->size()) : -1);
    if (v) encoded.text(*v);
  }
  record.header_count = static_cast<std::int32_t>(headers.size());
  record.headers = encoded.view();
  record.value = view(value);
  record.timestamp = timestamp;
}

}  // namespace kparse::test
