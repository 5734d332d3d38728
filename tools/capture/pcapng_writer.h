// SPDX-License-Identifier: MIT
// Writes pcapng: little-endian blocks, one after another.
// https://www.ietf.org/archive/id/draft-ietf-opsawg-pcapng-02.html
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "kparse/bytes.h"

namespace kparse::capture {

/// Each call writes one block. Memory: that block.
class PcapngWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit PcapngWriter(Sink sink) : sink_(std::move(sink)) {}

  /// The first block. Empty texts are left out.
  void section(std::string_view comment, std::string_view application);
  /// Interfaces are numbered from 0. Times are in nanoseconds.
  void interface(std::uint16_t link_type, std::uint32_t snaplen);
  /// `type`: see Secret.
  void secrets(std::uint32_t type, std::string_view data);
  /// The packet's bytes are those of `parts`, one after another. `wire_length`: 0 as many as there are.
  void packet(std::uint32_t interface, std::int64_t time_ns, std::initializer_list<Bytes> parts,
              std::uint32_t wire_length = 0);

 private:
  PcapngWriter& u16(std::uint16_t);
  PcapngWriter& u32(std::uint32_t);
  void begin(std::uint32_t type);
  void option(std::uint16_t code, std::string_view value);
  void pad();
  void end();

  Sink sink_;
  std::string block_;
};

/// A Decryption Secrets Block for a section of either byte order.
[[nodiscard]] std::string secrets_block(std::uint32_t type, std::string_view data, bool big_endian);

}  // namespace kparse::capture
