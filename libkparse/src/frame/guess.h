// SPDX-License-Identifier: MIT
// Which API an answer without a request belongs to, where its bytes leave no doubt.
#pragma once

#include <cstdint>

#include "kparse/bytes.h"

namespace kparse::frame {

/// `after_id`: a whole response frame behind its correlation id. -1: can't be told.
[[nodiscard]] std::int16_t guess_response(Bytes after_id) noexcept;

}  // namespace kparse::frame
