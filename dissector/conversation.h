// SPDX-License-Identifier: GPL-2.0-or-later
// One connection on the first pass: its bytes go through the library, which finds the frames; what it finds is kept for
// the file.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compat.h"
#include "kparse/connection.h"
#include "kparse/events.h"
#include "kparse/interpreter.h"
#include "kparse/tee.h"
#include "lint.h"
#include "pdu.h"
#include "segment_order.h"

namespace kparse::dissector {

/// What one call of the dissector has to show.
struct Shown {
  /// What bytes at the end are, or all of them, that belong to no frame.
  enum class Rest : std::uint8_t {
    none,
    waiting,  ///< begin or continue a frame that a later packet completes
    early,    ///< came before what goes before them
    old,      ///< were there already
  };

  std::uint32_t packet = 0, key = 0;  ///< the call
  Pdu* first = nullptr;               ///< frames that this packet completes, in order
  const std::uint32_t* completed_in = nullptr;  ///< waiting: that packet, 0 while it isn't known
  std::uint32_t rest_bytes = 0;
  Rest rest = Rest::none;
  bool foreign = false;  ///< not Kafka: not ours to show
  bool tells = false;    ///< with this packet it became clear that it is Conversation::foreign_name()
};

class Conversation final : public ConnectionHandler, private OrderedBytes {
 public:
  Conversation();
  ~Conversation() override;

  bool recognised = false;  ///< by its bytes, not by its port

  /// How lint names it: before the first bytes. `ends`: "address:port" of both directions' senders.
  void set_name(std::uint32_t number, const char* const (&ends)[2]);
  /// Lint shall know that both directions are here from their first byte. Of TCP's own packets it is told nothing else.
  void tell_begin(int client, Stamp) noexcept;
  /// Its bytes come out of TLS.
  void set_inside_tls() noexcept;

  /// Who sent the SYN, and the direction that comes from the higher port: before the first bytes.
  void syn_from(int direction) noexcept { connection_->syn_from(direction); }
  void set_higher_port(int direction) noexcept { connection_->set_higher_port(direction); }
  [[nodiscard]] SegmentOrder& order() noexcept { return order_; }

  /// Bytes of a TCP segment. `acked[d]`: up to where direction d's bytes are acknowledged.
  struct Acks {
    bool known[2] = {false, false};
    std::uint32_t acked[2] = {0, 0};
    bool ended[2] = {false, false};  ///< direction d's FIN has been seen, as number fin[d]
    std::uint32_t fin[2] = {0, 0};
  };
  /// nullptr: no memory. `key` tells several calls for one packet apart.
  const Shown* tcp(int direction, const SegmentOrder::Segment&, std::uint32_t key, const Acks&) noexcept;
  /// The next bytes that were inside TLS.
  const Shown* tls(int direction, Bytes, std::uint32_t key, Stamp) noexcept;
  /// What an earlier pass found; nullptr: it saw nothing there. O(log n).
  [[nodiscard]] const Shown* find(std::uint32_t packet, std::uint32_t key) const noexcept;
  [[nodiscard]] bool foreign() const noexcept { return foreign_; }
  [[nodiscard]] const char* foreign_name() const noexcept { return foreign_name_; }
  /// The first pass is over: what its end settles is shown in the packets that carry it: frames behind a hole that was
  /// still waited for, frames whose rest is not in the capture, a connection of which too little was seen to be sure. Of
  /// this packet; nullptr: nothing. Packets of the last minute may be followed by more (a live capture): then frames that
  /// aren't whole go on waiting.
  [[nodiscard]] const Shown* settle(std::uint32_t packet) noexcept;
  /// No more will come: tells lint.
  void close() noexcept;

  void on_oriented(int client_direction, bool guessed) override;
  void on_proxied(std::string_view, Stamp) override;
  void on_request(const Request&) override;
  void on_response(const Response&) override;
  void on_sasl(const SaslToken&) override;
  void on_gap(const Gap&) override;
  void on_other(Side, std::string_view what, Stamp) override;
  void on_not_a_frame(const NotAFrame&) override;
  void on_unanswered(std::uint64_t serial) override;
  void on_resync(Side, std::uint64_t skipped, Stamp) override;

 private:
  struct Arrived {  // bytes of a packet that no frame has claimed yet
    std::uint64_t offset;
    std::uint32_t bytes;
    std::uint32_t packet;
  };
  struct Direction {
    std::vector<Arrived> arrived;
    std::uint32_t* completed_in = nullptr;  // of the frame that is being gathered
    std::uint64_t fed = 0;                  // stream bytes given to the library
    std::uint64_t done = 0;                 // those that frames and gaps have claimed
  };

  void on_bytes(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now) noexcept override;
  void on_missing(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown,
                  Stamp now) noexcept override;
  void begin(int direction, Bytes, std::int64_t offset, std::uint32_t key, Stamp);
  const Shown* end();
  Pdu* add(Pdu::Kind, const Frame&);
  void append(Pdu*);
  void place(Pdu&, const Frame&);
  void find_pieces(Kept&, const Frame&, int direction, std::uint32_t length);
  void claim(int direction, std::uint64_t end);
  void learn(Pdu&, const Message*, int version, Bytes body);
  [[nodiscard]] int direction_of(Side s) const noexcept { return s == Side::client ? client_ : 1 - client_; }

  SegmentOrder order_{*this};
  Direction directions_[2];
  int client_ = 0;

  // The packet that is being looked at.
  std::deque<Shown> shown_;  // in order of packets
  Shown* now_ = nullptr;
  Pdu* last_pdu_ = nullptr;
  Bytes bytes_;
  std::int64_t bytes_offset_ = 0;
  int bytes_direction_ = 0;
  std::uint32_t packet_ = 0;

  bool foreign_ = false;
  const char* foreign_name_ = "";
  bool any_ = false;  // something was shown
  bool settled_ = false, finished_ = false;
  Stamp last_;
  std::unordered_map<std::uint32_t, Shown> late_;  // by packet: what settle() found
  const Words* words_;
  struct Open {
    std::uint64_t serial;
    Exchange* exchange;  // nullptr: it is over
  };
  [[nodiscard]] Exchange* take(std::uint64_t serial) noexcept;
  void prune() noexcept;
  std::vector<Open> open_;  // requests that wait, by serial
  std::size_t prune_at_ = 32;  // entries

  struct RecordSets final : Observer {
    void on_records(const RecordsSeen& r) override;
    std::vector<Bytes> seen;  // in the frame that is being looked at
  };

  Lint* const lint_;  // nullptr: nobody asked
  std::string ends_[2], proxied_;
  ConversationInfo info_;
  RecordSets record_sets_;
  Tee tee_;
  Interpreter interpreter_;  // teaches the cluster
  std::optional<Connection> connection_;
};

/// All conversations of the capture that is open; they live as long as it.
[[nodiscard]] Conversation& new_conversation();
/// The first pass is over: lint says its last words. Cheap when it has.
void settle_lint() noexcept;
void forget_conversations() noexcept;

}  // namespace kparse::dissector
