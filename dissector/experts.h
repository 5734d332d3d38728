// SPDX-License-Identifier: GPL-2.0-or-later
// Expert items: what Analyze > Expert Information lists. Healthy traffic has none at warning or above.
#pragma once

#include "compat.h"
#include "kparse/error.h"
#include "kparse/walk.h"

namespace kparse::dissector {

struct Experts {
  expert_field malformed = EI_INIT;        ///< kparse.malformed: decoding stopped                    error
  expert_field note = EI_INIT;             ///< kparse.deviation: a Note of the library               warning
  expert_field remark = EI_INIT;           ///< kparse.remark: a Note of what is known to occur       note
  expert_field bad_crc = EI_INIT;          ///< kparse.batch.crcBad                                   error
  expert_field records = EI_INIT;          ///< kparse.batch.unreadable                               error
  expert_field unknown_magic = EI_INIT;    ///< kafka.unknown_message_magic                           error
  expert_field partial_batch = EI_INIT;    ///< kparse.batch.cut: normal at the end of a Fetch response  chat
  expert_field lost = EI_INIT;             ///< kparse.bytesLost                                      warning
  expert_field skipped = EI_INIT;          ///< kparse.resync: place in the stream found again        warning
  expert_field error_code = EI_INIT;       ///< kparse.errorCode: a response's error code             chat
  expert_field unknown_api = EI_INIT;      ///< kafka.unknown_api_key                                 warning
  expert_field unknown_version = EI_INIT;  ///< kafka.unsupported_api_version                         warning
  expert_field no_request = EI_INIT;       ///< kafka.request_missing                                 note
  expert_field no_response = EI_INIT;      ///< kparse.responseMissing                                note
  expert_field limit = EI_INIT;            ///< kparse.limit: not all of it is shown                  note
};
extern Experts experts;

void register_experts(int proto);

/// "kparse.FetchRequest.maxWaitMs needs 4 bytes, 2 are left" and the like, in packet scope.
[[nodiscard]] const char* text_of(const Error&, packet_info*);
[[nodiscard]] const char* text_of(const Note&, packet_info*);

/// An expert item for a library's error or note, below `item`, which may be nullptr; the rule's id is in kparse.rule.
/// `at`, `length`: the bytes it is about.
void add_error(const Error&, packet_info*, proto_item*, tvbuff_t*, int at, int length);
/// The same where only the bytes end, because the capture lost or cut (`why`) the rest of the frame.
void add_capture_end(const Error&, Code why, packet_info*, proto_item*, tvbuff_t*, int at);
void add_note(const Note&, packet_info*, proto_item*, tvbuff_t*, int at);

}  // namespace kparse::dissector
