// SPDX-License-Identifier: GPL-2.0-or-later
#include "listeners.h"

#include "draft_items.h"
#include "preferences.h"

namespace kparse::dissector {

Body decoded(const FrameTap& tap) noexcept {
  const Body& b = tap.body;
  return b.message ? decode_body(*b.message, b.version, b.bytes, *tap.pdu, 0) : b;
}

bool unknown_layout(const Pdu& p) noexcept { return !p.api() || !p.known; }

const char* api_label(const Pdu& p, packet_info* pinfo) {
  if (const Api* api = p.api()) return wmem_strndup(pinfo->pool, api->name.data(), api->name.size());
  return wmem_strdup_printf(pinfo->pool, "API key %d", p.api_key);
}

const char* error_label(int code, packet_info* pinfo) {
  const std::string_view name = error_name(code);
  if (name.empty()) return wmem_strdup_printf(pinfo->pool, "error code %d", code);
  return wmem_strdup_printf(pinfo->pool, "%.*s (%d)", static_cast<int>(name.size()), name.data(), code);
}

unsigned stream_of(packet_info* pinfo) {
  const tcp_analysis* const tcp = get_tcp_conversation_data(nullptr, pinfo);
  return tcp ? tcp->stream : 0;
}

RecordOptions record_options() noexcept {
  RecordOptions options;
  options.max_batch = std::uint64_t{preferences.max_uncompressed} << 20;
  options.verify_crc = preferences.verify_crc;
  options.draft = draft_reader();
  return options;
}

Scratch& listener_scratch() noexcept {
  static Scratch* const scratch = new Scratch;
  return *scratch;
}

}  // namespace kparse::dissector
