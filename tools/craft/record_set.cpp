// SPDX-License-Identifier: MIT
// Batches of a script to record sets. Names are those that dump prints.
#include <algorithm>
#include <deque>
#include <limits>

#include <fmt/format.h>

#include "craft/message.h"
#include "craft/yaml.h"
#include "kparse/draft_headers.h"
#include "kparse/record_writer.h"

namespace kparse::craft {
namespace {

constexpr std::int64_t int64_low = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_high = std::numeric_limits<std::int64_t>::max();

Bytes view(const std::string& s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }

template <class T>
void take(const Item& from, std::string_view name, T& to) {
  const Item* i = from.find(name);
  if (i != nullptr && !i->is(Item::Kind::null))
    to = static_cast<T>(as_integer(*i, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
template <class T>
void take(const Item& from, std::string_view name, std::optional<T>& to) {
  T v{};
  const Item* i = from.find(name);
  if (i == nullptr || i->is(Item::Kind::null)) return;
  take(from, name, v);
  to = v;
}
void take(const Item& from, std::string_view name, bool& to) {
  if (const Item* i = from.find(name); i != nullptr) to = as_boolean(*i);
}

Codec codec_of(const Item& i) {
  for (const Codec c : {Codec::none, Codec::gzip, Codec::snappy, Codec::lz4, Codec::zstd})
    if (name_of(c) == as_text(i)) return c;
  throw ScriptError(i.line, fmt::format("'{}' is none of none, gzip, snappy, lz4, zstd", i.text));
}

void take_wrong(const Item& batch, WrongBatch& to, std::string& surplus, MessageBuilder& messages) {
  const Item* w = batch.find("wrong");
  if (w == nullptr) return;
  w->only({"crc", "length", "magic", "attributes", "count", "surplus"}, "wrong");
  bool crc = false;
  take(*w, "crc", crc);
  if (crc) to.crc_xor = 1;
  take(*w, "length", to.length);
  take(*w, "magic", to.magic);
  take(*w, "attributes", to.attributes);
  take(*w, "count", to.count);
  if (const Item* s = w->find("surplus")) {
    surplus = messages.bytes(*s);
    to.surplus = view(surplus);
  }
}

struct ReadHeader {
  std::string name, value;
  std::int32_t key = 0;
  bool null = false;
};

/// [[name, value], ...] in order, or a map.
std::vector<ReadHeader> headers_of(const Item& record, bool keys, MessageBuilder& messages) {
  std::vector<ReadHeader> all;
  const Item* h = record.find("headers");
  if (h == nullptr || h->is(Item::Kind::null)) return all;
  const auto add = [&](const Item& name, const Item& value) {
    ReadHeader r;
    r.null = value.is(Item::Kind::null);
    if (!r.null) r.value = messages.bytes(value);
    if (keys) {
      r.key = static_cast<std::int32_t>(as_integer(name, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
    } else {
      r.name = messages.bytes(name);
    }
    all.push_back(std::move(r));
  };
  if (h->is(Item::Kind::map) && !keys) {
    for (std::size_t n = 0; n < h->names.size(); ++n) add(Item::of_text(h->names[n], h->line), h->items[n]);
    return all;
  }
  if (!h->is(Item::Kind::list)) throw ScriptError(h->line, "headers are a list of [name, value]");
  for (const Item& pair : h->items) {
    // dump adds the registered name of an integer key
    if (!pair.is(Item::Kind::list) || pair.items.size() < 2 || pair.items.size() > (keys ? 3u : 2u))
      throw ScriptError(pair.line, "a header is [name, value]");
    add(pair.items[0], pair.items[1]);
  }
  return all;
}

/// Null, or bytes.
struct Blob {
  std::string data;
  bool null = true;
  [[nodiscard]] Bytes view() const { return null ? Bytes{} : Bytes{reinterpret_cast<const std::uint8_t*>(data.data()), data.size()}; }
};
Blob blob_of(const Item& record, std::string_view name, MessageBuilder& messages) {
  const Item* i = record.find(name);
  if (i == nullptr || i->is(Item::Kind::null)) return {};
  return {messages.bytes(*i), false};
}

void only_record(const Item& r) {
  r.only({"offset", "timestamp", "key", "value", "headers", "attributes", "control", "coordinatorEpoch", "wrong",
          // what dump prints besides, and follows from the others
          "sequence", "keySize", "valueSize", "keyDecoded", "valueDecoded"},
         "a record");
}

void add_control(RecordWriter& writer, const Item& record, const Item& control, std::int64_t timestamp) {
  record.only({"timestamp", "control", "coordinatorEpoch"}, "a control record without a key");
  const std::string& type = as_text(control);
  if (type != "COMMIT" && type != "ABORT")
    throw ScriptError(control.line, "control is COMMIT or ABORT; of other types give key and value");
  std::int32_t epoch = 0;
  take(record, "coordinatorEpoch", epoch);
  writer.add_end_transaction(type == "COMMIT", epoch, timestamp);
}

void add_record(RecordWriter& writer, const Item& i, std::int64_t now, MessageBuilder& messages) {
  only_record(i);
  NewRecord r;
  r.timestamp = now;
  take(i, "timestamp", r.timestamp);
  if (const Item* control = i.find("control"); control != nullptr && i.find("key") == nullptr)
    return add_control(writer, i, *control, r.timestamp);
  if (const Item* epoch = i.find("coordinatorEpoch"))
    throw ScriptError(epoch->line, "coordinatorEpoch is of a control record without a key");
  take(i, "offset", r.offset);
  take(i, "attributes", r.attributes);
  const Blob key = blob_of(i, "key", messages), value = blob_of(i, "value", messages);
  r.key = key.view();
  r.value = value.view();
  const std::vector<ReadHeader> read = headers_of(i, false, messages);
  std::vector<RecordHeader> headers;
  for (const ReadHeader& h : read) headers.push_back({h.name, h.null ? Bytes{} : view(h.value)});
  r.headers = headers;
  if (const Item* w = i.find("wrong")) {
    w->only({"crc", "length", "offsetDelta", "timestampDelta", "keyLength", "valueLength", "headerCount"}, "wrong");
    bool crc = false;
    take(*w, "crc", crc);
    r.wrong.crc_xor = crc ? 1 : 0;
    take(*w, "length", r.wrong.length);
    take(*w, "offsetDelta", r.wrong.offset_delta);
    take(*w, "timestampDelta", r.wrong.timestamp_delta);
    take(*w, "keyLength", r.wrong.key_length);
    take(*w, "valueLength", r.wrong.value_length);
    take(*w, "headerCount", r.wrong.header_count);
  }
  writer.add(r);
}

void draft_batch(const Item& batch, const Item& profile_name, std::int64_t now, MessageBuilder& messages, Writer& out) {
  const auto profile = find_draft_profile(as_text(profile_name));
  if (!profile || *profile == DraftProfile::kip82_any)
    throw ScriptError(profile_name.line, fmt::format("'{}' is no profile that can be written", profile_name.text));
  DraftForm form = DraftForm::messagepack;
  if (const Item* f = batch.find("draftIntegers")) {
    form = as_text(*f) == "tfile" ? DraftForm::tfile : f->text == "int32" ? DraftForm::int32 : DraftForm::messagepack;
    if (name_of(form) != f->text) throw ScriptError(f->line, "draftIntegers is messagepack or tfile");
  }
  const bool map = *profile == DraftProfile::kip82_map || *profile == DraftProfile::kip82_map_always;
  std::int64_t offset = 0;
  take(batch, "baseOffset", offset);
  const Item* records = batch.find("records");
  if (records == nullptr || !records->is(Item::Kind::list)) throw ScriptError(batch.line, "'records' is a list");
  for (const Item& i : records->items) {
    i.only({"offset", "timestamp", "key", "value", "headers", "map", "keySize", "valueSize"}, "a draft record");
    DraftMessage m;
    take(i, "offset", offset);
    m.offset = offset++;
    m.timestamp = now;
    take(i, "timestamp", m.timestamp);
    const Blob key = blob_of(i, "key", messages), value = blob_of(i, "value", messages), wire = blob_of(i, "map", messages);
    m.key = key.view();
    m.value = value.view();
    bool written = false;
    if (map) {
      m.headers = wire.view();
      written = write_draft_map_message(m, *profile, out);
    } else {
      const std::vector<ReadHeader> read = headers_of(i, true, messages);
      std::vector<IntHeader> headers;
      for (const ReadHeader& h : read) headers.push_back({h.key, h.null ? Bytes{} : view(h.value)});
      written = write_draft_message(m, headers, *profile, form, out);
    }
    if (!written) throw ScriptError(i.line, fmt::format("a message of {} can't carry this", name_of(*profile)));
  }
}

}  // namespace

void MessageBuilder::batch(const Item& i, Writer& out) {
  i.only({"magic", "codec", "timestampType", "baseOffset", "partitionLeaderEpoch", "producerId", "producerEpoch",
          "baseSequence", "transactional", "control", "deleteHorizon", "lastOffsetDelta", "baseTimestamp", "maxTimestamp",
          "timestamp", "count", "crcValid", "xerial", "xerialBlock", "wrong", "records", "draft", "draftIntegers",
          // what dump prints besides, and follows from the others
          "batchLength", "crc"},
         "a batch");
  std::int64_t now = now_ms_;
  take(i, "timestamp", now);
  if (const Item* draft = i.find("draft")) return draft_batch(i, *draft, now, *this, out);

  NewBatch b;
  std::string surplus;
  take(i, "magic", b.magic);
  if (const Item* codec = i.find("codec")) b.codec = codec_of(*codec);
  take(i, "baseOffset", b.base_offset);
  take(i, "partitionLeaderEpoch", b.partition_leader_epoch);
  take(i, "producerId", b.producer_id);
  take(i, "producerEpoch", b.producer_epoch);
  take(i, "baseSequence", b.base_sequence);
  take(i, "transactional", b.transactional);
  take(i, "control", b.control);
  take(i, "deleteHorizon", b.delete_horizon);
  take(i, "lastOffsetDelta", b.last_offset_delta);
  take(i, "baseTimestamp", b.base_timestamp);
  take(i, "maxTimestamp", b.max_timestamp);
  take(i, "xerial", b.compression.xerial);
  take(i, "xerialBlock", b.compression.xerial_block);
  bool valid = true;
  take(i, "crcValid", valid);
  take_wrong(i, b.wrong, surplus, *this);
  if (!valid) b.wrong.crc_xor = 1;
  static const Item no_records = Item::of_list(0);
  const Item* records = i.find("records");
  if (records == nullptr) records = &no_records;
  if (!records->is(Item::Kind::list)) throw ScriptError(records->line, "'records' is a list");
  if (const Item* type = i.find("timestampType")) {
    const std::string& t = as_text(*type);
    if (t == "LogAppendTime") {
      b.timestamp_type = TimestampType::LogAppendTime;
      b.log_append_time = now;
      if (b.magic < 2 && !records->items.empty()) take(records->items[0], "timestamp", b.log_append_time);
      b.log_append_time = b.max_timestamp.value_or(b.log_append_time);
    } else if (t != "CreateTime" && t != "NoTimestampType") {
      throw ScriptError(type->line, "timestampType is CreateTime or LogAppendTime");
    }
  }
  if (const Item* count = i.find("count"))
    if (const std::int64_t n = as_integer(*count, int64_low, int64_high); n != static_cast<std::int64_t>(records->items.size()))
      b.wrong.count = static_cast<std::int32_t>(n);
  // dump prints the outer message's offset: the last one's, or what an old producer wrote there.
  const std::int64_t outer = b.base_offset;
  const bool pasted = b.magic < 2 && !records->items.empty() && records->items[0].find("offset") != nullptr && i.find("baseOffset") != nullptr;
  if (pasted) take(records->items[0], "offset", b.base_offset);

  RecordWriter writer;
  Scratch scratch;
  const std::size_t start = out.size();
  writer.begin(b);
  for (const Item& r : records->items) add_record(writer, r, b.magic == 0 ? -1 : now, *this);
  if (const Error e = writer.finish(scratch, out))
    throw ScriptError(i.line, fmt::format("this batch can't be written: {}", name_of(e.code)));
  if (pasted && b.codec != Codec::none) out.patch_be(start, outer);  // no checksum covers it
}

std::string MessageBuilder::records(const Item& i) {
  const Item* batches = &i;
  std::int64_t truncate = 0;
  if (i.is(Item::Kind::map)) {
    batches = i.find("batches");
    if (batches == nullptr && i.names.size() == 1 && i.names[0] == "sizeInBytes") return "";  // dump shows an empty set so
    if (batches == nullptr) return bytes(i);
    i.only({"batches", "truncate", "sizeInBytes"}, "a record set");
    take(i, "truncate", truncate);
  } else if (!i.is(Item::Kind::list)) {
    return bytes(i);
  }
  if (!batches->is(Item::Kind::list)) throw ScriptError(batches->line, "batches are a list");
  Writer out;
  for (const Item& b : batches->items) batch(b, out);
  if (!out.ok()) throw ScriptError(i.line, "not enough memory");
  if (truncate < 0 || static_cast<std::size_t>(truncate) > out.size())
    throw ScriptError(i.line, fmt::format("truncate is from 0 to {}", out.size()));
  return std::string(kparse::text(out.view().first(out.size() - static_cast<std::size_t>(truncate))));
}

}  // namespace kparse::craft
