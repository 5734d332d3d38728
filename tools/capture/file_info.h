// SPDX-License-Identifier: MIT
// What is known about one input file after, or while, it is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kparse::capture {

/// Why reading ended before the end of the file. `offset` counts in the file itself where `compressed` is set or the
/// file isn't compressed, else in what it unpacks to.
struct Damage {
  std::string reason;
  std::uint64_t offset = 0;
  bool compressed = false;
};

/// A Decryption Secrets Block of pcapng, kept for whoever opens TLS.
struct Secret {
  std::uint32_t type = 0;  ///< 0x544c534b: text of an NSS key log
  std::string data;
};

struct FileInfo {
  std::string name;              ///< as given; "-" is standard input
  std::string format;            ///< "pcap", "pcapng.gz", ...; empty when unknown
  std::string error;             ///< not empty: could not be read at all
  std::optional<Damage> damage;  ///< read up to there
  std::uint64_t packets = 0;     ///< read, before any filter
  std::uint64_t bytes = 0;       ///< captured bytes of these packets
  std::uint64_t wire_bytes = 0;
  std::uint64_t snaplen_cut = 0;                      ///< packets of which less was captured than there was
  std::optional<std::int64_t> first_time, last_time;  ///< earliest and latest, ns since 1970
};

/// "reason at byte N", "reason at byte N of the compressed file".
[[nodiscard]] std::string text_of(const Damage&);

}  // namespace kparse::capture
