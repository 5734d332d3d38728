// SPDX-License-Identifier: MIT
#include "records/record_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "output/human.h"

namespace kparse::cli {
namespace {

constexpr std::size_t key_width = 32, value_width = 80;

/// Written for topics whose name nobody told: the id, as Kafka prints it.
std::string name_or_id(std::string_view name, const std::uint8_t* id, JsonWriter& scratch) {
  if (!name.empty() || !id) return std::string(name);
  scratch.clear();
  scratch.uuid(id);
  return std::string(scratch.view().substr(1, scratch.view().size() - 2));
}

}  // namespace

RecordText::RecordText(Output& out, BytesAs bytes, Painter paint, bool show_secrets, RecordExtras extras)
    : out_(out), bytes_(bytes), extras_(extras), internal_(show_secrets), paint_(paint) {}

void RecordText::begin_field(const RecordsPlace& p) {
  place_ = fmt::format("{}  {:<10}", human_time(p.completed.time_ns), name_of(p.via));
  topic_ = fmt::format("{}-{}", printable(name_or_id(p.topic, p.topic_id, scratch_)), p.partition);
  internal_.set_topic(p.topic);
}

std::string RecordText::shown(Bytes bytes, std::size_t width) {
  if (!bytes.data()) return "null";
  const Bytes head = bytes.first(std::min(bytes.size(), width * 4));
  scratch_.clear();
  write_bytes(scratch_, head, bytes_);
  const bool is_text = bytes_ == BytesAs::text && scratch_.view().front() == '"';
  std::string s;
  if (is_text) {
    s = printable(text(head));
  } else if (bytes_ == BytesAs::base64 || bytes_ == BytesAs::hex) {
    s = std::string(scratch_.view().substr(1, scratch_.view().size() - 2));
  } else {
    for (const std::uint8_t b : head.first(std::min(head.size(), width / 2))) s += fmt::format("{:02x}", b);
    s = "0x" + s;
  }
  // Cut between characters: a continuation byte never begins what is left out.
  if (s.size() > width || head.size() < bytes.size()) {
    std::size_t n = std::min(s.size(), width);
    while (n > 0 && n < s.size() && (static_cast<unsigned char>(s[n]) & 0xc0) == 0x80) --n;
    s = s.substr(0, n) + "…";
  }
  return s;
}

void RecordText::record(const Batch& b, const Record& r, std::optional<std::int64_t> offset) {
  const bool secret = internal_.decode(b, r);
  const std::string at = offset ? fmt::format("{}@{}", topic_, *offset) : topic_ + "@?";
  out_.print("{}  {:<28}  ", place_, at);
  if (b.control) {
    out_.print("{}\n", paint_(Style::dim, control_type_name(r.control_type)));
    return;
  }
  if (bytes_ == BytesAs::nothing) {
    out_.print("key {} B, value {} B", r.key.data() ? static_cast<std::int64_t>(r.key.size()) : -1,
               r.value.data() ? static_cast<std::int64_t>(r.value.size()) : -1);
  } else {
    out_.print("{} = {}", paint_(Style::cyan, shown(r.key, key_width)), secret ? "(redacted)" : shown(r.value, value_width));
  }
  HeaderReader headers(r);
  for (RecordHeader h; headers.next(h);) {
    const std::string_view name = b.draft && extras_.draft ? extras_.draft->key_name(h.name) : std::string_view{};
    out_.print("  {}", paint_(Style::dim, printable(name.empty() ? std::string(h.name) : fmt::format("{}({})", h.name, name))));
    if (bytes_ != BytesAs::nothing) out_.print("={}", shown(h.value, key_width));
  }
  if (extras_.recognise && !internal_.internal()) {
    if (const std::string found = carriers_text(r); !found.empty()) out_.print("  [{}]", printable(found));
  }
  out_.write('\n');
}

RecordCsv::RecordCsv(Output& out, const std::vector<std::string>& captures, BytesAs bytes, bool show_secrets,
                     RecordExtras extras)
    : csv_(out), captures_(captures), bytes_(bytes), extras_(extras), internal_(show_secrets) {
  for (const char* title : {"capture", "packet", "time", "conversation", "client", "server", "clientId", "via", "topic",
                            "topicId", "partition", "baseOffset", "offset", "timestamp", "timestampType", "magic", "codec",
                            "producerId", "producerEpoch", "sequence", "transactional", "control", "keySize", "valueSize"})
    csv_.text(title);
  if (bytes_ != BytesAs::nothing) csv_.text("key").text("value");
  csv_.text("headers");
  if (extras_.recognise) csv_.text("carrier");
  csv_.end_row();
}

void RecordCsv::begin_field(const RecordsPlace& p) {
  place_.capture = p.first.file < captures_.size() ? captures_[p.first.file] : std::string{};
  place_.packet = p.first.packet;
  place_.time = rfc3339(p.completed.time_ns);
  place_.conversation = p.conversation.number;
  place_.client = p.conversation.client;
  place_.server = p.conversation.server;
  place_.client_id = p.client_id;
  place_.client_id_null = p.client_id_null;
  place_.via = name_of(p.via);
  place_.topic = p.topic;
  place_.topic_id = p.topic_id ? name_or_id({}, p.topic_id, scratch_) : std::string{};
  place_.partition = p.partition;
  internal_.set_topic(p.topic);
}

void RecordCsv::text_cell(std::string_view text, bool null) {
  if (null) {
    csv_.empty();
  } else {
    csv_.text(text);
  }
}

void RecordCsv::bytes_cell(Bytes b) {
  if (!b.data()) {
    csv_.empty();
    return;
  }
  scratch_.clear();
  write_bytes(scratch_, b, bytes_);
  const std::string_view json = scratch_.view();
  if (bytes_ == BytesAs::text && json.front() == '"') {
    csv_.text(text(b));
  } else if (json.front() == '"') {
    csv_.text(json.substr(1, json.size() - 2));
  } else {
    csv_.text(json);
  }
}

void RecordCsv::record(const Batch& b, const Record& r, std::optional<std::int64_t> offset) {
  csv_.text(place_.capture).number(place_.packet).text(place_.time).number(place_.conversation);
  csv_.text(place_.client).text(place_.server);
  text_cell(place_.client_id, place_.client_id_null);
  csv_.text(place_.via);
  text_cell(place_.topic, place_.topic.empty());
  text_cell(place_.topic_id, place_.topic_id.empty());
  csv_.number(place_.partition).number(b.base_offset);
  if (offset) {
    csv_.number(*offset);
  } else {
    csv_.empty();
  }
  csv_.number(r.timestamp).text(name_of(b.timestamp_type)).number(int{b.magic}).text(name_of(b.codec));
  csv_.number(b.producer_id).number(int{b.producer_epoch}).number(r.sequence).text(b.transactional ? "true" : "false");
  text_cell(b.control ? control_type_name(r.control_type) : std::string_view{}, !b.control);
  csv_.number(r.key.data() ? static_cast<std::int64_t>(r.key.size()) : -1);
  csv_.number(r.value.data() ? static_cast<std::int64_t>(r.value.size()) : -1);
  if (bytes_ != BytesAs::nothing) {
    bytes_cell(r.key);
    if (internal_.decode(b, r)) {
      csv_.text("(redacted)");
    } else {
      bytes_cell(r.value);
    }
  }
  scratch_.clear();
  write_headers(scratch_, b, r, bytes_, extras_.draft);
  csv_.text(scratch_.view());
  if (extras_.recognise) {
    scratch_.clear();
    if (!b.control && !internal_.internal()) write_carriers(scratch_, r, bytes_);
    if (scratch_.view().empty() || scratch_.view() == "null") {
      csv_.empty();
    } else {
      csv_.text(scratch_.view());
    }
  }
  csv_.end_row();
}

}  // namespace kparse::cli
