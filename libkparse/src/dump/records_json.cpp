// SPDX-License-Identifier: MIT
#include "dump/records_json.h"

#include "dump/payloads.h"
#include "kparse/payload.h"
#include "kparse/record_walk.h"

namespace kparse {
namespace {

class RecordsSink : public RecordSink {
 public:
  RecordsSink(JsonDump::Impl& shared, JsonWriter& out, std::string_view topic) noexcept
      : shared_(shared), out_(out), topic_(is_internal_topic(topic) ? topic : std::string_view{}) {}

  [[nodiscard]] const Error& first_error() const noexcept { return first_error_; }

  bool begin_batch(const Batch& b) noexcept {
    out_.begin_object();
    integer("baseOffset", b.base_offset);
    integer("batchLength", b.batch_length);
    if (b.readable) {
      header(b);
    } else {
      integer("magic", b.magic);
    }
    listed_ = b.readable && shared_.options.records == RecordsAs::full;
    if (listed_) {
      out_.key("records");
      out_.begin_array();
    }
    return listed_;
  }

  void record(const Batch& b, const Record& r) noexcept {
    out_.begin_object();
    integer("offset", r.offset);
    integer("timestamp", r.timestamp);
    if (b.magic == 2 && !b.draft) integer("sequence", r.sequence);
    if (b.control) {
      out_.key("control");
      (void)out_.string(control_type_name(r.control_type));
    }
    integer("keySize", r.key.data() ? static_cast<std::int64_t>(r.key.size()) : -1);
    integer("valueSize", r.value.data() ? static_cast<std::int64_t>(r.value.size()) : -1);
    const std::size_t key_from = bytes("key", r.key), key_to = out_.size();
    const std::size_t value_from = bytes("value", r.value), value_to = out_.size();
    if (b.magic == 2) {
      out_.key("headers");
      write_headers(out_, b, r, shared_.options.bytes, shared_.options.record_limits.draft);
    }
    if (shared_.options.decoded) decoded(b, r, {key_from, key_to}, {value_from, value_to});
    out_.end_object();
  }

  void end_batch(const Batch&, const Error& error) noexcept {
    if (listed_) out_.end_array();
    if (error) {
      out_.key("error");
      write_error(out_, error);
      if (!first_error_) first_error_ = error;
    }
    out_.end_object();
  }

  void partial(std::uint64_t bytes, std::uint64_t need) noexcept {
    partial_bytes_ = bytes;
    partial_need_ = need;
  }

  void finish() noexcept {
    if (partial_bytes_ == 0) return;
    out_.key("partial");
    out_.begin_object();
    out_.key("bytes");
    out_.unsigned_integer(partial_bytes_);
    out_.key("need");
    out_.unsigned_integer(partial_need_);
    out_.end_object();
  }

 private:
  struct Span {
    std::size_t from, to;
  };

  void integer(std::string_view name, std::int64_t v) noexcept {
    out_.key(name);
    out_.integer(v);
  }
  void boolean(std::string_view name, bool v) noexcept {
    out_.key(name);
    out_.boolean(v);
  }

  void header(const Batch& b) noexcept {
    if (b.magic == 2 && !b.draft) integer("partitionLeaderEpoch", b.partition_leader_epoch);
    integer("magic", b.magic);
    integer("crc", b.crc);
    out_.key("crcValid");
    if (b.crc_checked) {
      out_.boolean(b.crc_valid);
    } else {
      out_.null();
    }
    out_.key("codec");
    (void)out_.string(name_of(b.codec));
    out_.key("timestampType");
    (void)out_.string(name_of(b.timestamp_type));
    if (b.draft && shared_.options.record_limits.draft) {
      out_.key("draft");
      (void)out_.string(shared_.options.record_limits.draft->profile_name());
      out_.key("draftIntegers");
      (void)out_.string(name_of(b.draft_form));
    }
    if (b.magic != 2 || b.draft) return;
    boolean("transactional", b.transactional);
    boolean("control", b.control);
    out_.key("deleteHorizon");
    if (b.has_delete_horizon) {
      out_.integer(b.base_timestamp);
    } else {
      out_.null();
    }
    integer("lastOffsetDelta", b.last_offset_delta);
    integer("baseTimestamp", b.base_timestamp);
    integer("maxTimestamp", b.max_timestamp);
    integer("producerId", b.producer_id);
    integer("producerEpoch", b.producer_epoch);
    integer("baseSequence", b.base_sequence);
    integer("count", b.count);
  }

  /// Returns where the value's text begins.
  std::size_t bytes(std::string_view name, Bytes v) noexcept {
    if (shared_.options.bytes == BytesAs::nothing) return out_.size();
    out_.key(name);
    const std::size_t from = out_.size();
    write_bytes(out_, v, shared_.options.bytes);
    return from;
  }

  void decoded(const Batch& b, const Record& r, Span key, Span value) noexcept {
    const PayloadOut to{shared_, out_, true, 1};
    if (b.control) {
      (void)member("valueDecoded", [&] { return control_value(to, r.control_type, r.value); });
      return;
    }
    if (topic_.empty()) return;
    const bool value_secret = member("valueDecoded", [&] { return internal_value(to, topic_, r.key, r.value); });
    const bool key_secret = member("keyDecoded", [&] { return internal_key(to, topic_, r.key); });
    if (shared_.options.bytes == BytesAs::nothing) return;
    if (value_secret && r.value.data()) (void)out_.replace(value.from, value.to, redacted);
    if (key_secret && r.key.data()) (void)out_.replace(key.from, key.to, redacted);
  }

  template <class F>
  bool member(std::string_view name, F write) noexcept {
    const std::size_t before = out_.size();
    out_.key(name);
    const PayloadResult result = write();
    if (!result.any) out_.truncate(before);
    return result.secret;
  }

  JsonDump::Impl& shared_;
  JsonWriter& out_;
  std::string_view topic_;
  bool listed_ = false;
  std::uint64_t partial_bytes_ = 0, partial_need_ = 0;
  Error first_error_;
};

}  // namespace

void write_headers(JsonWriter& out, const Batch& b, const Record& r, BytesAs as, const DraftDecoder* draft) noexcept {
  const bool int_keys = b.draft && draft && draft->int_keys();
  out.begin_array();
  HeaderReader reader(r);
  for (RecordHeader h; reader.next(h);) {
    out.begin_array();
    if (int_keys) {
      out.raw(h.name);
    } else {
      (void)out.string(h.name);
    }
    if (as != BytesAs::nothing) write_bytes(out, h.value, as);
    if (int_keys) {
      if (const std::string_view name = draft->key_name(h.name); !name.empty()) (void)out.string(name);
    }
    out.end_array();
  }
  out.end_array();
}

Error write_record_set(JsonDump::Impl& shared, JsonWriter& out, Bytes records, std::string_view topic) noexcept {
  RecordsSink sink(shared, out, topic);
  RecordOptions options = shared.options.record_limits;
  options.open = shared.options.records == RecordsAs::full;
  out.key("batches");
  out.begin_array();
  read_records(records, options, shared.records_scratch, sink);
  out.end_array();
  sink.finish();
  return sink.first_error();
}

void write_records_field(JsonDump::Impl& shared, JsonWriter& out, Bytes records, std::string_view topic,
                         bool whole) noexcept {
  out.begin_object();
  out.key("sizeInBytes");
  out.unsigned_integer(records.size());
  if (!records.empty() && whole && shared.options.records != RecordsAs::nothing)
    (void)write_record_set(shared, out, records, topic);
  out.end_object();
}

}  // namespace kparse
