// SPDX-License-Identifier: GPL-2.0-or-later
// What the user can set: Edit > Preferences > Protocols > KPARSE, or `-o kparse.NAME:VALUE`.
#pragma once

#include "compat.h"

namespace kparse::dissector {

struct Preferences {
  Flag heuristic = TRUE;      ///< look for Kafka on all TCP ports, and inside TLS
  Flag give_way = FALSE;      ///< leave the port to Wireshark's own Kafka dissector
  Flag every_segment = TRUE;  ///< have TCP hand on segments that it takes for displaced or repeated
  Flag verify_crc = TRUE;
  unsigned max_uncompressed = 256;  ///< MiB a batch
  unsigned max_records = 0;         ///< shown of a batch; 0: all
  Flag show_secrets = FALSE;
  gint draft_headers = -1;           ///< a DraftProfile; -1: nothing looks for messages of the drafts
  Flag lint = FALSE;                 ///< what is wrong or risky, as expert items
  const char* header_register = "";  ///< a file with names of their keys
};

extern Preferences preferences;

void register_preferences(int proto);

}  // namespace kparse::dissector
