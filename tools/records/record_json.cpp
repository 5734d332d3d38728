// SPDX-License-Identifier: MIT
#include "records/record_json.h"

#include <cstring>

#include "output/human.h"

namespace kparse::cli {
namespace {

constexpr std::size_t enough = 64 * 1024;

void write_text_or_null(JsonWriter& w, std::string_view text, bool null) {
  if (null) {
    w.null();
  } else {
    w.string(text);
  }
}

std::int64_t size_of(Bytes b) { return b.data() ? static_cast<std::int64_t>(b.size()) : -1; }

}  // namespace

RecordJson::RecordJson(Output& out, const std::vector<std::string>& captures, BytesAs bytes, bool show_secrets,
                       RecordExtras extras)
    : out_(out), captures_(captures), bytes_(bytes), extras_(extras), internal_(show_secrets) {}

RecordJson::~RecordJson() { flush(); }

void RecordJson::flush() {
  out_.write(lines_.view());
  lines_.clear();
  lines_.shrink(4 * enough);
}

bool RecordJson::Place::is(const RecordsPlace& p) const noexcept {
  return conversation == p.conversation.number && partition == p.partition && via == p.via && topic == p.topic &&
         client_id_null == p.client_id_null && client_id == p.client_id && has_id == (p.topic_id != nullptr) &&
         (!has_id || std::memcmp(id.data(), p.topic_id, id.size()) == 0);
}

void RecordJson::write_place(const RecordsPlace& p) {
  place_.conversation = p.conversation.number;
  place_.client_id = p.client_id;
  place_.client_id_null = p.client_id_null;
  place_.via = p.via;
  place_.topic = p.topic;
  place_.has_id = p.topic_id != nullptr;
  if (place_.has_id) std::memcpy(place_.id.data(), p.topic_id, place_.id.size());
  place_.partition = p.partition;

  JsonWriter& w = place_members_;
  w.clear();
  w.key("conversation");
  w.unsigned_integer(p.conversation.number);
  w.key("client");
  w.string(p.conversation.client);
  w.key("server");
  w.string(p.conversation.server);
  w.key("clientId");
  write_text_or_null(w, p.client_id, p.client_id_null);
  w.key("via");
  w.string(name_of(p.via));
  w.key("topic");
  write_text_or_null(w, p.topic, p.topic.empty());
  w.key("topicId");
  if (p.topic_id) {
    w.uuid(p.topic_id);
  } else {
    w.null();
  }
  w.key("partition");
  w.integer(p.partition);
}

void RecordJson::begin_field(const RecordsPlace& p) {
  JsonWriter& w = shared_;
  w.clear();
  w.begin_object();
  w.key("capture");
  w.string(p.first.file < captures_.size() ? std::string_view(captures_[p.first.file]) : std::string_view{});
  w.key("packet");
  w.unsigned_integer(p.first.packet);
  w.key("time");
  char time[rfc3339_size];
  w.string(rfc3339(p.completed.time_ns, time));
  if (place_members_.size() == 0 || !place_.is(p)) write_place(p);
  w.raw(place_members_.view());
  field_size_ = w.size();
  internal_.set_topic(p.topic);
}

void RecordJson::write_head(const Batch& b) {
  JsonWriter& w = head_members_;
  w.clear();
  w.key("timestampType");
  w.string(name_of(b.timestamp_type));
  w.key("magic");
  w.integer(b.magic);
  w.key("codec");
  w.string(name_of(b.codec));
  w.key("producerId");
  w.integer(b.producer_id);
  w.key("producerEpoch");
  w.integer(b.producer_epoch);
  w.key("transactional");
  w.boolean(b.transactional);
  if (b.draft && extras_.draft) {
    w.key("draft");
    (void)w.string(extras_.draft->profile_name());
  }
}

void RecordJson::begin_batch(const Batch& b) {
  JsonWriter& w = shared_;
  w.truncate(field_size_);
  w.key("baseOffset");
  w.integer(b.base_offset);
  const Head head{b.timestamp_type, b.magic, b.codec, b.producer_id, b.producer_epoch, b.transactional, b.draft};
  if (head_members_.size() == 0 || head != head_) write_head(b);
  head_ = head;
  w.raw(head_members_.view());
}

void RecordJson::record(const Batch& b, const Record& r, std::optional<std::int64_t> offset) {
  const bool secret = internal_.decode(b, r);
  JsonWriter& w = lines_;
  w.raw(shared_.view());
  w.key("offset");
  if (offset) {
    w.integer(*offset);
  } else {
    w.null();
  }
  w.key("timestamp");
  w.integer(r.timestamp);
  w.key("sequence");
  w.integer(r.sequence);
  w.key("control");
  if (b.control) {
    w.string(control_type_name(r.control_type));
  } else {
    w.null();
  }
  w.key("keySize");
  w.integer(size_of(r.key));
  w.key("valueSize");
  w.integer(size_of(r.value));
  if (bytes_ != BytesAs::nothing) {
    w.key("key");
    write_bytes(w, r.key, bytes_);
    w.key("value");
    if (secret) {
      w.string("(redacted)");
    } else {
      write_bytes(w, r.value, bytes_);
    }
  }
  w.key("headers");
  write_headers(w, b, r, bytes_, extras_.draft);
  if (extras_.recognise) {
    w.key("carrier");
    if (b.control || internal_.internal()) {
      w.null();
    } else {
      write_carriers(w, r, bytes_);
    }
  }
  if (const std::string_view members = internal_.members(); !members.empty()) w.raw(members);
  w.end_object();
  w.newline();
  if (w.size() >= enough) flush();
}

}  // namespace kparse::cli
