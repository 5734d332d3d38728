// SPDX-License-Identifier: GPL-2.0-or-later
// What a body tells about payloads of later frames.
#pragma once

#include <string_view>

#include "kparse/decode.h"

namespace kparse::dissector {

struct Facts {
  std::string_view protocol_type, protocol_name, mechanism;  ///< "": not told
  Bytes inner_request;                                       ///< of an Envelope
};

/// Bodies of other APIs tell nothing.
[[nodiscard]] bool tells_facts(int api_key) noexcept;
/// Views point into the body.
[[nodiscard]] Facts facts_of(const Message&, int version, Bytes body) noexcept;

}  // namespace kparse::dissector
