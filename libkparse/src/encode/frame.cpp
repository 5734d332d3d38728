// SPDX-License-Identifier: MIT
#include <limits>

#include "kparse/encode.h"
#include "kparse/walker.h"

namespace kparse {

void write_request_header(const Api& api, int version, std::int32_t correlation_id,
                          std::optional<std::string_view> client_id, Writer& out) noexcept {
  const int header = request_header_version(api, version);
  out.be(api.key);
  out.be(static_cast<std::int16_t>(version));
  out.be(correlation_id);
  if (header == 0) return;
  if (client_id) {
    const std::string_view id = client_id->substr(0, max_string);
    out.be(static_cast<std::int16_t>(id.size()));
    out.text(id);
  } else {
    out.be(std::int16_t{-1});
  }
  if (header > 1) out.uvarint(0);
}

void write_response_header(const Api& api, int version, std::int32_t correlation_id, Writer& out) noexcept {
  out.be(correlation_id);
  if (response_header_version(api, version) > 0) out.uvarint(0);
}

std::size_t begin_frame(Writer& out) noexcept {
  const std::size_t at = out.size();
  out.be(std::int32_t{0});
  return at;
}

bool end_frame(Writer& out, std::size_t begun) noexcept {
  const std::size_t size = out.size() - begun - sizeof(std::int32_t);
  if (size > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return false;
  out.patch_be(begun, static_cast<std::int32_t>(size));
  return true;
}

}  // namespace kparse
