// SPDX-License-Identifier: MIT
// The schema as JSON documents (COMMAND: "schema --format json").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kparse/schema.h"

namespace kparse::cli {

/// "0-12", "7", "" when empty.
[[nodiscard]] std::string text_of(Versions);
/// "int32", "[]string", "struct", "[]struct".
[[nodiscard]] std::string type_of(const Field&);
/// Children of a row, in the order of the wire: tagged ones last, by tag. With a version only those that it has.
[[nodiscard]] std::vector<NodeId> children(NodeId parent, std::optional<int> version);

/// The table of all APIs.
[[nodiscard]] std::string api_table_json();
/// One message, all its versions or one; or both messages of an API, as `request` and `response`.
[[nodiscard]] std::string message_json(const Message&, std::optional<int> version);
[[nodiscard]] std::string api_json(const Api&, std::optional<int> version);

}  // namespace kparse::cli
