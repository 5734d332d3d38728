// SPDX-License-Identifier: GPL-2.0-or-later
#include "preferences.h"

#include "draft_items.h"

namespace kparse::dissector {

Preferences preferences;

namespace {

constexpr int of(DraftProfile p) { return static_cast<int>(p); }

const enum_val_t profiles[] = {
    {"off", "Off", -1},
    {"kip82-varint", "kip82-varint: integers of variable length", of(DraftProfile::kip82_varint)},
    {"kip82-int32", "kip82-int32: all integers int32", of(DraftProfile::kip82_int32)},
    {"kip82-any", "kip82-any: whichever of the two fits", of(DraftProfile::kip82_any)},
    {"kip82-compact", "kip82-compact: short lengths, bit 5 for no key", of(DraftProfile::kip82_compact)},
    {"kip82-compact-literal", "kip82-compact-literal: no key without headers", of(DraftProfile::kip82_compact_literal)},
    {"kip82-map", "kip82-map: a serialised map, by bit 4", of(DraftProfile::kip82_map)},
    {"kip82-map-always", "kip82-map-always: a serialised map, always", of(DraftProfile::kip82_map_always)},
    {nullptr, nullptr, 0}};

void changed() { load_header_register(preferences.header_register); }

}  // namespace

void register_preferences(int proto) {
  module_t* const m = prefs_register_protocol(proto, changed);
  prefs_register_bool_preference(m, "heuristic", "Look for Kafka on every TCP port and inside TLS",
                                 "Kafka is recognised by its requests wherever nothing else claims the connection. The "
                                 "ports above are Kafka's in any case.",
                                 &preferences.heuristic);
  prefs_register_bool_preference(m, "give_way", "Leave the ports to Wireshark's own Kafka dissector",
                                 "What comes on the ports above, or by Decode As, is handed to the dissector that "
                                 "Wireshark brings along.",
                                 &preferences.give_way);
  prefs_register_bool_preference(m, "every_segment", "Put displaced TCP segments in order",
                                 "Has TCP hand on segments that it takes for displaced or repeated: its preference "
                                 "\"Reassemble out-of-order segments\" is turned on, for all protocols, while a "
                                 "capture with Kafka is open. Without this, frames in such segments are missing.",
                                 &preferences.every_segment);
  prefs_register_bool_preference(m, "verify_crc", "Check the CRC of record batches",
                                 "A batch whose CRC is wrong gets an expert item.", &preferences.verify_crc);
  prefs_register_uint_preference(m, "max_uncompressed", "Largest uncompressed batch (MiB)",
                                 "A batch that is larger after decompression is not opened, and says so.", 10,
                                 &preferences.max_uncompressed);
  prefs_register_uint_preference(m, "max_records", "Records shown of a batch",
                                 "0: all of them. What is left out is said.", 10, &preferences.max_records);
  prefs_register_bool_preference(m, "lint", "Look for what is wrong or risky (lint)",
                                 "The rules of \"kparse lint\" (\"kparse rules\" explains them), as expert items. "
                                 "Reading a capture takes longer with them.",
                                 &preferences.lint);
  prefs_register_bool_preference(m, "show_secrets", "Show secrets",
                                 "SASL tokens, delegation token HMACs, SCRAM salts and keys, sensitive configuration "
                                 "values. Their bytes are in the capture all the same: the byte view shows them.",
                                 &preferences.show_secrets);
  prefs_register_enum_preference(m, "draft_headers", "Messages of KIP-82's drafts",
                                 "Record headers as they were first proposed, with integer keys. No release of Kafka "
                                 "ever wrote such messages, so nothing looks for them unless a profile is named.",
                                 &preferences.draft_headers, profiles, FALSE);
  prefs_register_filename_preference(m, "header_register", "Names of their header keys",
                                     "A file with lines \"key NUMBER NAME\", besides the drafts' own sample.",
                                     &preferences.header_register, FALSE);
}

}  // namespace kparse::dissector
