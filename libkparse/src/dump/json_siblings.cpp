// SPDX-License-Identifier: MIT
// NAME.decoded: which payload a bytes field holds.
#include <cstring>

#include "dump/json_sink.h"

namespace kparse {
namespace {

/// Printed as in a URL without brackets; "" when it is neither IPv4 nor IPv6.
std::string_view address_text(Bytes b, char (&text)[48]) noexcept {
  std::size_t used = 0;
  const auto put = [&](std::uint32_t v, std::uint32_t base) {
    char digits[8];
    std::size_t n = 0;
    do {
      digits[n++] = "0123456789abcdef"[v % base];
    } while ((v /= base) > 0);
    while (n > 0) text[used++] = digits[--n];
  };
  if (b.size() == 4) {
    for (std::size_t n = 0; n < 4; ++n) {
      if (n > 0) text[used++] = '.';
      put(b[n], 10);
    }
  } else if (b.size() == 16) {
    for (std::size_t n = 0; n < 16; n += 2) {
      if (n > 0) text[used++] = ':';
      put(std::uint32_t{b[n]} << 8 | b[n + 1], 16);
    }
  }
  return {text, used};
}

}  // namespace

JsonSink::Role JsonSink::role_of(const Message& m) noexcept {
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

void JsonSink::track(const Field& f, std::string_view v) noexcept {
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
      topic_ = v;
      break;
    default:
      break;
  }
}

std::string_view JsonSink::topic_of(Bytes id) const noexcept {
  // The metadata topic's id is fixed (KIP-516).
  static constexpr std::uint8_t metadata[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  if (std::memcmp(id.data(), metadata, sizeof metadata) == 0) return "__cluster_metadata";
  const BodyContext& c = setup_.context;
  return c.topic_name ? c.topic_name(c.topic_name_with, id.data()) : std::string_view{};
}

/// The request or response inside an Envelope.
bool JsonSink::holds_message(const Field& f) const noexcept {
  return (role_ == Role::envelope_request && f.name == "requestData") ||
         (role_ == Role::envelope_response && f.name == "responseData");
}

void JsonSink::sibling(const Field& f, Bytes v, std::size_t from, std::size_t to) noexcept {
  const std::size_t before = out_.size();
  out_.key(f.name, ".decoded");
  PayloadResult result;
  if (to_.depth < max_payload_depth) result = decode({shared_, out_, to_.siblings, to_.depth + 1}, f, v);
  if (!result.any || !to_.siblings) out_.truncate(before);
  // What holds a secret is one; and so is a message that can't be read, for it may hold one.
  const bool unread = holds_message(f) && (!result.any || result.error) && !shared_.options.show_secrets;
  if (result.secret || unread) {
    secret_ = true;
    (void)out_.replace(from, to, redacted);
  }
}

PayloadResult JsonSink::decode(const PayloadOut& out, const Field& f, Bytes v) noexcept {
  if (f.mark == Mark::metadata) return group_payload(out, false, v);
  if (f.mark == Mark::assignment) return group_payload(out, true, v);
  switch (role_) {
    case Role::envelope_request:
      if (f.name == "requestData") return inner_request(out, v, inner_);
      if (f.name == "requestPrincipal") return principal_payload(out, v);
      if (f.name == "clientHostAddress") {
        char text[48];
        const std::string_view address = address_text(v, text);
        if (!address.empty()) (void)out_.string(address);
        return {.any = !address.empty()};
      }
      break;
    case Role::envelope_response:
      return inner_response(out, v, inner_);
    case Role::telemetry:
      return telemetry_payload(out, static_cast<int>(compression_), v);
    case Role::consumer_subscription:
      return user_data(out, protocol_name_, false, v);
    case Role::consumer_assignment:
      return user_data(out, protocol_name_, true, v);
    case Role::snapshot:
    case Role::none:
      break;
  }
  return {};
}

PayloadResult JsonSink::group_payload(const PayloadOut& out, bool assignment, Bytes v) noexcept {
  if (protocol_type_ == "consumer") return consumer_payload(out, assignment, v, protocol_name_);
  if (protocol_type_ == "connect") return assignment ? connect_assignment(out, v) : connect_metadata(out, v);
  if (!protocol_type_.empty()) return {};
  // Nothing tells the type: only what fits to the last byte is believed.
  const PayloadResult result = consumer_payload(out, assignment, v, protocol_name_);
  return result.exact() ? result : PayloadResult{};
}

}  // namespace kparse
