// SPDX-License-Identifier: MIT
// The members that a frame's line has in every command that prints one line a frame (COMMAND: "dump --format ndjson").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kparse/events.h"
#include "kparse/json.h"

namespace kparse::cli {

/// Each begins with `kind` and stops before `body`: call within an object, and add what else the line has.
/// `captures`: the file names, as Stamp::file counts them.
void append_request_members(JsonWriter&, const std::vector<std::string>& captures, const ConversationInfo&, const Request&);
void append_response_members(JsonWriter&, const std::vector<std::string>& captures, const ConversationInfo&, const Response&);
void append_sasl_members(JsonWriter&, const std::vector<std::string>& captures, const ConversationInfo&, const SaslToken&,
                         bool show_secrets);
void append_gap_members(JsonWriter&, const std::vector<std::string>& captures, const ConversationInfo&, const Gap&);
void append_other_members(JsonWriter&, const std::vector<std::string>& captures, const ConversationInfo&, Side from,
                          std::string_view what, Stamp at);

/// For people: what was found on a conversation; of TLS also what was agreed on, and why it stays closed.
[[nodiscard]] std::string other_text(const ConversationInfo&, std::string_view what);

/// `"error":{...}`; nothing when there is none.
void append_error_member(JsonWriter&, const Error&);

/// A TCP connection's side as `from` prints it.
[[nodiscard]] std::string_view name_of(Side) noexcept;

}  // namespace kparse::cli
