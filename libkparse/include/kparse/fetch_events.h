// SPDX-License-Identifier: MIT
// Fetch sessions (KIP-227) rebuilt: what an incremental fetch really asks for, and what came of it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "kparse/fetch_session.h"
#include "kparse/stamp.h"
#include "kparse/topic_ref.h"

namespace kparse {

/// A Fetch request.
struct FetchAsked {
  enum class Kind : std::uint8_t {
    sessionless,   ///< all partitions are named, no session is wanted (or the version has none)
    full,          ///< all partitions are named, a session is wanted; one that is named is closed
    incremental,   ///< only changes are named
    closing,       ///< like sessionless, and closes the session that is named
  };
  Kind kind = Kind::sessionless;
  std::uint64_t serial = 0;
  std::int32_t session_id = 0, session_epoch = -1;
  std::int32_t replica_id = -1;              ///< -1: a consumer
  std::int8_t isolation = 0;                 ///< 1: read_committed
  std::int32_t max_wait_ms = -1, min_bytes = -1;
  std::string_view rack;
  std::span<const FetchTarget> named;        ///< in the request itself
  std::span<const PartitionRef> forgotten;   ///< taken out of the session
  /// What is asked for: `named`, or for an incremental fetch the session after this request. nullptr: the session began
  /// before the capture (or was too many): then only `named` is known.
  const FetchSession* session = nullptr;
};
[[nodiscard]] std::string_view name_of(FetchAsked::Kind) noexcept;

/// The answer's head, before its partitions.
struct FetchAnswered {
  enum class Session : std::uint8_t {
    none,          ///< there is none
    opened,
    refused,       ///< one was wanted, the broker has no room for it (session id 0)
    goes_on,
    lost,          ///< the broker doesn't know it any more (FETCH_SESSION_ID_NOT_FOUND): evicted, or the broker restarted
    broken,        ///< another session error: wrong epoch, topic ids that changed
    closed,
  };
  Session session = Session::none;
  FetchAsked::Kind asked = FetchAsked::Kind::sessionless;
  bool asked_known = false;                  ///< false: the request's body could not be read
  std::int32_t session_id = 0;               ///< of the answer
  std::int32_t asked_session_id = 0, asked_session_epoch = -1;
  std::int32_t replica_id = -1;
  std::int8_t isolation = 0;
  std::int16_t error = 0;
};
[[nodiscard]] std::string_view name_of(FetchAnswered::Session) noexcept;

struct AbortedTransaction {
  std::int64_t producer_id, first_offset;
};

/// One partition of the answer. One that isn't in an incremental answer has no news.
struct PartitionFetched {
  TopicRef topic;
  std::int32_t partition = -1;
  std::int16_t error = 0;
  std::int64_t high_watermark = -1;          ///< -1 not told
  std::int64_t last_stable_offset = -1;
  std::int64_t log_start_offset = -1;
  std::int64_t asked_offset = -1;            ///< -1: not known
  std::int32_t preferred_read_replica = -1;
  std::uint64_t record_bytes = 0;
  std::span<const AbortedTransaction> aborted;
};

}  // namespace kparse
