// SPDX-License-Identifier: MIT
// From the frames of one connection to typed events: walks each body once and tells an Observer what it means.
#pragma once

#include <cstdint>
#include <memory>

#include "kparse/cluster.h"
#include "kparse/connection.h"
#include "kparse/events.h"

namespace kparse {

struct BodyFindings;
class DetailReader;
struct RequestFacts;

/// Compiled programs and buffers that the interpreters of one thread share. Built once: some 100 µs.
class InterpreterPrograms {
 public:
  InterpreterPrograms();
  ~InterpreterPrograms();
  InterpreterPrograms(InterpreterPrograms&&) noexcept;
  struct Impl;
  Impl& impl() noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

struct InterpreterOptions {
  bool bodies = true;   ///< false: headers only, begin_* and end_* come without anything between (latency needs no more)
};

/// One per connection; give it to a Connection as its handler. Everything it holds must outlive it. Not thread-safe.
/// Memory: what a request's answer needs to know of it (group, wait), for at most 4096 requests; the tail of the
/// snapshot that is being fetched, at most 16 MiB. Allocates nothing per frame after warm-up. For what an observer wants
/// beside the basics: copies of requests that wait for their answer (at most 512, together 4 MiB), and what Cluster keeps.
/// A body that can't be read to its end gives the events up to there; end_* has the error.
class Interpreter final : public ConnectionHandler {
 public:
  Interpreter(const ConversationInfo&, Cluster&, InterpreterPrograms&, Observer&, const InterpreterOptions&);
  ~Interpreter() override;

  void on_request(const Request&) override;
  void on_response(const Response&) override;
  void on_sasl(const SaslToken&) override;
  void on_gap(const Gap&) override;
  void on_other(Side, std::string_view what, Stamp) override;
  void on_not_a_frame(const NotAFrame&) override;
  void on_unanswered(std::uint64_t serial) override;
  void on_resync(Side, std::uint64_t skipped, Stamp) override;
  /// The connection is over: call once, after the last event.
  void on_close(Stamp);

 private:
  struct State;
  void speaks_kafka();
  Error walk_body(const Message&, int version, Bytes body, std::uint64_t serial, bool response);
  void learn(const RecordsSeen&) noexcept;
  void asked(int api_key, std::uint64_t serial, const BodyFindings&);
  void answered(int api_key, const RequestFacts*, const BodyFindings&);

  const ConversationInfo& info_;
  Cluster& cluster_;
  InterpreterPrograms::Impl& programs_;
  Observer& observer_;
  InterpreterOptions options_;
  std::unique_ptr<State> state_;   ///< made at the first frame: most connections of a capture may not be Kafka
  Wants wants_;
  bool announced_ = false;
};

}  // namespace kparse
