// SPDX-License-Identifier: MIT
#include "encoding.h"

#include "commands/json_source.h"

namespace kparse::test {

std::string to_hex(Bytes bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t b : bytes) {
    out += digits[b >> 4];
    out += digits[b & 15];
  }
  return out;
}

Encoded encode(std::string_view message, int version, const rapidjson::Value& json) {
  const cli::JsonSource source;
  Encoder encoder(source);
  Writer out;
  out.text("before");
  Encoded e;
  e.error = encoder.message(*find_message(message), version, cli::JsonSource::value(json), out);
  e.hex = to_hex(out.view().subspan(6));
  char buffer[512];
  e.path = path_of(e.error.place, buffer);
  e.message = message_of(e.error, buffer);
  for (const Ignored& i : encoder.ignored())
    e.ignored.push_back(std::string(path_of(i.place, buffer)) + " " + std::string(i.name) +
                        (i.known ? " (known)" : ""));
  return e;
}

Encoded encode(std::string_view message, int version, std::string_view json) {
  rapidjson::Document d;
  d.Parse<rapidjson::kParseFullPrecisionFlag>(json.data(), json.size());
  return encode(message, version, d);
}

}  // namespace kparse::test
