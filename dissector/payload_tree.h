// SPDX-License-Identifier: GPL-2.0-or-later
// What other software puts into bytes fields: group protocols, Envelope, telemetry, SASL tokens, records of internal
// topics.
#pragma once

#include <string_view>

#include "body.h"
#include "kparse/payload.h"

namespace kparse::dissector {

/// A bytes field that holds something, as looked at by the library. Valid until the next look().
struct Payload {
  PayloadKind kind = PayloadKind::none;
  PayloadDecoded decoded;
  std::string_view json;  ///< of decoded.done
};

/// Calls nothing of Wireshark's. A kind other than none doesn't say that it could be read.
[[nodiscard]] Payload look(PayloadGuide&, const Field&, Bytes) noexcept;

/// Adds the fields of a payload. `value`: its bytes, which stand at `at` of `tvb`.
void add_payload(const Body& around, const Payload&, const PayloadGuide&, Bytes value, tvbuff_t*, int at, packet_info*,
                 proto_tree*);

/// What a SASL token in a request or response says, secrets redacted.
void add_token_parts(std::string_view mechanism, Bytes token, bool from_client, tvbuff_t*, int at, packet_info*,
                     proto_tree*);
/// A raw SASL token: its item, and what it says.
void add_sasl_token(tvbuff_t*, int at, Bytes token, const char* mechanism, bool from_client, packet_info*, proto_tree*);

/// JSON that the library wrote, as items "name: value" (kparse.payload.value), objects and arrays as subtrees.
void add_json(tvbuff_t*, int at, int length, std::string_view json, packet_info*, proto_tree*);

/// The library's writer of payloads, by the preferences. `json` is emptied.
struct PayloadWriter {
  JsonDump& dump;
  JsonWriter& json;
};
[[nodiscard]] PayloadWriter payload_writer() noexcept;

}  // namespace kparse::dissector
