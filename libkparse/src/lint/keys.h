// SPDX-License-Identifier: MIT
// Keys of rules' tables.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "kparse/topic_ref.h"
#include "lint/connection.h"

namespace kparse::lint {

/// Without its names: two topics that fall together by chance are one in 2^64.
struct PartitionKey {
  std::uint64_t topic = 0;
  std::int32_t partition = -1;
  friend bool operator==(const PartitionKey&, const PartitionKey&) = default;
};

/// By its id where there is one.
[[nodiscard]] inline std::uint64_t topic_key(const TopicRef& t) noexcept {
  const std::string_view bytes = t.id ? std::string_view(reinterpret_cast<const char*>(t.id), 16) : t.name;
  return std::hash<std::string_view>{}(bytes);
}
[[nodiscard]] inline PartitionKey partition_key(const TopicRef& t, std::int32_t partition) noexcept {
  return {topic_key(t), partition};
}

/// Where messages that name topics differently are to meet, and a topic that was made anew is still the same.
[[nodiscard]] inline PartitionKey named_key(const TopicRef& t, std::int32_t partition) noexcept {
  return t.name.empty() ? partition_key(t, partition) : partition_key({t.name, nullptr}, partition);
}

[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept {
  return (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdu;
}

struct KeyHash {
  std::size_t operator()(const PartitionKey& k) const noexcept {
    return mixed(k.topic, static_cast<std::uint32_t>(k.partition));
  }
};

/// Address without its port, and client id. Several clients may share both.
[[nodiscard]] inline std::string client_key(const Conn& c) {
  std::string key(c.client_host());
  key += '\0';
  return key += c.client_id;
}

/// Keys of several texts.
[[nodiscard]] inline std::string joined(std::initializer_list<std::string_view> parts) {
  std::string key;
  for (const std::string_view p : parts) {
    key += p;
    key += '\0';
  }
  return key;
}

[[nodiscard]] inline double seconds_between(const Stamp& from, const Stamp& to) noexcept {
  return static_cast<double>(to.time_ns - from.time_ns) / 1e9;
}

}  // namespace kparse::lint
