// SPDX-License-Identifier: MIT
// Events to what clients call.
#pragma once

#include <map>
#include <string>

#include "audit/seen.h"
#include "kparse/cluster.h"
#include "kparse/events.h"

namespace kparse::audit {

class AuditObserver final : public Observer {
 public:
  static constexpr std::size_t max_clients = 20'000, max_hosts = 1024, max_ids_of_a_connection = 64, max_calls = 4096;

  /// `cluster`: of the same run; it knows what brokers advertise.
  explicit AuditObserver(const Cluster& cluster) : cluster_(cluster) {}

  /// After the last event.
  [[nodiscard]] Seen finish();

  Wants wants() const noexcept override { return Wants::cluster | Wants::fetches; }
  void begin_request(const ConversationInfo&, const Request&) override;
  void begin_response(const ConversationInfo&, const Response&) override;
  void on_client_software(const ClientSoftwareSeen&) override;
  void on_principal(const PrincipalSeen&) override;
  void on_fetch_asked(const FetchAsked&) override;
  void on_gap(const ConversationInfo&, const Gap&) override;
  void on_sasl(const ConversationInfo&, const SaslToken&) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  /// A client id on one connection.
  struct Speaker {
    std::string software, software_version;
    Calls calls;
    bool asked_versions = false;
  };
  struct Open {
    std::map<std::pair<bool, std::string>, Speaker> speakers;   ///< by client id (null first)
    std::string principal;
    bool inter_broker = false, requests = false, responses = false;
    bool from_start = false;   ///< its first frame begins the stream
  };

  Speaker* speaker(Open&, const Request&);
  void merge(const ConversationInfo&, Open&);

  const Cluster& cluster_;
  std::map<std::uint64_t, Open> open_;
  std::map<std::pair<Identity, std::string>, Client> clients_;   ///< by host too: software may be told later
  Unseen unseen_;
  Open* at_ = nullptr;
  Speaker* says_ = nullptr;
};

/// Only brokers send it to each other.
[[nodiscard]] bool between_brokers(std::int16_t api_key) noexcept;

}  // namespace kparse::audit
