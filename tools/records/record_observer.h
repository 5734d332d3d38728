// SPDX-License-Identifier: MIT
// Opens the records fields of a capture, in the order in which their exchanges are complete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "kparse/cluster.h"
#include "kparse/events.h"
#include "records/client_ids.h"
#include "records/produce_hold.h"
#include "records/record_out.h"

namespace kparse::cli {

/// Fetched records are given at once, produced ones when their answer tells their offsets: or without, when there is none,
/// or when more than ProduceHold's limit waits. Memory: what waits, and the client ids of open conversations.
class RecordObserver final : public Observer {
 public:
  RecordObserver(const Cluster&, const RecordOptions&, RecordOut&, std::uint64_t hold_limit = ProduceHold::default_limit);

  /// What could not be read, and where it was first.
  struct Unread {
    std::uint64_t batches = 0;
    std::uint64_t snapshot_bytes = 0;
    Error error;
    Stamp at;
  };
  [[nodiscard]] const Unread& unread() const noexcept { return unread_; }
  [[nodiscard]] std::uint64_t records() const noexcept { return records_; }

  void begin_request(const ConversationInfo&, const Request&) override;
  void end_request(const ConversationInfo&, const Request&, const Error&) override;
  void begin_response(const ConversationInfo&, const Response&) override;
  void end_response(const ConversationInfo&, const Response&, const Error&) override;
  void on_records(const RecordsSeen&) override;
  void on_produce_answered(const ProduceAnswered&) override;
  void on_unanswered(const ConversationInfo&, std::uint64_t serial) override;
  void on_close(const ConversationInfo&, Stamp) override;

 private:
  struct Answer {
    TopicKey topic;
    std::int32_t partition;
    std::int64_t base_offset;            ///< -1: not written
  };
  struct Sink;

  void give(const RecordsPlace&, Bytes records, std::optional<std::int64_t> base_offset);
  /// Gives a held request with the offsets in `answers_`, and lets go of it.
  void give_held(HeldProduce&);
  [[nodiscard]] std::optional<std::int64_t> answer_for(const HeldProduce::Part&) const;

  const Cluster& cluster_;
  const RecordOptions options_;
  RecordOut& out_;
  Scratch scratch_;
  ProduceHold hold_;
  absl::flat_hash_map<std::uint64_t, ClientIds> clients_;  ///< by conversation
  std::vector<Answer> answers_;          ///< of the response at hand
  std::size_t answer_count_ = 0;

  const ConversationInfo* conversation_ = nullptr;
  const Request* request_ = nullptr;     ///< at hand
  const Response* response_ = nullptr;
  HeldProduce* held_ = nullptr;          ///< of the request at hand
  Unread unread_;
  std::uint64_t records_ = 0;
};

}  // namespace kparse::cli
