// SPDX-License-Identifier: MIT
// A conversation as a script tells it, its messages already bytes. README.md describes the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/endpoint.h"

namespace kparse::craft {

/// What goes wrong on the way, by chance: shares of the packets with data.
struct Trouble {
  double loss = 0;        ///< the capture lacks it; the other end got it
  double retransmit = 0;  ///< it is seen again 200 ms later
  double duplicate = 0;   ///< the same packet is captured twice
  double reorder = 0;     ///< it comes after the next one of its direction
};

/// Bytes that one side sends, in stream order.
struct Send {
  bool from_client = true;
  std::string data;
  std::uint64_t missing = 0;  ///< so many bytes that the capture lacks, instead of data
  std::optional<std::uint16_t> window;  ///< instead of data: this side's receive window from here on, and a packet that says so
};

struct Step {
  std::int64_t after_ns = 0;         ///< since what went before
  std::optional<std::int64_t> at_ns; ///< since the script's start, instead of that
  Send send;                         ///< nothing: a pause
  std::optional<std::string> answer; ///< of the server, as a frame
  std::int64_t took_ns = 0;          ///< from the last byte of `send` to the first of the answer
  bool pipelined = false;            ///< the next step doesn't wait for the answer
};

enum class Close : std::uint8_t { fin, reset, open };

struct Conversation {
  capture::Endpoint client, server;
  bool handshake = true;
  bool acks = true;  ///< packets without data that acknowledge
  Close close = Close::fin;
  bool server_closes = false;
  std::uint16_t mss = 1460;
  std::int64_t begin_ns = 0;  ///< since the script's start
  std::int64_t rtt_ns = 0;
  Trouble trouble;
  std::vector<Step> steps;
};

struct Script {
  std::int64_t start_ns = 0;  ///< since 1970
  std::uint64_t seed = 0;
  std::uint32_t snaplen = 0;              ///< 0: packets are whole
  std::vector<std::uint64_t> lose;        ///< numbers of packets that are left out, in order
  std::string comment;
  std::vector<Conversation> conversations;
};

/// Throws ScriptError.
[[nodiscard]] Script read_script(const std::string& text);

}  // namespace kparse::craft
