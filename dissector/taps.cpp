// SPDX-License-Identifier: GPL-2.0-or-later
#include "taps.h"

#include <algorithm>
#include <new>

#include "listeners.h"

namespace kparse::dissector {

int frame_tap = -1;
int object_tap = -1;
int follow_tap = -1;

namespace {

Body body_of(const Pdu& p, tvbuff_t* frame) {
  Body body;
  body.pdu = &p;
  body.version = p.version;
  body.message = frame ? p.message() : nullptr;
  if (!body.message) return body;
  const auto there = std::min<std::uint32_t>(p.bytes, tvb_captured_length(frame));
  if (there > p.body_at) {
    const auto length = static_cast<int>(there - p.body_at);
    body.bytes = {tvb_get_ptr(frame, static_cast<int>(p.body_at), length), static_cast<std::size_t>(length)};
  }
  return body;
}

}  // namespace

void tap_frame(const Pdu& pdu, tvbuff_t* frame, packet_info* pinfo, const char* client_id) {
  const bool frames = have_tap_listener(frame_tap), objects = have_tap_listener(object_tap);
  if (frames || objects) {
    auto* tap = new (wmem_alloc(pinfo->pool, sizeof(FrameTap))) FrameTap{&pdu, body_of(pdu, frame), client_id};
    if (tap->body.message) note_wait(pdu, tap->body.bytes);
    if (frames) tap_queue_packet(frame_tap, pinfo, tap);
    if (objects) tap_queue_packet(object_tap, pinfo, tap);
  }
  if (frame && have_tap_listener(follow_tap)) tap_queue_packet(follow_tap, pinfo, frame);
}

bool anybody_listens() noexcept {
  return have_tap_listener(frame_tap) || have_tap_listener(object_tap) || have_tap_listener(follow_tap);
}

void register_taps(int proto) {
  frame_tap = register_tap("kparse");
  follow_tap = register_tap("kparse_follow");
  register_statistics_tree();
  register_response_time(proto);
  register_summary();
  register_export(proto);
  register_follow(proto);
  register_conversation_filters();
}

}  // namespace kparse::dissector
