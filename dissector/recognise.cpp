// SPDX-License-Identifier: GPL-2.0-or-later
#include "recognise.h"

#include <algorithm>
#include <new>

#include "kparse/decode.h"
#include "kparse/detect.h"

namespace kparse::dissector {

namespace {

constexpr std::uint32_t largest_request = 104'857'600;  // socket.request.max.bytes

/// Client ids may be anything; those of real programs are printable and short.
bool is_client_id(std::string_view s) noexcept {
  return s.size() <= 255 && std::all_of(s.begin(), s.end(), [](char c) {
           const auto u = static_cast<unsigned char>(c);
           return u >= 0x20 && u != 0x7f;
         });
}

ProgramSet& no_programs() {
  static auto* programs = new ProgramSet(Interest::nothing());
  return *programs;
}

}  // namespace

bool begins_request(Bytes b) noexcept try {
  if (const ProxyHeader proxy = read_proxy_header(b); proxy.state == ProxyHeader::State::whole)
    b = b.subspan(proxy.length);
  if (b.size() < 14) return false;
  const auto size = load_be<std::uint32_t>(b.data());
  if (size < 10 || size > largest_request) return false;
  const Bytes frame = b.subspan(4, std::min<std::size_t>(size, b.size() - 4));
  const RequestHeader h = decode_request_header(frame);
  if (h.error || !h.known || !is_client_id(h.client_id)) return false;
  const Bytes body = frame.subspan(h.size);
  Sink nothing;
  const Layout layout = layout_for(*h.api->request, h.version, body);
  const Error error = walk(no_programs(), layout, body, nothing);
  if (frame.size() == size) return !error;
  // The rest is in later segments: then the client id must speak for it, and what is there must not speak against it.
  return !h.client_id.empty() && (!error || error.code == Code::truncated || error.code == Code::badCount);
} catch (const std::bad_alloc&) {
  return false;
}

void call_from_now_on(void* data, dissector_handle_t handle) {
#if KPARSE_WIRESHARK_AT_LEAST(4, 4)
  if (data) *static_cast<tlsinfo*>(data)->app_handle = handle;
#else
  if (data) *static_cast<dissector_handle_t*>(data) = handle;
#endif
}

}  // namespace kparse::dissector
