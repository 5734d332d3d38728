// SPDX-License-Identifier: MIT
// The selected frames as a capture of their own.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "decrypt/packets.h"
#include "extract/redact_frame.h"
#include "extract/selection.h"
#include "kparse/events.h"

namespace kparse::cli {

/// What a frame is to whoever reads it: two with the same print decode to the same.
struct FramePrint {
  int kind = 0;  ///< request, response, token
  std::int16_t api_key = -1, version = -1;
  std::int32_t correlation_id = 0;
  bool matched = false;
  Code error = Code::none;
  std::uint64_t size = 0, bytes = 0;  ///< `bytes`: a hash
  bool operator==(const FramePrint&) const = default;
};
/// By the place of the conversation in the order of first frames, client before server.
using FramePrints = std::vector<std::array<std::vector<FramePrint>, 2>>;

/// Takes the prints of all frames that it hears of.
class PrintTaker final : public Observer {
 public:
  [[nodiscard]] const FramePrints& prints() const noexcept { return prints_; }

  void end_request(const ConversationInfo&, const Request&, const Error&) override;
  void end_response(const ConversationInfo&, const Response&, const Error&) override;
  void on_sasl(const ConversationInfo&, const SaslToken&) override;

 private:
  std::map<std::uint64_t, std::size_t> places_;
  FramePrints prints_;
};

/// Hears everything, writes what is selected.
class Copier final : public Observer {
 public:
  Copier(const Selection& selection, FrameRedactor* redactor, capture::PcapngWriter& to)
      : selection_(selection), redactor_(redactor), packets_(to) {}

  void end_request(const ConversationInfo&, const Request&, const Error&) override;
  void end_response(const ConversationInfo&, const Response&, const Error&) override;
  void on_sasl(const ConversationInfo&, const SaslToken&) override;
  void on_close(const ConversationInfo&, Stamp) override;
  void finish() { packets_.flush(); }

  /// Of the frames as they were written.
  [[nodiscard]] const FramePrints& prints() const noexcept { return prints_; }
  [[nodiscard]] std::uint64_t conversations() const noexcept { return prints_.size(); }

 private:
  struct Talk {
    OpenedConnection connection;
    std::size_t place = 0;
  };
  Talk& talk(const ConversationInfo&, const Stamp&);
  void write(const ConversationInfo&, const Frame&, FramePrint);

  const Selection& selection_;
  FrameRedactor* redactor_;  ///< nullptr: as it is
  PacketWriter packets_;
  std::map<std::uint64_t, Talk> talks_;
  FramePrints prints_;
  Writer frame_;
  std::int64_t last_time_ = 0;
};

}  // namespace kparse::cli
