// SPDX-License-Identifier: MIT
// Typed events: what a connection's requests and responses mean. Reports and lint rules see these, never bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "kparse/cluster_events.h"
#include "kparse/connection.h"
#include "kparse/fetch_events.h"
#include "kparse/group_events.h"
#include "kparse/offset_events.h"
#include "kparse/record_listener.h"
#include "kparse/records.h"
#include "kparse/share_events.h"
#include "kparse/tls_info.h"
#include "kparse/topic_ref.h"
#include "kparse/transaction_events.h"
#include "kparse/transport_events.h"

namespace kparse {

/// A TCP connection as reports name it. Lives as long as the connection and its last event.
struct ConversationInfo {
  std::uint64_t number = 0;           ///< in order of first packet, all TCP connections counting
  std::string_view client, server;    ///< "ip:port", "[ipv6]:port"
  std::string_view proxied;           ///< the client that a PROXY header names, "" none
  bool role_guessed = false;
  int client_direction = -1;          ///< which direction comes from the client; -1: not settled yet
  const TlsInfo* tls = nullptr;       ///< what is known of the TLS around it; nullptr: plain. Grows while it lasts
  std::uint32_t slot = 0;             ///< a small number that no other open connection has: a place in a table
};

/// A non-zero error code field of a response.
struct ErrorSeen {
  std::int16_t code;
  NodeId node;
  TopicRef topic;                     ///< nearest around the field
  std::int32_t partition = -1;        ///< -1: none around it
  std::string_view group;             ///< of the response, or of its request
};

enum class Via : std::uint8_t { produce, fetch, share_fetch, snapshot };
[[nodiscard]] std::string_view name_of(Via) noexcept;

/// A records field, not yet opened: read it with read_records.
/// FetchSnapshot carries slices of a file that may be cut anywhere (KIP-630): here they come joined, as whole batches.
struct RecordsSeen {
  Via via;
  TopicRef topic;
  std::int32_t partition;
  Bytes records;                      ///< data() == nullptr: null
  std::uint64_t position = 0;         ///< FetchSnapshot: of `records` in the snapshot file
  std::uint64_t unread = 0;           ///< FetchSnapshot: bytes of this slice that can't be read, since what goes before wasn't seen
  /// Who opens the records may hand its batches on to it, with end_records() last: then nobody reads them again for that.
  /// record() is for those of control batches.
  RecordListener* also = nullptr;
};

/// Answer to one partition of a Produce request.
struct ProduceAnswered {
  std::uint64_t request_serial;
  TopicRef topic;
  std::int32_t partition;
  std::int16_t error;
  std::int64_t base_offset;           ///< -1: none
  std::int64_t log_append_time;       ///< ms; -1: CreateTime
};

/// A topic or topic-partition that a request or response names (in any role).
struct PartitionSeen {
  TopicRef topic;
  std::int32_t partition;             ///< -1: the topic only
};

struct TopicIdSeen {
  std::string_view name;
  const std::uint8_t* id;
};

struct GroupSeen {
  std::string_view group;
  std::string_view member;            ///< "" none
};

struct BrokerSeen {
  std::int32_t id;
  std::string_view host;
  std::int32_t port;
};

struct ClientSoftwareSeen {
  std::string_view name, version;
};

/// Who authenticates: of the client's first SASL token. After a raw token (SaslHandshake v0) it comes with the next request.
struct PrincipalSeen {
  std::string_view mechanism, user;   ///< user "" where the wire doesn't tell (GSSAPI, delegation tokens)
};

/// A table of bounded size was full. What it left out is missing from the events.
struct LimitReached {
  std::string_view table;
  std::uint64_t limit;
  std::uint64_t left_out;
};

/// Everything between begin_* and end_* belongs to that frame. All views live until the call returns.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_conversation(const ConversationInfo&) {}      ///< it speaks Kafka: before its first event
  virtual void begin_request(const ConversationInfo&, const Request&) {}
  virtual void end_request(const ConversationInfo&, const Request&, const Error& /*decode error*/) {}
  virtual void begin_response(const ConversationInfo&, const Response&) {}
  virtual void end_response(const ConversationInfo&, const Response&, const Error&) {}
  virtual void on_error(const ErrorSeen&) {}
  virtual void on_acks(std::int16_t) {}                         ///< in a Produce request, before its records
  virtual void on_transactional_id(std::string_view) {}
  virtual void on_records(const RecordsSeen&) {}
  virtual void on_produce_answered(const ProduceAnswered&) {}
  virtual void on_partition(const PartitionSeen&) {}
  virtual void on_topic_id(const TopicIdSeen&) {}
  virtual void on_group(const GroupSeen&) {}
  virtual void on_broker(const BrokerSeen&) {}
  virtual void on_client_software(const ClientSoftwareSeen&) {}
  virtual void on_principal(const PrincipalSeen&) {}
  virtual void on_long_poll(std::int32_t /*max_wait_ms*/, bool /*data came*/) {}  ///< in a Fetch-like response
  virtual void on_throttle(std::int32_t /*ms*/) {}
  virtual void on_unanswered(const ConversationInfo&, std::uint64_t /*serial*/) {}
  virtual void on_sasl(const ConversationInfo&, const SaslToken&) {}
  virtual void on_gap(const ConversationInfo&, const Gap&) {}
  virtual void on_resync(const ConversationInfo&, Side, std::uint64_t /*skipped*/) {}
  virtual void on_other(const ConversationInfo&, Side, std::string_view /*what*/, Stamp) {}
  virtual void on_not_a_frame(const ConversationInfo&, const NotAFrame&) {}   ///< also before on_conversation
  virtual void on_limit(const LimitReached&) {}
  virtual void on_close(const ConversationInfo&, Stamp) {}      ///< of every TCP connection, Kafka or not

  /// Which of the events below come too. Asked once, before the first event.
  [[nodiscard]] virtual Wants wants() const noexcept { return Wants::basics; }
  // They come just before the end_* of their frame. Of a request without an answer, OffsetCommit and ShareAcknowledged
  // come (unanswered) right after its on_unanswered.
  virtual void on_group_call(const GroupCall&) {}                          ///< in a request
  virtual void on_group_answer(const GroupCall& /*asked*/, const GroupAnswer&) {}
  virtual void on_offset_commit(const OffsetCommit&) {}
  virtual void on_offset_fetched(const OffsetFetched&) {}
  virtual void on_offset_listed(const OffsetListed&) {}
  virtual void on_fetch_asked(const FetchAsked&) {}
  virtual void on_fetch_answered(const FetchAnswered&) {}                  ///< before its partitions
  virtual void on_partition_fetched(const PartitionFetched&) {}
  virtual void on_share_acquired(const ShareAcquired&) {}
  virtual void on_share_acknowledged(const ShareAcknowledged&) {}
  virtual void on_txn_call(const TxnCall&) {}
  virtual void on_txn_answer(const TxnCall& /*asked*/, const TxnAnswer&) {}
  virtual void on_batch(const BatchSeen&) {}                               ///< right after on_records of its field
  virtual void on_leader(const LeaderTold&) {}
  virtual void on_coordinator(const CoordinatorTold&) {}
  virtual void on_versions(const VersionsTold&) {}
  /// Of every TCP connection, Kafka or not; also before on_conversation, when client and server aren't told apart yet.
  virtual void on_segment(const ConversationInfo&, const SegmentSeen&) {}
};

}  // namespace kparse
