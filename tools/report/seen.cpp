// SPDX-License-Identifier: MIT
#include "report/seen.h"

namespace kparse::report {

void Seen::merge(const Seen& o) {
  for (const auto& [what, n] : o.others) others[what] += n;
  static constexpr std::uint64_t Seen::*sums[] = {
      &Seen::conversations, &Seen::kafka_conversations, &Seen::one_way, &Seen::roles_guessed, &Seen::proxied, &Seen::tls_opened, &Seen::requests,
      &Seen::responses, &Seen::matched, &Seen::no_answer_due, &Seen::undecoded, &Seen::incomplete, &Seen::unknown,
      &Seen::unknown_frames, &Seen::sasl_tokens, &Seen::lost_bytes, &Seen::cut_bytes, &Seen::lossy_conversations,
      &Seen::resyncs, &Seen::unread_snapshot_bytes, &Seen::throttled, &Seen::batches, &Seen::batches_unread, &Seen::crc_bad,
      &Seen::records, &Seen::records_produced, &Seen::records_fetched, &Seen::control_records, &Seen::records_snapshot, &Seen::headers,
      &Seen::key_bytes, &Seen::value_bytes, &Seen::header_bytes, &Seen::compressed_bytes, &Seen::uncompressed_bytes,
  };
  for (const auto sum : sums) this->*sum += o.*sum;
}

}  // namespace kparse::report
