// SPDX-License-Identifier: MIT
// Reads bodies a second time for the events that an observer wants beside the basics (Wants).
#pragma once

#include <string>

#include "kparse/events.h"
#include "session/batch_pass.h"
#include "session/cluster_state.h"
#include "session/detail_programs.h"
#include "session/kept_requests.h"

namespace kparse {

/// One per connection, at the side of its Interpreter.
class DetailReader {
 public:
  DetailReader(const ConversationInfo& info, Cluster& cluster, DetailPrograms& programs, Observer& observer,
               Wants wants)
      : info_(info), cluster_(cluster), p_(programs), observer_(observer), wants_(wants),
        batches_(observer, cluster.state().producers, programs.scratch) {}

  void request(const Request&) noexcept;
  /// `errors`: it tells of any.
  void response(const Response&, bool errors) noexcept;
  void unanswered(std::uint64_t serial) noexcept;
  /// Hears of each records field. nullptr: nobody wants batches.
  [[nodiscard]] BatchPass* batches() noexcept { return wants_ & Wants::batches ? &batches_ : nullptr; }
  /// At the end.
  void tell_limits();

 private:
  enum class Kind : std::uint8_t { none, group, commit, txn, rows, fetch, share, coordinator, cluster };
  [[nodiscard]] Kind kind_of(int api_key) const noexcept;

  void ask(const Request&);
  void answer(const Response&, const KeptRequest*);
  Error walk_request(const KeptRequest& r, auto& sink);
  template <class S>
  Error walk_body(const Message&, int version, Bytes, S& sink) noexcept;

  void group_call(const Message&, int version, Bytes, const Stamp& first, const Stamp& at, std::uint64_t serial,
                  bool whole);
  void group_answer(const Response&, const KeptRequest*);
  void assigned(GroupAnswer&, std::string_view protocol_type);

  void txn_calls(int api_key, std::int16_t version, const Stamp& first, const Stamp& at, std::uint64_t serial,
                 bool whole);
  TxnCall txn_call(int api_key, const Section&);
  void txn_answer(const Response&, const KeptRequest*);
  void commits(const KeptRequest&, bool answered);
  void rows_answer(const Response&, const KeptRequest*);
  [[nodiscard]] std::int16_t result_of(const Row&, std::size_t& hint) const noexcept;

  void fetch_asked(const Request&, const KeptRequest*);
  void fetch_answer(const Response&, const KeptRequest*);
  void fetch_head(FetchAnswered&);

  void share_answer(const Response&, const KeptRequest*);
  void share_acknowledged(const KeptRequest&, bool answered, std::int16_t error);

  const ConversationInfo& info_;
  Cluster& cluster_;
  DetailPrograms& p_;
  Observer& observer_;
  const Wants wants_;
  BatchPass batches_;
  KeptRequests requests_;
  std::string group_, protocol_type_;  ///< of the last JoinGroup: SyncGroup before version 5 doesn't say
  std::uint64_t failed_ = 0;           ///< without memory
};

}  // namespace kparse
