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
