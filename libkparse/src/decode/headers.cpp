// SPDX-License-Identifier: MIT
#include "kparse/decode.h"
#include "kparse/reader.h"

namespace kparse {
namespace {

void skip_tags(Reader& in) noexcept {
  const std::uint32_t count = in.uvarint();
  if (count > max_tags || count > in.left()) in.fail(Code::badCount, count, in.left());
  for (std::uint32_t n = 0; n < count && in.ok(); ++n) {
    (void)in.uvarint();
    in.skip(in.uvarint());
  }
}

}  // namespace

RequestHeader decode_request_header(Bytes frame) noexcept {
  RequestHeader h;
  Reader in(frame);
  h.api_key = in.be<std::int16_t>();
  h.version = in.be<std::int16_t>();
  h.correlation_id = in.be<std::int32_t>();
  h.api = in.ok() ? find_api(h.api_key) : nullptr;
  if (h.api) {
    h.header_version = static_cast<std::int8_t>(request_header_version(*h.api, h.version));
    h.known = h.api->request && h.api->request->versions.has(h.version);
  }
  if (h.header_version > 0) {
    const auto size = in.be<std::int16_t>();
    if (in.ok() && size >= 0) {
      h.client_id_null = false;
      h.client_id = text(in.take(static_cast<std::uint64_t>(size)));
    }
  }
  if (!h.api && in.left() > 0 && *in.at() == 0) h.header_version = 2;
  if (h.header_version > 1) skip_tags(in);
  h.size = static_cast<std::uint32_t>(in.offset());
  h.error = in.error();
  return h;
}

ResponseHeader decode_response_header(Bytes frame, int header_version) noexcept {
  ResponseHeader h;
  Reader in(frame);
  h.correlation_id = in.be<std::int32_t>();
  if (header_version > 0) skip_tags(in);
  h.size = static_cast<std::uint32_t>(in.offset());
  h.error = in.error();
  return h;
}

}  // namespace kparse
