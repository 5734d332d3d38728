// SPDX-License-Identifier: MIT
// DetailReader: offsets, and the calls of transactions.
#include <cstring>

#include "session/detail_walk.h"

namespace kparse {
namespace {

bool same(const TopicRef& a, const TopicRef& b) noexcept {
  if (a.id && b.id) return std::memcmp(a.id, b.id, 16) == 0;
  return !a.id && !b.id && a.name == b.name;
}

}  // namespace

std::string_view name_of(TxnCall::Kind k) noexcept {
  switch (k) {
    case TxnCall::Kind::init:
      return "init";
    case TxnCall::Kind::add_partitions:
      return "addPartitions";
    case TxnCall::Kind::add_offsets:
      return "addOffsets";
    case TxnCall::Kind::commit_offsets:
      return "commitOffsets";
    case TxnCall::Kind::end:
      return "end";
    case TxnCall::Kind::write_markers:
      return "writeMarkers";
  }
  return "";
}

std::string_view name_of(Sequence s) noexcept {
  switch (s) {
    case Sequence::none:
      return "none";
    case Sequence::first:
      return "first";
    case Sequence::next:
      return "next";
    case Sequence::repeated:
      return "repeated";
    case Sequence::gap:
      return "gap";
    case Sequence::new_epoch:
      return "newEpoch";
    case Sequence::old_epoch:
      return "oldEpoch";
  }
  return "";
}

TxnCall DetailReader::txn_call(int api_key, const Section& s) {
  TxnCall call;
  switch (api_key) {
    case 24:
      call.kind = TxnCall::Kind::add_partitions;
      break;
    case 25:
      call.kind = TxnCall::Kind::add_offsets;
      break;
    case 26:
      call.kind = TxnCall::Kind::end;
      break;
    case 27:
      call.kind = TxnCall::Kind::write_markers;
      break;
    case 28:
      call.kind = TxnCall::Kind::commit_offsets;
      break;
    default:
      call.kind = TxnCall::Kind::init;
      break;
  }
  call.transactional_id = s.transactional_id;
  call.producer_id = s.producer_id;
  call.producer_epoch = s.producer_epoch;
  call.timeout_ms = s.timeout_ms;
  call.group = s.group;
  call.committed = s.result;
  call.verify_only = s.verify_only;
  p_.partitions.clear();
  for (const Row& row : p_.asked_rows.rows_of(s)) p_.partitions.push({.topic = row.topic, .partition = row.partition});
  call.partitions = p_.partitions.view();
  return call;
}

// `asked_rows` holds the request.
void DetailReader::txn_calls(int api_key, std::int16_t version, const Stamp& first, const Stamp& at,
                             std::uint64_t serial, bool whole) {
  for (const Section& s : p_.asked_rows.sections.view()) {
    TxnCall call = txn_call(api_key, s);
    call.serial = serial;
    call.first = first;
    call.at = at;
    call.version = version;
    call.whole = whole;
    observer_.on_txn_call(call);
  }
}

// Rows of an answer come in the order of the request, so the search mostly ends at once.
std::int16_t DetailReader::result_of(const Row& row, std::size_t& hint) const noexcept {
  const auto rows = p_.answered_rows.rows.view();
  constexpr std::size_t patience = 256;
  for (std::size_t i = 0; i < rows.size() && i < patience; ++i) {
    const std::size_t at = (hint + i) % rows.size();
    if (rows[at].partition != row.partition || !same(rows[at].topic, row.topic)) continue;
    hint = at + 1;
    return rows[at].error;
  }
  return 0;
}

void DetailReader::txn_answer(const Response& r, const KeptRequest* asked) {
  {
    RowSink sink(p_.parts.data(), cluster_, p_.answered_rows);
    (void)walk_body(*r.api->response, r.version, r.body, sink);
    sink.finish();
  }
  bool whole = false;
  {
    RowSink sink(p_.parts.data(), cluster_, p_.asked_rows);
    if (asked) whole = !walk_request(*asked, sink) && asked->whole;
    sink.finish();
  }
  const auto answers = p_.answered_rows.sections.view();
  std::size_t n = 0;
  for (const Section& s : p_.asked_rows.sections.view()) {
    TxnCall call = txn_call(r.api_key, s);
    call.serial = r.serial;
    call.first = r.request_first;
    call.at = r.request_completed;
    call.version = r.request_version;
    call.whole = whole;
    // Sections of an answer are in the order of the request; where they aren't, their names tell.
    const Section* found = nullptr;
    for (std::size_t i = 0; i < answers.size() && i < 64 && !found; ++i) {
      const Section& a = answers[(n + i) % answers.size()];
      const bool only = answers.size() == 1 && p_.asked_rows.sections.size() == 1;
      if (only || (call.kind == TxnCall::Kind::write_markers ? a.producer_id == s.producer_id
                                                             : a.transactional_id == s.transactional_id))
        found = &a;
    }
    ++n;
    TxnAnswer answer;
    p_.results.clear();
    if (found) {
      answer.error = found->error;
      answer.producer_id = found->producer_id;
      answer.producer_epoch = found->producer_epoch;
      for (const Row& row : p_.answered_rows.rows_of(*found)) {
        if (answer.error == 0) answer.error = row.error;
        p_.results.push({.topic = row.topic, .partition = row.partition, .error = row.error});
      }
    }
    answer.partitions = p_.results.view();
    observer_.on_txn_answer(call, answer);
  }
}

// `asked_rows` holds the request, `answered_rows` the answer, if there is one.
void DetailReader::commits(const KeptRequest& asked, bool answered) {
  if (!(wants_ & Wants::offsets)) return;
  std::size_t hint = 0;
  for (const Section& s : p_.asked_rows.sections.view()) {
    for (const Row& row : p_.asked_rows.rows_of(s)) {
      observer_.on_offset_commit({.serial = asked.serial,
                                  .first = asked.first,
                                  .at = asked.completed,
                                  .group = s.group,
                                  .member = s.member,
                                  .instance = s.instance,
                                  .generation = s.generation,
                                  .transactional = asked.api_key == 28,
                                  .transactional_id = s.transactional_id,
                                  .producer_id = s.producer_id,
                                  .producer_epoch = s.producer_epoch,
                                  .topic = row.topic,
                                  .partition = row.partition,
                                  .offset = row.offset,
                                  .leader_epoch = row.leader_epoch,
                                  .metadata = row.metadata,
                                  .answered = answered,
                                  .error = answered ? result_of(row, hint) : std::int16_t{0}});
    }
  }
}

void DetailReader::rows_answer(const Response& r, const KeptRequest* asked) {
  if (r.api_key == 28 && (wants_ & Wants::transactions)) txn_answer(r, asked);
  if (!(wants_ & Wants::offsets)) return;
  {
    RowSink sink(p_.parts.data(), cluster_, p_.answered_rows);
    (void)walk_body(*r.api->response, r.version, r.body, sink);
    sink.finish();
  }
  {
    RowSink sink(p_.parts.data(), cluster_, p_.asked_rows);
    if (asked) (void)walk_request(*asked, sink);
    sink.finish();
  }
  if (r.api_key == 8 || r.api_key == 28) {
    if (asked) commits(*asked, true);
    return;
  }
  const Section question = p_.asked_rows.sections.size() > 0 ? p_.asked_rows.sections.view()[0] : Section{};
  if (r.api_key == 9) {
    for (const Section& s : p_.answered_rows.sections.view()) {
      for (const Row& row : p_.answered_rows.rows_of(s)) {
        observer_.on_offset_fetched({.group = s.group.empty() ? question.group : s.group,
                                     .member = question.member,
                                     .topic = row.topic,
                                     .partition = row.partition,
                                     .offset = row.offset,
                                     .metadata = row.metadata,
                                     .error = row.error != 0 ? row.error : s.error});
      }
    }
    return;
  }
  // ListOffsets: the question's timestamps stand in its own rows.
  const auto questions = p_.asked_rows.rows.view();
  std::size_t hint = 0;
  for (const Row& row : p_.answered_rows.rows.view()) {
    const Row* found = nullptr;
    for (std::size_t i = 0; i < questions.size() && i < 256 && !found; ++i) {
      const std::size_t at = (hint + i) % questions.size();
      if (questions[at].partition == row.partition && same(questions[at].topic, row.topic)) {
        found = &questions[at];
        hint = at + 1;
      }
    }
    if (!found) continue;
    observer_.on_offset_listed({.topic = row.topic,
                                .partition = row.partition,
                                .asked = found->timestamp,
                                .isolation = question.isolation,
                                .offset = row.offset,
                                .timestamp = row.timestamp,
                                .error = row.error});
  }
}

}  // namespace kparse
