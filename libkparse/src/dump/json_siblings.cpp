// SPDX-License-Identifier: MIT
// NAME.decoded: which payload a bytes field holds.
#include "dump/json_sink.h"
#include "kparse/payload.h"

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

PayloadResult exact(const PayloadResult& r) noexcept { return r.exact() ? r : PayloadResult{}; }

bool holds_message(PayloadKind k) noexcept {
  return k == PayloadKind::inner_request || k == PayloadKind::inner_response;
}

}  // namespace

PayloadResult guided_payload(const PayloadOut& out, PayloadGuide& guide, const Field& f, Bytes v) noexcept {
  switch (const PayloadKind kind = guide.kind_of(f)) {
    case PayloadKind::consumer_subscription:
    case PayloadKind::consumer_assignment: {
      const bool assignment = kind == PayloadKind::consumer_assignment;
      const PayloadResult result = consumer_payload(out, assignment, v, guide.protocol_name());
      // Where nothing tells the type, only what fits to the last byte is believed.
      return guide.guessed() ? exact(result) : result;
    }
    case PayloadKind::connect_metadata:
      return connect_metadata(out, v);
    case PayloadKind::connect_assignment:
      return connect_assignment(out, v);
    case PayloadKind::sticky_user_data:
      return sticky_user_data(out, v);
    case PayloadKind::cooperative_user_data:
      return cooperative_user_data(out, v);
    case PayloadKind::streams_subscription:
      return streams_subscription(out, v);
    case PayloadKind::streams_assignment:
      return streams_assignment(out, v);
    case PayloadKind::principal:
      return principal_payload(out, v);
    case PayloadKind::host_address: {
      char text[48];
      const std::string_view address = address_text(v, text);
      if (!address.empty()) (void)out.json.string(address);
      return {.any = !address.empty()};
    }
    case PayloadKind::inner_request: {
      InnerRequest inner;
      const PayloadResult result = inner_request(out, v, inner);
      if (inner.api_key >= 0) guide.set_inner(inner.api_key, inner.version);
      return result;
    }
    case PayloadKind::inner_response:
      return inner_response(out, v, {guide.inner_api_key(), guide.inner_version()});
    case PayloadKind::telemetry:
      return telemetry_payload(out, guide.compression(), v);
    case PayloadKind::none:
      break;
  }
  return {};
}

bool may_hide_secret(PayloadKind kind, const PayloadResult& result, bool show_secrets) noexcept {
  // What holds a secret is one; and so is a message that can't be read, for it may hold one.
  return result.secret || (holds_message(kind) && (!result.any || result.error) && !show_secrets);
}

PayloadDecoded decode_payload(JsonDump& dump, JsonWriter& out, PayloadGuide& guide, const Field& f, Bytes v) noexcept {
  const std::size_t before = out.size();
  const PayloadKind kind = guide.kind_of(f);
  const PayloadResult result = guided_payload({dump.impl(), out, true, 1}, guide, f, v);
  if (!result.any) out.truncate(before);
  return {
      .done = result.any, .secret = may_hide_secret(kind, result, dump.options().show_secrets), .error = result.error};
}

void JsonSink::sibling(const Field& f, Bytes v, std::size_t from, std::size_t to) noexcept {
  const PayloadKind kind = guide_.kind_of(f);
  if (kind == PayloadKind::none || (!to_.siblings && !holds_message(kind))) return;
  const std::size_t before = out_.size();
  out_.key(f.name, ".decoded");
  PayloadResult result;
  if (to_.depth < max_payload_depth)
    result = guided_payload({shared_, out_, to_.siblings, to_.depth + 1}, guide_, f, v);
  if (!result.any || !to_.siblings) out_.truncate(before);
  if (!may_hide_secret(kind, result, shared_.options.show_secrets)) return;
  secret_ = true;
  (void)out_.replace(from, to, redacted);
}

}  // namespace kparse
