// SPDX-License-Identifier: MIT
// What the fuzz targets do with their bytes. Each takes any input, and aborts where something that must hold doesn't.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "kparse/bytes.h"

/// In all builds, unlike assert.
#define KPARSE_HOLDS(condition)                                                           \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: doesn't hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)

namespace kparse::fuzz {

/// A connection's streams, cut into pieces in two ways: the same is found.
void frames(Bytes);
/// A connection's streams, to the events and everything that counts and prints them.
void dialogue(Bytes);
/// The same, to the rules of lint.
void lint(Bytes);
/// A body of a message: walked, as a tree, as JSON, encoded again.
void messages(Bytes);
/// Payloads in bytes fields, SASL tokens, what is in keys, values and headers.
void payloads(Bytes);
/// A record set, shipped formats and drafts.
void records(Bytes);
/// Compressed bytes, and bytes compressed and opened again.
void codecs(Bytes);
/// A capture file of any format.
void capture_file(Bytes);
/// Packets of any link type, to streams.
void packets(Bytes);
/// Segments of a few TCP connections, to streams.
void segments(Bytes);
/// JSON as a message's body, to bytes.
void encode(Bytes);
/// A script of `kparse craft`.
void craft(Bytes);
/// .kparse.toml, a baseline of lint, a register of headers.
void settings(Bytes);

struct Target {
  std::string_view name;
  void (*run)(Bytes);
};
[[nodiscard]] std::span<const Target> targets() noexcept;
/// nullptr: no such target.
[[nodiscard]] const Target* find_target(std::string_view name) noexcept;

}  // namespace kparse::fuzz
