// SPDX-License-Identifier: MIT
#include "commands/batch.h"
#include "commands/encode_command.h"

namespace kparse::cli {
namespace {

void write_error(JsonWriter& out, const EncodeError& e) {
  char buffer[512];
  out.key("error");
  out.begin_object();
  out.key("code");
  (void)out.string(name_of(e.code));
  out.key("field");
  (void)out.string(path_of(e.place, buffer));
  out.key("message");
  (void)out.string(message_of(e, buffer));
  out.end_object();
}

void write_notes(JsonWriter& out, const std::vector<JobEncoder::Note>& notes) {
  if (notes.empty()) return;
  out.key("notes");
  out.begin_array();
  for (const auto& n : notes) {
    out.begin_object();
    out.key("rule");
    (void)out.string(n.rule);
    out.key("field");
    (void)out.string(n.field);
    out.key("message");
    (void)out.string(n.message);
    out.end_object();
  }
  out.end_array();
}

void encode_line(const Json& line, EncodeJob job, JobEncoder& encoder, Writer& bytes, JsonWriter& out) {
  std::string wrong = take_text(line, "message", job.name);
  if (wrong.empty()) wrong = take_number(line, "version", job.version);
  const auto json = line.FindMember("json");
  if (wrong.empty() && json == line.MemberEnd()) wrong = "'json' is missing";
  bytes.clear();
  if (wrong.empty()) wrong = encoder.run(job, json->value, bytes);
  if (!wrong.empty()) return say_error(out, wrong);
  if (encoder.error()) {
    write_error(out, encoder.error());
  } else {
    out.key("hex");
    out.hex(bytes.view());
  }
  write_notes(out, encoder.notes());
}

}  // namespace

void encode_batch(std::FILE* in, const EncodeJob& base, JobEncoder& encoder, Output& to) {
  Writer bytes;
  for_each_line(in, "json", to,
                [&](const Json& line, JsonWriter& out) { encode_line(line, base, encoder, bytes, out); });
}

}  // namespace kparse::cli
