// SPDX-License-Identifier: MIT
// Frames without what must not be passed on.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "extract/names.h"
#include "extract/redact_records.h"
#include "kparse/connection.h"
#include "kparse/decode.h"
#include "kparse/payload.h"

namespace kparse::cli {

/// How much is taken out.
enum class Redact : std::uint8_t {
  nothing,
  content,  ///< records, secrets, configs' values, other opaque bytes, metadata of offsets
  names,    ///< and all texts: topics, groups, clients, hosts, ...
};

/// A frame is built anew from nothing: filling, over which goes what may stay (numbers, lengths, ids, and texts unless
/// names go too). So what can't be decoded can't stay. Keeps what it needs of a conversation from frame to frame.
class FrameRedactor {
 public:
  FrameRedactor(Redact how, const RedactLimits& limits)
      : how_(how), records_(limits, how == Redact::names ? &names_ : nullptr), programs_(Interest::everything()) {}

  /// Each appends the frame with its size, as far as it is there.
  void request(std::uint64_t conversation, const Request&, Writer& out);
  void response(std::uint64_t conversation, const Response&, Writer& out);
  void token(const SaslToken&, Writer& out);
  void forget(std::uint64_t conversation) { protocols_.erase(conversation); }

  [[nodiscard]] capture::Endpoint address(const capture::Endpoint& e) {
    return how_ == Redact::names ? names_.address(e) : e;
  }
  [[nodiscard]] const RecordRedactor& records() const noexcept { return records_; }

 private:
  class Keeper;
  /// A records field that gets other bytes.
  struct Replacement {
    std::size_t at, size;
    bool compact;
    std::string bytes;
  };
  [[nodiscard]] Error part(const Program&, Bytes from, std::uint8_t* to, PayloadGuide&, bool compact,
                           std::vector<Replacement>* replacements, std::size_t base, bool cut = false);
  void body(std::uint64_t conversation, const Message*, int version, bool known, Bytes body, std::uint8_t* to,
            std::size_t base, bool cut, std::vector<Replacement>&);
  void finish(const Frame&, const std::vector<Replacement>&, Writer& out);

  Redact how_;
  Pseudonyms names_;
  RecordRedactor records_;
  ProgramSet programs_;
  std::unordered_map<std::uint64_t, std::string> protocols_;  ///< groups' protocol type, by conversation
  std::vector<std::uint8_t> copy_;
  Writer set_;
};

}  // namespace kparse::cli
