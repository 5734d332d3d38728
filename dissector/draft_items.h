// SPDX-License-Identifier: GPL-2.0-or-later
// Messages of KIP-82's drafts, where the preference asks for them.
#pragma once

#include "item_writer.h"
#include "kparse/draft_headers.h"

namespace kparse::dissector {

/// Of the profile that the preference names; nullptr: none, nothing looks for drafts.
[[nodiscard]] DraftReader* draft_reader() noexcept;

/// The user's names of header keys; "": the drafts' own sample alone. Tells the user what is wrong with the file.
void load_header_register(const char* path);

/// The headers of a draft message, which begins at `at` of the writer's bytes.
void add_draft_headers(const ItemWriter&, Bytes message, int at);

}  // namespace kparse::dissector
