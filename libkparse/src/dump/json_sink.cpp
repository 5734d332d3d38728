// SPDX-License-Identifier: MIT
#include "dump/json_sink.h"

#include "dump/records_json.h"
#include "schema/defaults.h"

namespace kparse {

JsonSink::JsonSink(const PayloadOut& to, const Setup& setup) noexcept
    : shared_(to.shared), out_(to.json), to_(to), setup_(setup), guide_(setup.message, setup.context) {}

JsonSink::Scope& JsonSink::push(Open open) noexcept {
  const bool sensitive = top().sensitive;
  if (depth_ + 1 < max_depth) ++depth_;
  top() = Scope{.open = open, .sensitive = sensitive, .begin = out_.size(), .tags = shared_.tags.size()};
  return top();
}

void JsonSink::pop() noexcept {
  const bool differs = top().differs;
  if (depth_ > 0) --depth_;
  top().differs = top().differs || differs;
}

void JsonSink::name(NodeId n) noexcept {
  if (depth_ > 0 && top().open != Open::array) out_.key(field(n).name);
}

void JsonSink::leaf(NodeId n, bool at_default) noexcept {
  ++leaves_;
  top().differs = top().differs || !at_default;
  name(n);
}

void JsonSink::begin_struct(NodeId n, const std::uint8_t*) noexcept {
  name(n);
  out_.begin_object();
  push(Open::structure).differs = tag_depth_ > 0 && field(n).default_value == "null";
}

void JsonSink::end_struct(NodeId n, const std::uint8_t*) noexcept {
  Scope& s = top();
  if (s.value_to > 0 && !s.sensitive_told && expects_sensitive(n)) redact_config();
  write_tags(s);
  out_.end_object();
  pop();
}

void JsonSink::begin_array(NodeId n, std::int32_t count, const std::uint8_t*) noexcept {
  leaf(n, count == 0 && field(n).default_value != "null");
  out_.begin_array();
  push(Open::array);
}

void JsonSink::end_array(NodeId, const std::uint8_t*) noexcept {
  out_.end_array();
  pop();
}

void JsonSink::null(NodeId n, Bytes) noexcept {
  leaf(n, field(n).default_value == "null");
  out_.null();
}

void JsonSink::boolean(NodeId n, bool v, Bytes) noexcept {
  const Field& f = field(n);
  leaf(n, v == default_boolean(f));
  out_.boolean(v);
  if (f.mark != Mark::config_sensitive) return;
  top().sensitive_told = true;
  if (!v) return;
  top().sensitive = true;
  redact_config();
}

void JsonSink::integer(NodeId n, std::int64_t v, Bytes) noexcept {
  leaf(n, tag_depth_ == 0 || v == default_integer(field(n)));
  out_.integer(v);
  guide_.integer(field(n), v);
}

void JsonSink::float64(NodeId n, double v, Bytes) noexcept {
  leaf(n, v == default_float(field(n)));
  out_.float64(v);
}

void JsonSink::uuid(NodeId n, Bytes id) noexcept {
  leaf(n, tag_depth_ == 0 || is_zero(id));
  out_.uuid(id.data());
  guide_.uuid(field(n), id.data());
}

void JsonSink::string(NodeId n, std::string_view v, Bytes span) noexcept {
  const Field& f = field(n);
  leaf(n, f.default_value == "null" ? false : v == f.default_value);
  Scope& s = top();
  guide_.string(f, v);
  const bool secret = f.secret || (f.mark == Mark::config_value && s.sensitive);
  if (secret && !shared_.options.show_secrets && !v.empty()) {
    secret_ = true;
    (void)out_.string(redacted);
    return;
  }
  const std::size_t from = out_.size();
  if (!out_.string(v))
    note({.rule = Note::Rule::badUtf8,
          .node = n,
          .offset = static_cast<std::uint64_t>(span.data() - setup_.body.data())});
  if (f.mark == Mark::config_value && !v.empty()) {
    s.value_from = from;
    s.value_to = out_.size();
  } else if (f.mark == Mark::config_name && sensitive_config(v)) {
    s.sensitive = true;
    redact_config();
  }
}

void JsonSink::bytes(NodeId n, Bytes v, Bytes) noexcept {
  const Field& f = field(n);
  leaf(n, v.empty() && f.default_value != "null");
  if (secret_bytes(f, v)) return;
  const std::size_t from = out_.size();
  out_.base64(v);
  if (!v.empty()) sibling(f, v, from, out_.size());
}

void JsonSink::records(NodeId n, Bytes v, Bytes) noexcept {
  leaf(n, false);
  if (shared_.options.records == RecordsAs::base64) return out_.base64(v);
  write_records_field(shared_, out_, v, guide_.topic(), guide_.whole_records());
}

void JsonSink::begin_tag(NodeId, Bytes) noexcept {
  push(Open::tag);
  ++tag_depth_;
}

void JsonSink::end_tag(NodeId) noexcept {
  --tag_depth_;
  // Kafka's converter leaves out what is at its default.
  if (!top().differs) out_.truncate(top().begin);
  pop();
}

void JsonSink::unknown_tag(NodeId, std::uint32_t tag, Bytes value) noexcept {
  top().differs = true;
  if (!shared_.options.unknown_tags) return;
  JsonWriter& tags = shared_.tags;
  tags.begin_object();
  tags.key("tag");
  tags.integer(tag);
  tags.key("data");
  tags.base64(value);
  tags.end_object();
}

void JsonSink::write_tags(Scope& s) noexcept {
  JsonWriter& tags = shared_.tags;
  if (tags.size() <= s.tags) return;
  std::string_view written = tags.view().substr(s.tags);
  if (written.starts_with(',')) written.remove_prefix(1);
  out_.key("$tags");
  out_.begin_array();
  out_.raw(written);
  out_.end_array();
  tags.truncate(s.tags);
}

void JsonSink::note(const Note& n) noexcept {
  if (n.rule == Note::Rule::surplusBytes) surplus_ = n.have;
  if (setup_.top) shared_.add(n);
}

void JsonSink::finish() noexcept {
  if (!setup_.top) return;
  const bool offers = setup_.message.kind == Kind::request && setup_.message.api_key == 11;  // JoinGroup names several
  const bool envelope = guide_.is_envelope_request();
  shared_.facts = {.protocol_type = guide_.protocol_type(),
                   .protocol_name = offers ? std::string_view{} : guide_.protocol_name(),
                   .mechanism = guide_.mechanism(),
                   .inner_api_key = envelope ? guide_.inner_api_key() : -1,
                   .inner_version = envelope ? guide_.inner_version() : -1};
}

}  // namespace kparse
