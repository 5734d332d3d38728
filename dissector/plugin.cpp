// SPDX-License-Identifier: GPL-2.0-or-later
// What Wireshark looks for in a plugin, and the order in which everything is registered.
#include "compat.h"
#include "dissect.h"
#include "experts.h"
#include "fields.h"
#include "legacy.h"
#include "lint_items.h"
#include "preferences.h"
#include "protocol.h"
#include "schema_fields.h"
#include "taps.h"

namespace kparse::dissector {

int proto_kparse = -1;
dissector_handle_t tcp_handle, tls_handle;

namespace {

void register_protocol() {
  proto_kparse = proto_register_protocol("Kafka (kparse)", "Kafka (kparse)", "kparse");
  register_fields(proto_kparse);
  register_schema_fields(proto_kparse);
  register_legacy_fields(proto_kparse);
  register_experts(proto_kparse);
  register_lint_items(proto_kparse);
  register_preferences(proto_kparse);
  register_taps(proto_kparse);
  register_dissectors(proto_kparse);
}

}  // namespace
}  // namespace kparse::dissector

extern "C" {

// A const at namespace scope has internal linkage unless it was declared extern before.
WS_DLL_PUBLIC const char plugin_version[];
WS_DLL_PUBLIC const int plugin_want_major;
WS_DLL_PUBLIC const int plugin_want_minor;
WS_DLL_PUBLIC void plugin_register(void);
WS_DLL_PUBLIC guint32 plugin_describe(void);

const char plugin_version[] = KPARSE_VERSION;
const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

void plugin_register(void) {
  static proto_plugin plugin;
  plugin.register_protoinfo = kparse::dissector::register_protocol;
  plugin.register_handoff = kparse::dissector::hand_off;
  proto_register_plugin(&plugin);
}

guint32 plugin_describe(void) { return 1; }  // WS_PLUGIN_DESC_DISSECTOR, which 4.0 doesn't have
}
