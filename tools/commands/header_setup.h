// SPDX-License-Identifier: MIT
// --draft-headers and --header-register, made ready for use.
#pragma once

#include <optional>

#include "commands/command.h"
#include "kparse/draft_headers.h"
#include "kparse/header_register.h"

namespace kparse::cli {

struct HeaderSetup {
  HeaderRegister names;
  std::optional<DraftReader> draft;

  HeaderSetup() = default;
  HeaderSetup(const HeaderSetup&) = delete;  // `draft` points to `names`
  HeaderSetup& operator=(const HeaderSetup&) = delete;

  /// status_done, or the status to end with: what is wrong with the file has been said.
  [[nodiscard]] int load(Context&);
  /// For RecordOptions::draft. One thread at a time.
  [[nodiscard]] DraftDecoder* decoder() noexcept { return draft ? &*draft : nullptr; }
};

}  // namespace kparse::cli
