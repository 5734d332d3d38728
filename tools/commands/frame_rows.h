// SPDX-License-Identifier: MIT
// The lines of `kparse frames`: one class for each format.
#pragma once

#include <memory>

#include "commands/options.h"
#include "kparse/events.h"
#include "output/output.h"
#include "records/frame_summary.h"

namespace kparse::cli {

class FrameRows {
 public:
  virtual ~FrameRows() = default;
  virtual void request(const ConversationInfo&, const Request&, const FrameSummary&, const Error&) = 0;
  virtual void response(const ConversationInfo&, const Response&, const FrameSummary&, const Error&) = 0;
  virtual void sasl(const ConversationInfo&, const SaslToken&) = 0;
  virtual void gap(const ConversationInfo&, const Gap&) = 0;
  virtual void other(const ConversationInfo&, Side from, std::string_view what, Stamp) = 0;
};

[[nodiscard]] std::unique_ptr<FrameRows> make_frame_json(const CommonOptions&, Output&);
[[nodiscard]] std::unique_ptr<FrameRows> make_frame_text(const CommonOptions&, Output&);
[[nodiscard]] std::unique_ptr<FrameRows> make_frame_csv(const CommonOptions&, Output&);

/// "NOT_LEADER_OR_FOLLOWER", or the number of a code that has no name.
[[nodiscard]] std::string error_text(std::int16_t code);

}  // namespace kparse::cli
