// SPDX-License-Identifier: GPL-2.0-or-later
// The protocol "Kafka (kparse)" as Wireshark knows it.
#pragma once

#include "compat.h"

namespace kparse::dissector {

/// Wireshark's numbers, set by register_protocol(). -1 until then.
extern int proto_kparse;
extern dissector_handle_t tcp_handle;  ///< bytes of a TCP stream
extern dissector_handle_t tls_handle;  ///< bytes that were inside TLS

}  // namespace kparse::dissector
