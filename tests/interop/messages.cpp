// SPDX-License-Identifier: MIT
// Random values of every message and version, as JSON and as bytes.
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <sstream>

#include "encoding.h"
#include "files.h"
#include "generator.h"
#include "json_check.h"

namespace kparse::interop {
namespace {

constexpr unsigned values_each = 5;

std::string text_of(const rapidjson::Value& v) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  v.Accept(writer);
  return buffer.GetString();
}

}  // namespace

void write_messages(const fs::path& file) {
  std::ofstream out(file, std::ios::binary);
  for (const Message& m : messages()) {
    for (int v = m.versions.lo; v <= m.versions.hi; ++v) {
      for (unsigned seed = 0; seed < values_each; ++seed) {
        rapidjson::Document d;
        const rapidjson::Value value = test::Generator(d, m, v, seed * 104'729 + m.root, false).message();
        const test::Encoded e = test::encode(m.name, v, value);
        out << R"({"message":")" << m.name << R"(","version":)" << v << R"(,"json":)" << text_of(value) << R"(,"hex":")"
            << e.hex << "\"}\n";
      }
    }
  }
}

void read_messages(const fs::path& file, Tally& tally) {
  std::istringstream in(read_file(file));
  const JsonOptions options{.show_secrets = true, .unknown_tags = true, .decoded = false};
  for (std::string line; std::getline(in, line);) {
    rapidjson::Document d;
    d.Parse<rapidjson::kParseFullPrecisionFlag>(line.c_str());
    const Message* const m = d.HasParseError() ? nullptr : find_message(d["message"].GetString());
    if (!m) {
      tally.expect(false, "no message: " + line.substr(0, 200));
      continue;
    }
    const int version = d["version"].GetInt();
    JsonDump dump(options);
    JsonWriter text;
    const test::Blob body = test::from_hex(d["hex"].GetString());
    const Error e = dump.body(text, *m, version, body);
    const std::string differs = test::difference(test::parsed(text.view()), d["json"], {});
    tally.expect(!e && differs.empty(), std::string(m->name) + " " + std::to_string(version) + ": " + differs);
  }
}

}  // namespace kparse::interop
