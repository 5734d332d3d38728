// SPDX-License-Identifier: MIT
// What an upgrade to Kafka 4 breaks (KIP-896): which versions it serves no more, which ones brokers only call deprecated.
// Derived from releases.h; what no table of versions tells stands here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kparse/releases.h"

namespace kparse {

/// Indexes into releases(): the last one that served everything, and Kafka 4 as this program means it (4.1).
[[nodiscard]] inline std::size_t release_before_kafka4() noexcept {
  static const std::size_t n = find_release("3.9").value_or(0);
  return n;
}
[[nodiscard]] inline std::size_t release_kafka4() noexcept {
  static const std::size_t n = find_release("4.1").value_or(0);
  return n;
}

/// An API that went with ZooKeeper: LeaderAndIsr, StopReplica, UpdateMetadata, ControlledShutdown.
[[nodiscard]] inline bool gone_in_kafka4(const Api& api) noexcept {
  return !support(api, release_before_kafka4()).stable.empty() && support(api, release_kafka4()).stable.empty();
}

/// Versions that 3.9 serves and Kafka 4 refuses: it closes the connection without an answer. Mostly empty. Produce 0 to
/// 2 are among them though 4.x advertises them (KAFKA-18659). Versions that never were stable don't count.
[[nodiscard]] inline Versions refused_by_kafka4(const Api& api) noexcept {
  const Versions before = support(api, release_before_kafka4()).stable;
  const Versions now = support(api, release_kafka4()).stable;
  if (before.empty()) return {};
  if (now.empty()) return before;
  return {before.lo, static_cast<std::int16_t>(now.lo - 1)};
}

/// The lowest version of an API that Kafka 4 serves; 0 where it dropped none, also for an API that is gone.
[[nodiscard]] inline std::int16_t kafka4_floor(const Api& api) noexcept {
  const Versions refused = refused_by_kafka4(api);
  return refused.empty() || gone_in_kafka4(api) ? std::int16_t{0} : static_cast<std::int16_t>(refused.hi + 1);
}

[[nodiscard]] inline bool below_kafka4(const Api& api, int version) noexcept {
  return version >= 0 && version < kafka4_floor(api);
}

/// 4.x lists these in its ApiVersions answers and doesn't serve them: so that librdkafka keeps its compression on.
[[nodiscard]] constexpr bool advertised_but_refused(int api_key, int version) noexcept {
  return api_key == 0 && version >= 0 && version < 3;
}

namespace upgrade_detail {
struct Kept {
  std::int16_t key, lo, hi;
};
/// On the deprecated list of 3.7 to 3.9, and served by Kafka 4 all the same.
inline constexpr Kept kept[] = {
    {0, 3, 6},    // Produce
    {3, 0, 3},    // Metadata: kafka-python asks so
    {10, 0, 0},   // FindCoordinator
    {11, 0, 1},   // JoinGroup
    {17, 0, 0},   // SaslHandshake
    {42, 0, 0},   // DeleteGroups
};
/// Dropped without ever having been on that list: only brokers send them.
inline constexpr std::int16_t unlisted[] = {27, 56};   // WriteTxnMarkers, AlterPartition
}  // namespace upgrade_detail

/// Deprecated for 3.7 to 3.9, but still served by Kafka 4: no hurry.
[[nodiscard]] constexpr Versions deprecated_but_kept(int api_key) noexcept {
  for (const upgrade_detail::Kept& k : upgrade_detail::kept)
    if (k.key == api_key) return {k.lo, k.hi};
  return {};
}

/// Brokers 3.7 to 3.9 count it in DeprecatedRequestsPerSec. Source: deprecatedVersions in their message files.
[[nodiscard]] inline bool deprecated_before_kafka4(const Api& api, int version) noexcept {
  for (const std::int16_t key : upgrade_detail::unlisted)
    if (key == api.key) return false;
  return deprecated_but_kept(api.key).has(version) || below_kafka4(api, version);
}

}  // namespace kparse
