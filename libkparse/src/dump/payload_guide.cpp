// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>

#include "kparse/payload.h"

namespace kparse {

std::string_view name_of(PayloadKind k) noexcept {
  static constexpr std::array<std::string_view, 14> names{"",
                                                          "consumer-subscription",
                                                          "consumer-assignment",
                                                          "connect-metadata",
                                                          "connect-assignment",
                                                          "assignor-user-data-sticky",
                                                          "assignor-user-data-cooperative-sticky",
                                                          "streams-subscription-info",
                                                          "streams-assignment-info",
                                                          "principal",
                                                          "host-address",
                                                          "envelope-request-data",
                                                          "envelope-response",
                                                          "telemetry"};
  return names[static_cast<std::size_t>(k)];
}

PayloadGuide::PayloadGuide(const Message& m, const BodyContext& context) noexcept
    : context_(context),
      role_(role_of(m)),
      protocol_type_(context.protocol_type),
      protocol_name_(context.protocol_name),
      mechanism_(context.mechanism) {
  if (role_ == Role::snapshot) topic_ = "__cluster_metadata";
  if (role_ == Role::envelope_response) set_inner(context.inner_api_key, context.inner_version);
}

PayloadGuide::Role PayloadGuide::role_of(const Message& m) noexcept {
  const bool request = m.kind == Kind::request;
  if (request || m.kind == Kind::response) {
    if (m.api_key == 58) return request ? Role::envelope_request : Role::envelope_response;
    if (m.api_key == 59 && !request) return Role::snapshot;
    if (m.api_key == 72 && request) return Role::telemetry;
    return Role::none;
  }
  if (m.name == "ConsumerProtocolSubscription") return Role::consumer_subscription;
  if (m.name == "ConsumerProtocolAssignment") return Role::consumer_assignment;
  return Role::none;
}

void PayloadGuide::integer(const Field& f, std::int64_t v) noexcept {
  if (role_ == Role::telemetry && f.name == "compressionType") compression_ = v;
  if (role_ == Role::snapshot && f.name == "position") position_ = v;
}

void PayloadGuide::string(const Field& f, std::string_view v) noexcept {
  switch (f.mark) {
    case Mark::protocol_type:
      protocol_type_ = v;
      break;
    case Mark::protocol_name:
      protocol_name_ = v;
      break;
    case Mark::mechanism:
      mechanism_ = v;
      break;
    case Mark::topic:
      if (role_ != Role::snapshot) topic_ = v;
      break;
    default:
      break;
  }
}

void PayloadGuide::uuid(const Field& f, const std::uint8_t* id) noexcept {
  if (f.mark != Mark::topic_id || role_ == Role::snapshot) return;
  // The metadata topic's id is fixed (KIP-516).
  static constexpr std::uint8_t metadata[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  if (std::memcmp(id, metadata, sizeof metadata) == 0) {
    topic_ = "__cluster_metadata";
  } else {
    topic_ = context_.topic_name ? context_.topic_name(context_.topic_name_with, id) : std::string_view{};
  }
}

PayloadKind PayloadGuide::kind_of(const Field& f) const noexcept {
  using enum PayloadKind;
  if (f.mark == Mark::metadata || f.mark == Mark::assignment) {
    const bool assignment = f.mark == Mark::assignment;
    if (protocol_type_ == "connect") return assignment ? connect_assignment : connect_metadata;
    if (protocol_type_ == "consumer" || guessed()) return assignment ? consumer_assignment : consumer_subscription;
    return none;
  }
  switch (role_) {
    case Role::envelope_request:
      if (f.name == "requestData") return inner_request;
      if (f.name == "requestPrincipal") return principal;
      if (f.name == "clientHostAddress") return host_address;
      return none;
    case Role::envelope_response:
      return f.name == "responseData" ? inner_response : none;
    case Role::telemetry:
      return telemetry;
    case Role::consumer_subscription:  // userData
      if (protocol_name_ == "sticky") return sticky_user_data;
      if (protocol_name_ == "cooperative-sticky") return cooperative_user_data;
      return protocol_name_ == "stream" ? streams_subscription : none;
    case Role::consumer_assignment:
      return protocol_name_ == "stream" ? streams_assignment : none;
    case Role::snapshot:
    case Role::none:
      break;
  }
  return none;
}

}  // namespace kparse
