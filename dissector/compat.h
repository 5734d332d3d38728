// SPDX-License-Identifier: GPL-2.0-or-later
// Wireshark's headers for a C++ plugin, and all that differs between its versions 4.0, 4.4 and 4.6.
#pragma once

#include <wireshark.h>
#include <ws_version.h>

#include <epan/address.h>
#include <epan/column-utils.h>
#include <epan/conversation.h>
#include <epan/conversation_filter.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/expert.h>
#include <epan/export_object.h>
#include <epan/follow.h>
#include <epan/packet.h>
#include <epan/prefs-int.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>
#include <epan/srt_table.h>
#include <epan/stat_tap_ui.h>
#include <epan/stats_tree.h>
#include <epan/tap.h>
#include <epan/to_str.h>

extern "C" {  // this header has no guard of its own
#include <epan/dissectors/packet-tls.h>
}

#define KPARSE_WIRESHARK_AT_LEAST(major, minor) \
  (WIRESHARK_VERSION_MAJOR > (major) || (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

namespace kparse::dissector {

#if KPARSE_WIRESHARK_AT_LEAST(4, 2)
using Flag = bool;  ///< in the signatures of callbacks
#else
using Flag = gboolean;
#endif

}  // namespace kparse::dissector
