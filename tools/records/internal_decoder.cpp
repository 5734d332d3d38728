// SPDX-License-Identifier: MIT
#include "records/internal_decoder.h"

#include "kparse/payload.h"

namespace kparse::cli {

void InternalDecoder::set_topic(std::string_view topic) {
  internal_ = is_internal_topic(topic);
  if (internal_) topic_ = topic;
}

JsonDump& InternalDecoder::dump() {
  if (!dump_) {
    JsonOptions options;
    options.show_secrets = show_secrets_;
    dump_ = std::make_unique<JsonDump>(options);
  }
  return *dump_;
}

bool InternalDecoder::decode_control(const Record& r) {
  Error ignored;
  members_.begin_object();
  members_.key("valueDecoded");
  if (!dump().payload(members_, "control-value", 0, r.control_type, r.value, ignored)) members_.clear();
  return false;
}

bool InternalDecoder::decode_record(const Record& r) {
  JsonWriter& w = members_;
  w.begin_object();
  std::size_t before = w.size();
  w.key("keyDecoded");
  const InternalDecoded key = decode_internal_key(dump(), w, topic_, r.key);
  if (!key.done) w.truncate(before);
  before = w.size();
  w.key("valueDecoded");
  const InternalDecoded value = decode_internal_value(dump(), w, topic_, r.key, r.value);
  if (!value.done) w.truncate(before);
  return value.secret && !show_secrets_;
}

}  // namespace kparse::cli
