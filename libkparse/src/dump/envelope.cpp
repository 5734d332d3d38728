// SPDX-License-Identifier: MIT
// Envelope (KIP-590): a request inside a request, header and body without a size.
#include "dump/json_sink.h"
#include "dump/plain_reader.h"

namespace kparse {
namespace {

/// The body inside, or why it can't be read.
void inner_body(const PayloadOut& to, const Message* m, int version, Bytes body, const Error& unknown,
                PayloadResult& result) noexcept {
  if (!m || !m->versions.has(version)) {
    result.error = unknown;
  } else {
    to.json.key("innerBody");
    const PayloadResult inner = message_payload(to, *m, version, body);
    result.secret = inner.secret;
    result.rest = inner.rest;
    result.error = inner.error;
  }
  if (!result.error) return;
  to.json.key("error");
  write_error(to.json, result.error);
}

Error unknown_request(const Api* api, int key, int version) noexcept {
  const bool known = api != nullptr;
  return {.code = known ? Code::unknownVersion : Code::unknownApi,
          .limit = Limit::payload,
          .have = static_cast<std::uint64_t>(static_cast<std::int64_t>(known ? version : key))};
}

void write_header(JsonWriter& out, const RequestHeader& h) noexcept {
  out.key("innerHeader");
  out.begin_object();
  member(out, "requestApiKey", h.api_key);
  member(out, "requestApiVersion", h.version);
  member(out, "correlationId", h.correlation_id);
  out.key("clientId");
  if (h.client_id_null) {
    out.null();
  } else {
    (void)out.string(h.client_id);
  }
  out.end_object();
  member(out, "innerHeaderVersion", h.header_version);
}

/// Catches the three fields of an Envelope request.
struct Fields : Sink {
  Bytes data, principal;
  void bytes(NodeId n, Bytes v, Bytes) noexcept {
    if (field(n).name == "requestData") data = v;
    if (field(n).name == "requestPrincipal") principal = v;
  }
};

struct Name : Sink {
  std::string_view name;
  void string(NodeId n, std::string_view v, Bytes) noexcept {
    if (field(n).name == "name") name = v;
  }
};

const Message* principal_message() noexcept { return find_message("DefaultPrincipalData"); }

}  // namespace

PayloadResult principal_payload(const PayloadOut& to, Bytes b) noexcept {
  Reader in(b, Limit::payload);
  const auto version = in.be<std::int16_t>();
  const Message* m = principal_message();
  if (!in.ok() || !m) return {.error = in.error()};
  return message_payload(to, *m, version, b.subspan(2));
}

PayloadResult inner_request(const PayloadOut& to, Bytes b, InnerRequest& inner) noexcept {
  const RequestHeader h = decode_request_header(b);
  if (h.error) return {.error = h.error};
  inner = {h.api_key, h.version};
  PayloadResult result{.any = true};
  to.json.begin_object();
  write_header(to.json, h);
  if (h.api) member(to.json, "api", h.api->name);
  inner_body(to, h.api ? h.api->request : nullptr, h.version, b.subspan(h.size),
             unknown_request(h.api, h.api_key, h.version), result);
  to.json.end_object();
  return result;
}

PayloadResult inner_response(const PayloadOut& to, Bytes b, InnerRequest inner) noexcept {
  const Api* api = inner.api_key < 0 ? nullptr : find_api(inner.api_key);
  if (!api) return {};
  const ResponseHeader h = decode_response_header(b, response_header_version(*api, inner.version));
  if (h.error) return {.error = h.error};
  PayloadResult result{.any = true};
  to.json.begin_object();
  to.json.key("innerHeader");
  to.json.begin_object();
  member(to.json, "correlationId", h.correlation_id);
  to.json.end_object();
  member(to.json, "api", api->name);
  inner_body(to, api->response, inner.version, b.subspan(h.size), unknown_request(api, inner.api_key, inner.version),
             result);
  to.json.end_object();
  return result;
}

PayloadResult envelope_request(const PayloadOut& to, Bytes b) noexcept {
  const Api* api = find_api(58);
  if (!api || !api->request) return {};
  JsonWriter& out = to.json;
  out.begin_object();
  out.key("envelope");
  PayloadResult result = message_payload(to, *api->request, 0, b);
  Fields found;
  (void)walk(to.shared.programs.get(*api->request, 0), b, found);
  const RequestHeader h = decode_request_header(found.data);
  if (!h.error && found.data.data()) {
    write_header(out, h);
    out.key("innerBodyHex");
    out.hex(found.data.subspan(h.size));
  }
  const Message* principal = principal_message();
  if (principal && found.principal.size() > 2) {
    Name name;
    (void)walk(to.shared.programs.get(*principal, load_be<std::int16_t>(found.principal.data())),
               found.principal.subspan(2), name);
    member(out, "principalName", name.name);
  }
  out.end_object();
  return result;
}

}  // namespace kparse
