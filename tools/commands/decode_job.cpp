// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "commands/decode_command.h"
#include "commands/message_name.h"
#include "kparse/payload.h"

namespace kparse::cli {

std::string JobDecoder::run(const DecodeJob& job, Bytes bytes, JsonWriter& out) {
  error_ = {};
  failed_ = false;
  notes_.clear();
  switch (job.what) {
    case DecodeWhat::message:
      return message(job, bytes, out);
    case DecodeWhat::records:
      failed_ = static_cast<bool>(dump_.records(out, bytes));
      return "";
    case DecodeWhat::payload: {
      const auto kinds = payload_kinds();
      if (std::find(kinds.begin(), kinds.end(), job.name) == kinds.end()) {
        if (job.name.empty()) return "no kind of payload was named";
        return fmt::format("there is no kind of payload '{}'{}", job.name,
                           did_you_mean(job.name, {kinds.begin(), kinds.end()}));
      }
      if (!dump_.payload(out, job.name, job.version, job.api_key, bytes, error_) && !error_)
        error_ = {.code = Code::badValue, .limit = Limit::payload};
      return "";
    }
  }
  return "";
}

std::string JobDecoder::message(const DecodeJob& job, Bytes bytes, JsonWriter& out) {
  const Message* m = nullptr;
  if (std::string wrong = resolve_message(job.name, job.version, m); !wrong.empty()) return wrong;
  if (job.header) return with_header(*m, job.version, bytes, out);
  body(*m, job.version, bytes, out);
  return "";
}

void JobDecoder::body(const Message& m, int version, Bytes bytes, JsonWriter& out) {
  error_ = dump_.body(out, m, version, bytes);
  notes_.assign(dump_.notes().begin(), dump_.notes().end());
  // A tag whose size is wrong makes Kafka read on at another place than we do.
  const auto refused = std::find_if(notes_.begin(), notes_.end(), [](const Note& n) {
    return n.rule == Note::Rule::nullNotAllowed || n.rule == Note::Rule::tagSize;
  });
  if (error_ || refused == notes_.end()) return;
  error_ = {.code = Code::badLength,
            .node = refused->node,
            .offset = refused->offset,
            .need = refused->need,
            .have = refused->have};
  error_.limit = refused->rule == Note::Rule::tagSize ? Limit::tag : Limit::frame;
}

std::string JobDecoder::with_header(const Message& m, int version, Bytes bytes, JsonWriter& out) {
  HeaderOf header_of;
  if (std::string wrong = resolve_header(m, version, header_of); !wrong.empty()) return wrong;
  std::uint32_t size = 0;
  Error broken;
  if (header_of.request) {
    const RequestHeader h = decode_request_header(bytes);
    if (!h.error && (h.api_key != m.api_key || h.version != version))
      return fmt::format("the header says API {} version {}, not {} version {}", h.api_key, h.version, m.api_key,
                         version);
    size = h.size;
    broken = h.error;
  } else {
    const ResponseHeader h = decode_response_header(bytes, header_of.version);
    size = h.size;
    broken = h.error;
  }
  const Message* header = find_message(header_of.request ? "RequestHeader" : "ResponseHeader");
  out.begin_object();
  out.key("headerVersion");
  out.integer(header_of.version);
  out.key("header");
  body(*header, header_of.version, bytes.first(broken ? bytes.size() : size), out);
  const Error in_header = error_ ? error_ : broken;
  const std::vector<Note> header_notes = notes_;
  if (!in_header) {
    out.key("body");
    body(m, version, bytes.subspan(size), out);
    if (error_) error_.offset += size;
    for (Note& n : notes_) n.offset += size;
    notes_.insert(notes_.begin(), header_notes.begin(), header_notes.end());
  } else {
    error_ = in_header;
  }
  out.end_object();
  return "";
}

}  // namespace kparse::cli
