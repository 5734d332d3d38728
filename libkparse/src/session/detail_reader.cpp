// SPDX-License-Identifier: MIT
#include "session/detail_reader.h"

#include <new>

#include "session/cluster_sink.h"
#include "session/detail_walk.h"

namespace kparse {
namespace {

constexpr int key_produce = 0, key_fetch = 1, key_join_group = 11;

Interest detail_interest(const std::vector<Part>& parts) {
  Interest i = Interest::nothing();
  add_interest(parts, i);
  add_fetch_interest(i);
  add_share_interest(i);
  add_cluster_interest(i);
  return i;
}

}  // namespace

DetailPrograms::DetailPrograms()
    : parts(make_parts()),
      programs(detail_interest(parts)),
      assignments(Interest::everything()),
      assignment(find_message("ConsumerProtocolAssignment")) {}

std::uint64_t DetailPrograms::left_out() const noexcept {
  std::uint64_t of_fetches = 0;
  for (const FetchFacts& f : fetches) of_fetches += f.named.left_out() + f.forgotten.left_out();
  return asked_group.left_out() + answered_group.left_out() + asked_rows.left_out() + answered_rows.left_out() +
         of_fetches + asked_share.ranges.left_out() + answered_share.ranges.left_out() + aborted.left_out();
}

DetailReader::Kind DetailReader::kind_of(int api_key) const noexcept {
  const auto if_wanted = [this](Wants w, Kind k) { return wants_ & w ? k : Kind::none; };
  switch (api_key) {
    case 0:
    case 3:
    case 18:
      return if_wanted(Wants::cluster, Kind::cluster);
    case key_fetch:
      return if_wanted(Wants::fetches | Wants::offsets | Wants::cluster, Kind::fetch);
    case 2:
    case 9:
      return if_wanted(Wants::offsets, Kind::rows);
    case 8:
      return if_wanted(Wants::offsets, Kind::commit);
    case 28:
      return if_wanted(Wants::offsets | Wants::transactions, Kind::commit);
    case 10:
      return if_wanted(Wants::cluster, Kind::coordinator);
    case key_join_group:
    case 12:
    case 13:
    case 14:
    case 68:
    case 76:
    case 88:
      return if_wanted(Wants::groups, Kind::group);
    case 22:
    case 24:
    case 25:
    case 26:
    case 27:
      return if_wanted(Wants::transactions, Kind::txn);
    case 78:
    case 79:
      return if_wanted(Wants::share | Wants::cluster, Kind::share);
    default:
      return Kind::none;
  }
}

void DetailReader::request(const Request& r) noexcept {
  try {
    ask(r);
  } catch (const std::bad_alloc&) {
    ++failed_;
  }
}

void DetailReader::response(const Response& r, bool errors) noexcept {
  if (r.api_key == key_produce && !errors) return;  // leaders are told beside an error only (KIP-951)
  try {
    answer(r, requests_.find(r.serial));
  } catch (const std::bad_alloc&) {
    ++failed_;
  }
  requests_.forget(r.serial);
}

void DetailReader::ask(const Request& r) {
  const Kind kind = kind_of(r.api_key);
  const Message& m = *r.api->request;
  const bool whole = r.frame.whole();
  switch (kind) {
    case Kind::none:
    case Kind::cluster:
      return;
    case Kind::group:
      group_call(m, r.version, r.body, r.frame.first, r.frame.completed, r.serial, whole);
      break;
    case Kind::txn:
    case Kind::commit:
      if (!(wants_ & Wants::transactions) || r.api_key == 8) break;
      {
        RowSink sink(p_.parts.data(), cluster_, p_.asked_rows);
        const Error error = walk_body(m, r.version, r.body, sink);
        sink.finish();
        txn_calls(r.api_key, r.version, r.frame.first, r.frame.completed, r.serial, whole && !error);
      }
      break;
    case Kind::fetch:
      fetch_asked(r, requests_.put(r));
      return;
    default:
      break;
  }
  requests_.put(r);
}

void DetailReader::answer(const Response& r, const KeptRequest* asked) {
  switch (kind_of(r.api_key)) {
    case Kind::none:
      return;
    case Kind::group:
      return group_answer(r, asked);
    case Kind::txn:
      return txn_answer(r, asked);
    case Kind::commit:
    case Kind::rows:
      return rows_answer(r, asked);
    case Kind::fetch:
      return fetch_answer(r, asked);
    case Kind::share:
      return share_answer(r, asked);
    case Kind::coordinator:
    case Kind::cluster: {
      CoordinatorRequestSink question;
      if (asked && r.api_key == 10) (void)walk_request(*asked, question);
      ClusterSink sink(cluster_, observer_, info_.server, question.asked);
      (void)walk_body(*r.api->response, r.version, r.body, sink);
      return;
    }
  }
}

void DetailReader::unanswered(std::uint64_t serial) noexcept {
  try {
    if (const KeptRequest* asked = requests_.find(serial)) {
      const Kind kind = kind_of(asked->api_key);
      if (kind == Kind::commit) {
        RowSink sink(p_.parts.data(), cluster_, p_.asked_rows);
        (void)walk_request(*asked, sink);
        sink.finish();
        commits(*asked, false);
      } else if (kind == Kind::share) {
        share_acknowledged(*asked, false, 0);
      }
    }
  } catch (const std::bad_alloc&) {
    ++failed_;
  }
  requests_.forget(serial);
}

void DetailReader::tell_limits() {
  const auto tell = [this](std::string_view table, std::uint64_t limit, std::uint64_t left_out, std::uint64_t& told) {
    if (left_out > told) observer_.on_limit({.table = table, .limit = limit, .left_out = left_out - told});
    told = left_out;
  };
  std::uint64_t nothing_told = 0;
  ClusterState& shared = cluster_.state();
  tell("requests kept for their answer", KeptRequests::max_requests, requests_.left_out(), nothing_told);
  nothing_told = 0;
  tell("events without memory", 0, failed_ + batches_.failed(), nothing_told);
  tell("list of one message", 1u << 16, p_.left_out(), p_.told);
  tell("fetch sessions", FetchSessions::max_sessions, shared.sessions.left_out(), shared.told_sessions);
  tell("producers by partition", Producers::limit, shared.producers.left_out(), shared.told_producers);
}

}  // namespace kparse
