// SPDX-License-Identifier: MIT
#include "records/internal_decoder.h"

#include "kparse/payload.h"

namespace kparse::cli {

void InternalDecoder::set_topic(std::string_view topic) {
  internal_ = is_internal_topic(topic);
  if (!internal_) return;
  topic_ = topic;
  if (dump_) return;
  JsonOptions options;
  options.show_secrets = show_secrets_;
  dump_ = std::make_unique<JsonDump>(options);
}

bool InternalDecoder::decode_record(const Record& r) {
  JsonWriter& w = members_;
  w.clear();
  w.begin_object();
  std::size_t before = w.size();
  w.key("keyDecoded");
  const InternalDecoded key = decode_internal_key(*dump_, w, topic_, r.key);
  if (!key.done) w.truncate(before);
  before = w.size();
  w.key("valueDecoded");
  const InternalDecoded value = decode_internal_value(*dump_, w, topic_, r.key, r.value);
  if (!value.done) w.truncate(before);
  return value.secret && !show_secrets_;
}

}  // namespace kparse::cli
