// SPDX-License-Identifier: MIT
// What TCP suffered, for `report --details`: sent again, full receivers, resets, refusals, connections that idled away.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kparse/events.h"

namespace kparse::details {

/// What one side of the connections to a broker did.
struct NetworkSide {
  std::uint64_t segments = 0, again = 0;        ///< with data; those of them that were sent before
  std::uint64_t full = 0;                       ///< times that it told a receive window of 0
  std::int64_t full_ns = 0, longest_full_ns = 0;  ///< until it told another
  std::uint64_t resets = 0;                     ///< connections that it reset while they were open
  std::uint64_t idle_ends = 0;                  ///< connections that it ended after `idle` without a word
  std::int64_t shortest_idle_ns = 0, longest_idle_ns = 0;
};

/// Of the connections to one address.
struct NetworkRow {
  NetworkSide client, server;
  std::uint64_t refused = 0;      ///< a SYN that was answered by RST
  std::uint64_t unheard = 0;      ///< a SYN that nothing answered
  std::uint64_t vanished = 0;     ///< after `idle` a request was sent again and again, or answered by RST
  std::uint64_t connections = 0;
  bool kafka = false;             ///< one of them speaks it

  [[nodiscard]] bool quiet() const noexcept {
    return client.again + server.again + client.full + server.full + client.resets + server.resets + client.idle_ends +
               server.idle_ends + refused + unheard + vanished == 0;
  }
};

class NetworkObserver final : public Observer {
 public:
  static constexpr std::size_t max_rows = 10'000;
  /// Silence that is worth a word: middleboxes forget a connection after a minute at the soonest.
  static constexpr std::int64_t idle = 60'000'000'000;

  /// By the broker's address; quiet ones are left out, and those at whose port nobody speaks Kafka.
  using Rows = std::map<std::string, NetworkRow, std::less<>>;
  [[nodiscard]] Rows finish();
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

  Wants wants() const noexcept override { return Wants::segments; }
  void on_conversation(const ConversationInfo&) override;
  void on_segment(const ConversationInfo&, const SegmentSeen&) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  /// What most connections never see.
  struct Rare {
    std::int64_t full_since = -1;
    std::uint64_t full = 0;
    std::int64_t full_ns = 0, longest_full_ns = 0;
    std::int64_t ended_after_ns = -1;  ///< idle before its FIN or RST
  };
  struct Flow {
    std::uint64_t segments = 0, again = 0;
  };
  static constexpr std::uint64_t no_conversation = ~std::uint64_t{0};
  /// A cache line: with many connections each segment of a capture fetches one from memory.
  struct State {
    std::array<Flow, 2> flows;              ///< by direction
    std::int64_t last_ns = -1;              ///< of the last segment with data, a SYN or FIN
    std::unique_ptr<std::array<Rare, 2>> rare;
    std::uint8_t syn = 0, reset = 0, heard = 0;  ///< a bit for each direction; heard: of anything
    std::int8_t syn_from = -1;
    std::int8_t woken_by = -1;              ///< after silence this direction sent data, and has heard nothing since
    std::uint8_t woken_again = 0;           ///< times that it sent it again; 2: or more
    bool refused : 1 = false, vanished : 1 = false, ended : 1 = false, kafka : 1 = false;
    std::uint64_t number = no_conversation;  ///< whose this is

    Rare& rare_of(int direction);
  };
  static_assert(sizeof(State) <= 64);
  State& state_of(const ConversationInfo&);

  std::vector<State> states_;  ///< by ConversationInfo::slot
  std::set<std::string, std::less<>> kafka_ports_;
  Rows rows_;
  std::uint64_t left_out_ = 0;
};

}  // namespace kparse::details
