// SPDX-License-Identifier: MIT
// Keys of tables: several values in one string, so that equal keys are equal bytes and all of them sort alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kparse/events.h"

namespace kparse::report {

/// Puts a key together in memory that is used again.
class KeyBuilder {
 public:
  KeyBuilder& clear() noexcept {
    key_.clear();
    return *this;
  }
  /// Integers so that keys sort as the numbers do.
  KeyBuilder& number(std::int64_t v) {
    const std::uint64_t u = static_cast<std::uint64_t>(v) ^ (std::uint64_t{1} << 63);
    for (int shift = 56; shift >= 0; shift -= 8) key_.push_back(static_cast<char>(u >> shift));
    return *this;
  }
  /// Ends itself: what follows is never taken for a part of it. Of any length.
  KeyBuilder& text(std::string_view v) {
    for (const char c : v) {
      key_.push_back(c);
      if (c == '\0') key_.push_back('\1');
    }
    key_.push_back('\0');
    key_.push_back('\0');
    return *this;
  }
  KeyBuilder& optional(bool null, std::string_view v) {
    key_.push_back(null ? '0' : '1');
    return text(v);
  }
  [[nodiscard]] std::string_view view() const noexcept { return key_; }

 private:
  std::string key_;
};

/// A topic as the wire named it. The id wins: whether its name is known already must not change which row it is.
struct TopicKey {
  std::string name;                  ///< "" by id
  std::optional<std::string> id;     ///< 16 bytes

  static TopicKey of(const TopicRef& t) {
    TopicKey key;
    if (t.id) {
      key.id.emplace(reinterpret_cast<const char*>(t.id), 16);
    } else {
      key.name = t.name;
    }
    return key;
  }
};

/// For KeyBuilder: the same as TopicKey, without making one.
inline void add_topic(KeyBuilder& key, const TopicRef& t) {
  if (t.id) {
    key.number(1).text({reinterpret_cast<const char*>(t.id), 16});
  } else {
    key.number(0).text(t.name);
  }
}

/// As Kafka prints ids: base64url without padding.
[[nodiscard]] std::string uuid_text(std::string_view sixteen_bytes);

}  // namespace kparse::report
