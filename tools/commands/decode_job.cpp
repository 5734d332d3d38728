// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "commands/arguments.h"
#include "commands/decode_command.h"
#include "kparse/payload.h"

namespace kparse::cli {
namespace {

int digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  const std::string near = nearest(typed, names);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

std::string no_message(std::string_view name) {
  if (name.empty()) return "no message was named";
  std::vector<std::string> names;
  for (const Message& m : messages()) names.emplace_back(m.name);
  return fmt::format("there is no message '{}'{}", name, did_you_mean(name, names));
}

std::string no_version(const Message& m, int version) {
  if (m.versions.empty()) return fmt::format("{} has no version", m.name);
  return fmt::format("{} has no version {}, only {} to {}", m.name, version, m.versions.lo, m.versions.hi);
}

}  // namespace

std::optional<std::vector<std::uint8_t>> parse_hex(std::string_view text) {
  std::vector<std::uint8_t> out;
  out.reserve(text.size() / 2);
  int high = -1;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    const int v = digit(c);
    if (v < 0) return std::nullopt;
    if (high < 0) {
      high = v;
    } else {
      out.push_back(static_cast<std::uint8_t>(high << 4 | v));
      high = -1;
    }
  }
  if (high >= 0) return std::nullopt;
  return out;
}

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
  const Message* m = find_message(job.name);
  if (!m) return no_message(job.name);
  if (!m->versions.has(job.version)) return no_version(*m, job.version);
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
  const Api* api = find_api(m.api_key);
  const bool request = m.kind == Kind::request;
  if (!api || (!request && m.kind != Kind::response))
    return fmt::format("{} has no header: it is no request or response", m.name);
  const int header_version = request ? request_header_version(*api, version) : response_header_version(*api, version);
  std::uint32_t size = 0;
  Error broken;
  if (request) {
    const RequestHeader h = decode_request_header(bytes);
    if (!h.error && (h.api_key != m.api_key || h.version != version))
      return fmt::format("the header says API {} version {}, not {} version {}", h.api_key, h.version, m.api_key,
                         version);
    size = h.size;
    broken = h.error;
  } else {
    const ResponseHeader h = decode_response_header(bytes, header_version);
    size = h.size;
    broken = h.error;
  }
  const Message* header = find_message(request ? "RequestHeader" : "ResponseHeader");
  out.begin_object();
  out.key("headerVersion");
  out.integer(header_version);
  out.key("header");
  body(*header, header_version, bytes.first(broken ? bytes.size() : size), out);
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
