// SPDX-License-Identifier: MIT
// Readers of the payloads that payload.h lists. Each writes one JSON value; what it wrote of a payload that breaks off
// stays, with what is missing left out.
#pragma once

#include <string_view>

#include "dump/shared.h"
#include "kparse/payload.h"
#include "kparse/reader.h"

namespace kparse {

/// Where a payload goes and how.
struct PayloadOut {
  JsonDump::Impl& shared;
  JsonWriter& json;
  bool siblings = false;  ///< NAME.decoded members inside it
  int depth = 0;          ///< of payloads in payloads
};

struct PayloadResult {
  bool any = false;        ///< something of it could be read; else what was written is to be taken back
  bool secret = false;     ///< something was redacted
  std::uint64_t rest = 0;  ///< bytes left over
  Error error{};
  [[nodiscard]] bool exact() const noexcept { return any && !error && rest == 0; }
};

inline constexpr int max_payload_depth = 4;

/// A message without header, by Kafka's schema. `extra`: bytes left over are fine.
PayloadResult message_payload(const PayloadOut&, const Message&, int version, Bytes,
                              std::string_view protocol_name = {}) noexcept;

/// What a field holds, by its guide.
PayloadResult guided_payload(const PayloadOut&, PayloadGuide&, const Field&, Bytes) noexcept;
[[nodiscard]] bool may_hide_secret(PayloadKind, const PayloadResult&, bool show_secrets) noexcept;

PayloadResult consumer_payload(const PayloadOut&, bool assignment, Bytes, std::string_view protocol_name) noexcept;
/// userData of a subscription.
PayloadResult sticky_user_data(const PayloadOut&, Bytes) noexcept;
PayloadResult cooperative_user_data(const PayloadOut&, Bytes) noexcept;
PayloadResult streams_subscription(const PayloadOut&, Bytes) noexcept;
PayloadResult streams_assignment(const PayloadOut&, Bytes) noexcept;
PayloadResult connect_metadata(const PayloadOut&, Bytes) noexcept;
PayloadResult connect_assignment(const PayloadOut&, Bytes) noexcept;

PayloadResult principal_payload(const PayloadOut&, Bytes) noexcept;
/// Header and body of the request inside an Envelope; `api_key` and `version` become known from it.
struct InnerRequest {
  int api_key = -1;
  int version = -1;
};
PayloadResult inner_request(const PayloadOut&, Bytes, InnerRequest&) noexcept;
PayloadResult inner_response(const PayloadOut&, Bytes, InnerRequest) noexcept;
PayloadResult envelope_request(const PayloadOut&, Bytes) noexcept;

/// `area`: of the schema; "" tries all, the first that fits exactly wins.
PayloadResult coordinator_key(const PayloadOut&, std::string_view area, Bytes) noexcept;
PayloadResult coordinator_value(const PayloadOut&, std::string_view area, int type, Bytes) noexcept;
PayloadResult framed_record(const PayloadOut&, std::string_view area, Bytes) noexcept;
PayloadResult control_value(const PayloadOut&, int control_type, Bytes) noexcept;

/// Of a record of an internal topic, by the topic.
PayloadResult internal_key(const PayloadOut&, std::string_view topic, Bytes key) noexcept;
PayloadResult internal_value(const PayloadOut&, std::string_view topic, Bytes key, Bytes value) noexcept;

PayloadResult telemetry_payload(const PayloadOut&, int compression_type, Bytes) noexcept;

}  // namespace kparse
