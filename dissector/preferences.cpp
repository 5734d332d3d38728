// SPDX-License-Identifier: GPL-2.0-or-later
#include "preferences.h"

namespace kparse::dissector {

Preferences preferences;

void register_preferences(int proto) {
  module_t* const m = prefs_register_protocol(proto, nullptr);
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
  prefs_register_bool_preference(m, "show_secrets", "Show secrets",
                                 "SASL tokens, delegation token HMACs, SCRAM salts and keys, sensitive configuration "
                                 "values. Their bytes are in the capture all the same: the byte view shows them.",
                                 &preferences.show_secrets);
}

}  // namespace kparse::dissector
