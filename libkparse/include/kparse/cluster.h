// SPDX-License-Identifier: MIT
// What all connections of a capture know together: which topic an id means, where a broker listens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "kparse/topic_ref.h"

namespace kparse {

class ClusterState;

/// Topic id to name and broker id to endpoint, learnt from any message that pairs the two (KIP-516). An id never changes
/// its name: the first pairing stays. A name may have several ids (a topic deleted and made again).
/// Not thread-safe. Views stay valid as long as the Cluster.
class Cluster {
 public:
  static constexpr std::size_t default_limit = 1u << 20;

  /// At most `limit` topic ids and as many brokers are kept; what comes later is counted as left out.
  explicit Cluster(std::size_t limit = default_limit);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// `id`: 16 bytes. "" when nothing has named it. O(1), allocates nothing.
  [[nodiscard]] std::string_view topic_name(const std::uint8_t* id) const noexcept;
  /// True when this pairing is new. The zero id and the empty name pair nothing.
  bool learn_topic(const std::uint8_t* id, std::string_view name) noexcept;

  struct Endpoint {
    std::string host;
    std::int32_t port = -1;
  };
  /// The newest endpoint of a broker, nullptr when none was named.
  [[nodiscard]] const Endpoint* broker(std::int32_t id) const noexcept;
  void learn_broker(std::int32_t id, std::string_view host, std::int32_t port) noexcept;

  // What follows is learnt only where an observer wants it (Wants::cluster).
  struct Leader {
    std::int32_t node = -1;    ///< -1: there is none
    std::int32_t epoch = -1;   ///< -1: not told
  };
  /// nullptr: nothing has told. Of the newest epoch; where epochs don't tell, what was told last.
  [[nodiscard]] const Leader* leader(const TopicRef&, std::int32_t partition) const noexcept;
  void learn_leader(const TopicRef&, std::int32_t partition, const Leader&) noexcept;
  struct Advertised {
    std::int16_t lowest = 0, highest = -1;
  };
  /// What the broker at `server` ("ip:port") said of an API, nullptr when it said nothing.
  [[nodiscard]] const Advertised* advertised(std::string_view server, std::int16_t api_key) const noexcept;
  void learn_advertised(std::string_view server, std::int16_t api_key, const Advertised&) noexcept;

  /// For interpreters: what several connections know together, of fetch sessions and producers.
  [[nodiscard]] ClusterState& state() noexcept { return *state_; }

  [[nodiscard]] std::size_t topics() const noexcept { return topics_.size(); }
  [[nodiscard]] std::size_t limit() const noexcept { return limit_; }
  /// Pairings that found the table full: not 0 means that some topics stay without their name.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  using Id = std::array<std::uint8_t, 16>;
  struct Hash {
    std::uint64_t seed;
    std::size_t operator()(const Id&) const noexcept;
  };

  std::size_t limit_;
  std::uint64_t left_out_ = 0;
  std::unordered_map<Id, std::string, Hash> topics_;
  std::unordered_map<std::int32_t, Endpoint> brokers_;
  std::unique_ptr<ClusterState> state_;
};

}  // namespace kparse
