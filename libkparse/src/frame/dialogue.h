// SPDX-License-Identifier: MIT
// A connection of which it is known that it is Kafka, and who is the client: two Framers, one Tracker, the handler.
#pragma once

#include <cstdint>
#include <string_view>

#include "frame/held.h"
#include "frame/seek.h"
#include "kparse/connection.h"
#include "kparse/framer.h"
#include "kparse/tracker.h"

namespace kparse::frame {

class Dialogue final : public FramerHost {
 public:
  struct Start {
    std::uint64_t offset = 0;
    bool known = false;  ///< a frame begins there
  };
  Dialogue(const ConnectionOptions&, ConnectionHandler&, Start client, Start server);

  /// See Connection::begin_missed.
  void begin_missed(Side) noexcept;
  void data(Side, std::uint64_t offset, Bytes, Stamp carried, Stamp now) noexcept;
  void missing(Side, const Missing&, Stamp now) noexcept;
  void end(Side, Stamp now) noexcept;
  /// What stays incomplete was so with the last packet that brought something.
  void settle(Stamp now) noexcept;
  void finish(Stamp now) noexcept;
  /// No on_other any more.
  void set_named() noexcept { named_ = true; }

  bool plausible(Side, Bytes begin) noexcept override;
  bool begins_frame(Side, Bytes begin) noexcept override;
  Sought seek(Side, Bytes window, bool last) noexcept override;
  bool on_frame(const Frame&) noexcept override;
  void on_lost_place(Side, Bytes rest, Stamp) noexcept override;
  void on_found_place(Side, std::uint64_t skipped, Stamp) noexcept override;

 private:
  void client_frame(const Frame&) noexcept;
  /// False: it waits for its request.
  enum class Taken : std::uint8_t { yes, waits, denied };
  [[nodiscard]] Taken server_frame(const Frame&, bool may_wait, bool may_deny = false) noexcept;
  void release_held(bool may_wait) noexcept;
  void tell_unanswered() noexcept;
  void catch_up(Stamp now) noexcept;

  ConnectionHandler& handler_;
  Tracker tracker_;
  Framer client_, server_;
  const std::uint32_t max_frame_;
  Start start_[2];
  RequestSeeker request_seeker_;
  ResponseSeeker response_seeker_;
  HeldFrames held_;
  bool client_heard_ = false;
  bool ended_[2] = {};
  bool named_ = false;
  ResponseSeeker::Edge edge_[2];         ///< of the window of this side's search
  std::uint64_t searched_requests_ = 0;  ///< Tracker::requests() when the server's search last ran
  Stamp searched_at_;
  Stamp last_;  ///< of the newest event
};

}  // namespace kparse::frame
