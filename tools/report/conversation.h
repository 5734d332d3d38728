// SPDX-License-Identifier: MIT
// What the report keeps of a conversation while it lasts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "kparse/events.h"
#include "report/clients.h"

namespace kparse::report {

/// Memory: the client ids it uses, nearly always one; at most `max_clients` at a time.
class ConversationState {
 public:
  static constexpr std::size_t max_clients = 1024;
  /// Where the client id changed from one request to the next, so that an answer finds the client of its request.
  static constexpr std::size_t max_changes = 1024;

  explicit ConversationState(const ConversationInfo& info)
      : server(info.server), host(host_of(info.client)), role_guessed(info.role_guessed) {}

  struct Client {
    ClientName name;
    std::string software, software_version;
    Calls calls;
    std::uint32_t last_api = 0xffffffff;      ///< short cut: calls of the same kind come one after the other
    std::uint64_t last_times = 0;
    void called(std::uint32_t api) {
      if (api != last_api) settle(api);
      ++last_times;
    }
    void settle(std::uint32_t next) {
      if (last_times > 0) calls.add(last_api, last_times);
      last_api = next;
      last_times = 0;
    }
  };

  /// The client of this request. `table`: where clients go when there are too many of them.
  Client& request(const Request&, ClientTable& table, KeyBuilder&);
  /// The client of the request with this serial, nullptr when nothing is known of it.
  [[nodiscard]] const Client* client_of(std::uint64_t serial) const noexcept;
  /// The client says what it is. Was it something else before, then that goes to the table first.
  void software(Client&, const ClientSoftwareSeen&, ClientTable&, KeyBuilder&);
  /// All clients go to the table.
  void close(std::string_view proxied, ClientTable&, KeyBuilder&);
  /// True the first time that this client meets this row (by its uid) of a table.
  [[nodiscard]] bool first_meeting(std::uint64_t uid, bool way, const Client* client) {
    const std::pair<std::uint64_t, const Client*> pair{uid << 1 | (way ? 1 : 0), client};
    if (pair == last_met_) return false;
    last_met_ = pair;
    return met_.insert(pair).second;
  }

  std::string server;
  std::string host;                           ///< of the client
  bool role_guessed;
  bool authenticated = false, refused = false;
  std::string mechanism, principal;
  std::uint64_t requests = 0, responses = 0, tokens = 0;
  std::uint64_t from_client = 0, from_server = 0;      ///< frames and tokens
  std::uint64_t request_bytes = 0, response_bytes = 0;
  std::uint64_t lost_bytes = 0, cut_bytes = 0, gaps = 0, resyncs = 0;

 private:
  void give(Client&, std::string_view proxied, ClientTable&, KeyBuilder&);
  void forget();

  std::deque<Client> clients_;                ///< addresses stay
  Client* current_ = nullptr;
  std::deque<std::pair<std::uint64_t, const Client*>> changes_;  ///< first serial, from there on this client
  absl::flat_hash_set<std::pair<std::uint64_t, const Client*>> met_;
  std::pair<std::uint64_t, const Client*> last_met_;
};

}  // namespace kparse::report
