// SPDX-License-Identifier: MIT
// What was seen and what was not: the totals that every report begins with.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace kparse::report {

struct Seen {
  std::uint64_t conversations = 0;        ///< TCP connections
  std::uint64_t kafka_conversations = 0;  ///< with at least one frame
  std::uint64_t one_way = 0;              ///< of these, with frames of one side only
  std::uint64_t roles_guessed = 0;        ///< of these, where nothing told client and server apart
  std::uint64_t proxied = 0;              ///< of these, behind a PROXY header
  std::map<std::string, std::uint64_t, std::less<>> others;  ///< not Kafka: "TLS", "HTTP", ... by conversations
  std::uint64_t tls_opened = 0;           ///< of those that are TLS
  std::uint64_t requests = 0, responses = 0;
  std::uint64_t matched = 0;              ///< responses whose request was seen
  std::uint64_t no_answer_due = 0;        ///< requests with acks=0 that had no answer
  std::uint64_t undecoded = 0;            ///< frames that could not be decoded to their end
  std::uint64_t incomplete = 0;           ///< of these, those that lack bytes in the capture
  std::uint64_t unknown = 0;              ///< requests of an API or version newer than the tables
  std::uint64_t unknown_frames = 0;       ///< undecoded ones for that reason, responses too
  std::uint64_t sasl_tokens = 0;          ///< raw ones
  std::uint64_t lost_bytes = 0, cut_bytes = 0;  ///< gaps in Kafka conversations; cut: by the snapshot length, is part of lost
  std::uint64_t lossy_conversations = 0;
  std::uint64_t resyncs = 0;
  std::uint64_t unread_snapshot_bytes = 0;  ///< of snapshots whose beginning was not seen
  std::uint64_t throttled = 0;            ///< responses

  std::uint64_t batches = 0, batches_unread = 0, crc_bad = 0;
  std::uint64_t records = 0, records_produced = 0, records_fetched = 0, control_records = 0, headers = 0;
  std::uint64_t records_snapshot = 0;     ///< of the fetched ones, from snapshots
  std::uint64_t key_bytes = 0, value_bytes = 0, header_bytes = 0;
  std::uint64_t compressed_bytes = 0, uncompressed_bytes = 0;  ///< of batches with a codec

  void merge(const Seen&);
  /// Requests that should have had an answer and have none.
  [[nodiscard]] std::uint64_t unanswered() const noexcept {
    const std::uint64_t answered = matched + no_answer_due;
    return requests > answered ? requests - answered : 0;
  }
};

}  // namespace kparse::report
