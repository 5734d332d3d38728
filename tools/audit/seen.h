// SPDX-License-Identifier: MIT
// Who called what in which version: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kparse/schema.h"
#include "kparse/stamp.h"

namespace kparse::audit {

/// Calls of one API in one version.
struct Call {
  std::int16_t api_key = -1, version = -1;
  std::uint64_t count = 0;
  Stamp first, last;
  /// In all of them the broker had told that it takes no later version: the client may well speak one.
  bool brokers_limit = true;
};
using Calls = std::map<std::pair<std::int16_t, std::int16_t>, Call>;   ///< by API key and version

/// What is told apart: one row each.
struct Identity {
  bool inter_broker = false;
  std::string client_id;
  bool client_id_null = false;
  std::string software, software_version;   ///< KIP-511; "" never told
  std::string principal;                    ///< SASL user; "" none seen
  auto operator<=>(const Identity&) const = default;
};

struct Client {
  Identity who;
  std::set<std::string> hosts;
  bool negotiates = false;   ///< it asks for the broker's versions
  Calls calls;
};

/// What the capture doesn't tell.
struct Unseen {
  std::uint64_t tls = 0;              ///< conversations: nothing is known of what is inside
  std::uint64_t answers_only = 0;     ///< conversations: requests weren't captured
  std::uint64_t requests_only = 0;
  std::uint64_t begun_before = 0;     ///< conversations without their start: ApiVersions and SASL may be missing
  std::uint64_t lost_bytes = 0;
  std::uint64_t other_requests = 0;   ///< without a whole header
  std::uint64_t clients_left_out = 0, calls_left_out = 0;   ///< tables were full
};

struct Seen {
  std::vector<Client> clients;   ///< by identity; hosts as far as they fit
  Unseen unseen;
};

}  // namespace kparse::audit
