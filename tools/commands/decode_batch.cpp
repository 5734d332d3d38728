// SPDX-License-Identifier: MIT
#include "commands/batch.h"
#include "commands/byte_input.h"
#include "commands/decode_command.h"

namespace kparse::cli {
namespace {

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

void decode_line(const Json& line, DecodeJob job, JobDecoder& decoder, JsonWriter& out) {
  std::string hex;
  std::string wrong = take_text(line, "hex", hex);
  if (wrong.empty() && !line.HasMember("hex")) wrong = "'hex' is missing";
  if (wrong.empty() && job.what == DecodeWhat::message) wrong = take_text(line, "message", job.name);
  if (wrong.empty() && job.what == DecodeWhat::payload) wrong = take_text(line, "kind", job.name);
  if (wrong.empty()) wrong = take_number(line, "version", job.version);
  if (wrong.empty()) wrong = take_number(line, "apiKey", job.api_key);
  const auto bytes = parse_hex(hex);
  if (wrong.empty() && !bytes) wrong = "'hex' is not an even number of hex digits";
  if (!wrong.empty()) return say_error(out, wrong);

  const std::size_t before = out.size();
  out.key("json");
  const std::size_t value = out.size();
  wrong = decoder.run(job, *bytes, out);
  if (out.size() == value) out.truncate(before);
  if (!wrong.empty()) return say_error(out, wrong);
  write_result(decoder, out);
}

}  // namespace

void decode_batch(std::FILE* in, const DecodeJob& base, JobDecoder& decoder, Output& to) {
  for_each_line(in, "hex", to, [&](const Json& line, JsonWriter& out) { decode_line(line, base, decoder, out); });
}

}  // namespace kparse::cli
