// SPDX-License-Identifier: GPL-2.0-or-later
// Those who listen to the taps, and what they share.
#pragma once

#include <string_view>

#include "kparse/records.h"
#include "taps.h"

namespace kparse::dissector {

void register_statistics_tree();         // -z kparse,tree
void register_response_time(int proto);  // -z kparse,srt
void register_summary();                 // -z kparse,sum
void register_export(int proto);         // --export-objects kparse,FOLDER
void register_follow(int proto);         // -z follow,kparse,...
void register_conversation_filters();

/// Decodes the frame's body; without one, `message` stays nullptr. Valid until the next call of any listener.
[[nodiscard]] Body decoded(const FrameTap&) noexcept;

/// Nothing more than the header is known of it.
[[nodiscard]] bool unknown_layout(const Pdu&) noexcept;

/// "Fetch", "API key 4711": in packet scope.
[[nodiscard]] const char* api_label(const Pdu&, packet_info*);
/// "NOT_LEADER_OR_FOLLOWER (6)"
[[nodiscard]] const char* error_label(int code, packet_info*);

/// The number that Wireshark gives this packet's TCP connection (tcp.stream).
[[nodiscard]] unsigned stream_of(packet_info*);

/// As the preferences say.
[[nodiscard]] RecordOptions record_options() noexcept;
/// For read_records() of listeners.
[[nodiscard]] Scratch& listener_scratch() noexcept;

/// Produce, Fetch and ShareFetch carry whole record sets; FetchSnapshot carries slices that may be cut anywhere.
[[nodiscard]] inline bool carries_record_sets(int api_key) noexcept {
  return api_key == 0 || api_key == 1 || api_key == 78;
}

/// Fetch and ShareFetch, which the broker may hold back until data comes.
[[nodiscard]] inline bool may_wait(int api_key) noexcept { return api_key == 1 || api_key == 78; }
/// Keeps how long the request lets the broker wait (Exchange::max_wait_ms).
void note_wait(const Pdu&, Bytes body) noexcept;
/// A response to a request that may wait: it came without records after nearly all the time allowed. Source: the same
/// rule as `kparse report`'s.
[[nodiscard]] bool waited_in_vain(const Pdu&, const Body&) noexcept;

}  // namespace kparse::dissector
