// SPDX-License-Identifier: MIT
// What Kafka itself keeps in records: offsets, groups, transactions, metadata.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kparse/json.h"
#include "kparse/records.h"

namespace kparse::cli {

class InternalDecoder {
 public:
  explicit InternalDecoder(bool show_secrets) : show_secrets_(show_secrets) {}

  void set_topic(std::string_view);
  /// Reads a record of the topic. True: its value holds a secret that was redacted, so the raw bytes must not be shown.
  /// Control records are Kafka's own in any topic. Others cost nothing where the topic isn't internal.
  bool decode(const Batch& b, const Record& r) {
    members_.clear();
    if (b.control) [[unlikely]] return decode_control(r);
    return internal_ && decode_record(r);
  }
  [[nodiscard]] bool internal() const noexcept { return internal_; }
  /// Of the last record: "keyDecoded":...,"valueDecoded":..., as far as they could be read; often "".
  [[nodiscard]] std::string_view members() const noexcept {
    return members_.size() > 1 ? members_.view().substr(1) : std::string_view{};
  }

 private:
  bool decode_record(const Record&);
  bool decode_control(const Record&);
  JsonDump& dump();

  const bool show_secrets_;
  bool internal_ = false;
  std::string topic_;
  std::unique_ptr<JsonDump> dump_;  ///< made for the first that is internal
  JsonWriter members_;              ///< of an open object
};

}  // namespace kparse::cli
