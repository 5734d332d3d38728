// SPDX-License-Identifier: MIT
// Payloads that other software puts into bytes fields and internal topics, as JSON.
//
// Kinds, for JsonDump::payload and as the NAME.decoded members of bodies:
//   consumer-subscription, consumer-assignment            int16 version, then Kafka's ConsumerProtocol* (KIP-429, 792)
//   assignor-user-data-sticky, -cooperative-sticky        userData of Kafka's own assignors
//   streams-subscription-info, streams-assignment-info    userData of Kafka Streams' assignor "stream"
//   connect-metadata, connect-assignment                  protocol type "connect" (KIP-415)
//   principal                                             int16 version, then DefaultPrincipalData (KIP-590)
//   envelope-request, envelope-response                   body of an Envelope request; response data of its answer
//   coordinator-key, coordinator-value                    __consumer_offsets, __transaction_state, __share_group_state
//   cluster-metadata-value, remote-log-metadata-value     framed records of KIP-631 and KIP-405
//   control-value                                         of control records; `api_key` is the control type
//   telemetry                                             OTLP MetricsData (KIP-714), `version` is the compression type
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/json.h"

namespace kparse {

[[nodiscard]] std::span<const std::string_view> payload_kinds() noexcept;

/// Is this the name of a topic whose records decode_internal_* can read?
[[nodiscard]] bool is_internal_topic(std::string_view topic) noexcept;

/// What a bytes field may hold. Named as above, where it is in that list; inner_request and inner_response are the
/// data of an Envelope and of its answer, host_address is its clientHostAddress.
enum class PayloadKind : std::uint8_t {
  none,
  consumer_subscription,
  consumer_assignment,
  connect_metadata,
  connect_assignment,
  sticky_user_data,
  cooperative_user_data,
  streams_subscription,
  streams_assignment,
  principal,
  host_address,
  inner_request,
  inner_response,
  telemetry,
};
[[nodiscard]] std::string_view name_of(PayloadKind) noexcept;

/// Follows a body, field by field in their order, and says what its bytes and records fields hold. Trivially copyable;
/// keeps views of the texts it is told.
class PayloadGuide {
 public:
  /// What `context` points to must outlive the guide.
  PayloadGuide(const Message&, const BodyContext& context) noexcept;

  void integer(const Field&, std::int64_t) noexcept;
  void string(const Field&, std::string_view) noexcept;
  void uuid(const Field&, const std::uint8_t* id) noexcept;

  [[nodiscard]] PayloadKind kind_of(const Field&) const noexcept;
  /// The group's protocol type isn't known: what is in a consumer_* field counts only if it fits to the last byte.
  [[nodiscard]] bool guessed() const noexcept { return protocol_type_.empty(); }
  [[nodiscard]] std::string_view protocol_type() const noexcept { return protocol_type_; }
  [[nodiscard]] std::string_view protocol_name() const noexcept { return protocol_name_; }
  [[nodiscard]] std::string_view mechanism() const noexcept { return mechanism_; }
  /// Of the records that follow; "" unknown.
  [[nodiscard]] std::string_view topic() const noexcept { return topic_; }
  /// Records fields begin with a batch. A slice of a snapshot that doesn't begin with the file may begin inside one.
  [[nodiscard]] bool whole_records() const noexcept { return role_ != Role::snapshot || position_ == 0; }
  [[nodiscard]] int compression() const noexcept { return static_cast<int>(compression_); }
  /// Of the request inside an Envelope; -1 unknown.
  [[nodiscard]] int inner_api_key() const noexcept { return inner_api_key_; }
  [[nodiscard]] int inner_version() const noexcept { return inner_version_; }
  void set_inner(int api_key, int version) noexcept {
    inner_api_key_ = api_key;
    inner_version_ = version;
  }
  [[nodiscard]] bool is_envelope_request() const noexcept { return role_ == Role::envelope_request; }

 private:
  enum class Role : std::uint8_t {
    none,
    envelope_request,
    envelope_response,
    telemetry,
    consumer_subscription,
    consumer_assignment,
    snapshot
  };
  static Role role_of(const Message&) noexcept;

  BodyContext context_;
  Role role_;
  std::string_view protocol_type_, protocol_name_, mechanism_, topic_;
  std::int64_t compression_ = 0, position_ = 0;
  int inner_api_key_ = -1, inner_version_ = -1;
};

struct PayloadDecoded {
  bool done = false;    ///< a JSON value was written
  bool secret = false;  ///< it holds a secret, or can't be read and may hold one: its raw bytes are not to be shown
  Error error{};        ///< where reading stopped
};
/// The value of NAME.decoded for a bytes field that isn't a secret itself. Learns the inner request of an Envelope.
PayloadDecoded decode_payload(JsonDump&, JsonWriter&, PayloadGuide&, const Field&, Bytes) noexcept;

/// Config values with such names are redacted whatever the broker says of them.
[[nodiscard]] bool sensitive_config(std::string_view name) noexcept;

struct InternalDecoded {
  bool done = false;    ///< a JSON value was written: {"message","apiKey","messageVersion","json"}
  bool secret = false;  ///< something in it was redacted: the raw bytes hold a secret
};

/// Key or value of a record of an internal topic. Null keys and values, other topics and what can't be read give
/// nothing.
InternalDecoded decode_internal_key(JsonDump&, JsonWriter&, std::string_view topic, Bytes key) noexcept;
/// `key`: of the same record; it tells a coordinator value's type.
InternalDecoded decode_internal_value(JsonDump&, JsonWriter&, std::string_view topic, Bytes key, Bytes value) noexcept;

/// Who authenticates, from the client's first token: PLAIN (RFC 4616), SCRAM-* (RFC 5802), OAUTHBEARER (RFC 7628: the
/// authorization identity, else the JWT's "sub"). "" where the token doesn't tell: GSSAPI, delegation tokens, other
/// mechanisms, later tokens.
[[nodiscard]] std::string sasl_user(std::string_view mechanism, Bytes token);

/// What a token says, secrets redacted unless `show`. False: nothing is known of it (nothing written).
bool write_sasl_token(JsonWriter&, std::string_view mechanism, Bytes token, bool from_client,
                      bool show_secrets) noexcept;

}  // namespace kparse
