// SPDX-License-Identifier: MIT
// What a cipher suite means for records. Sources: RFC 5246, 5288, 5289, 7905, 8446.
#pragma once

#include <cstdint>

namespace kparse::tls {

enum class Hash : std::uint8_t { sha1, sha256, sha384 };

struct Suite {
  enum class Kind : std::uint8_t { gcm, chacha, cbc };
  std::uint16_t id = 0;
  bool tls13 = false;
  Kind kind = Kind::gcm;
  std::uint8_t key = 16;     ///< bytes
  Hash hash = Hash::sha256;  ///< of the key schedule, of the PRF
  Hash mac = Hash::sha256;   ///< CBC only
  bool rsa_key_exchange = false;
};

/// nullptr: none that can be opened.
[[nodiscard]] const Suite* find_suite(std::uint16_t id) noexcept;

constexpr std::uint8_t size_of(Hash h) noexcept { return h == Hash::sha1 ? 20 : h == Hash::sha256 ? 32 : 48; }

}  // namespace kparse::tls
