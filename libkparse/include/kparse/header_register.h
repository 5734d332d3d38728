// SPDX-License-Identifier: MIT
// The register that KIP-82's drafts wanted for their integer header keys, and a user's own: names for keys, and kinds
// for the names of shipped headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "kparse/carriers.h"

namespace kparse {

/// The drafts had two ways to divide the keys.
enum class KeyScheme : std::uint8_t {
  signs,    ///< to version 29: 0 to 255 open, negative ones in-house
  classes,  ///< since: hexadecimal, bits 20-23 the class, bits 16-19 who uses it
};
[[nodiscard]] std::string_view name_of(KeyScheme) noexcept;

struct KeyRange {
  KeyScheme scheme;
  std::int64_t first, last;  ///< classes: as unsigned numbers of 32 bits
  std::string_view what;
};
[[nodiscard]] std::span<const KeyRange> key_ranges() noexcept;
/// What a key is by its range. Never empty.
[[nodiscard]] std::string_view range_of(std::int32_t key, KeyScheme) noexcept;

struct RegisteredKey {
  std::int32_t key = 0;
  std::string_view name{};
  std::string_view by{};  ///< whose it is, as the draft's sample has it
  std::string_view about{};
  bool in_signs = false, in_classes = false;  ///< schemes whose sample has it so; both false: a user's
};
/// The sample entries of the drafts.
[[nodiscard]] std::span<const RegisteredKey> sample_keys() noexcept;

/// The sample and what a user's file adds. Text, a line an entry, parts separated by blanks, # begins a comment:
///
///     key     4711        acme.tenant   whom the message belongs to
///     key     0x00110010  app.name
///     header  x-acme-*    acme          our gateway's
///
/// `key`: an integer key (decimal, negative or hexadecimal) and its name. `header`: a name of shipped headers, or how
/// such names begin, and the kind that reports then give. What follows is free text. A key of the sample may be given
/// anew. Can be read from several threads once parsed. O(entries) to look up.
class HeaderRegister {
 public:
  struct Header {
    std::string_view pattern;  ///< a trailing * stands for anything
    std::string_view kind, about;
  };
  struct Problem {
    std::size_t line = 0;    ///< from 1; 0: none
    std::string_view what;   ///< "no integer: " and the like
    std::string_view where;  ///< the word that is wrong; a view into the text given
    explicit operator bool() const noexcept { return line > 0; }
  };

  /// Takes what stands in `text` (which may go then) in place of what was taken before. With a problem nothing of it
  /// counts.
  [[nodiscard]] Problem parse(std::string_view text) noexcept;

  /// "" if it has none.
  [[nodiscard]] std::string_view name_of(std::int32_t key) const noexcept;
  /// Of a draft's header as read_records gives it: its name is the digits of the key.
  [[nodiscard]] std::string_view name_of(std::string_view digits) const noexcept;
  /// What a header's name says: the user's kind, or that of header_conventions(). "" if nothing.
  [[nodiscard]] std::string_view kind_of(std::string_view name) const noexcept;

  [[nodiscard]] std::span<const RegisteredKey> keys() const noexcept { return {keys_.get(), key_count_}; }
  [[nodiscard]] std::span<const Header> headers() const noexcept { return {headers_.get(), header_count_}; }

 private:
  std::unique_ptr<char[]> text_;
  std::unique_ptr<RegisteredKey[]> keys_;  ///< by key
  std::unique_ptr<Header[]> headers_;
  std::size_t key_count_ = 0, header_count_ = 0;
};

}  // namespace kparse
