// SPDX-License-Identifier: MIT
// Decryption Secrets Blocks, wherever in a file they are.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "capture/file_info.h"

namespace kparse::capture {

/// Type of a Secret whose data is text of an NSS key log.
inline constexpr std::uint32_t tls_key_log = 0x544c534b;

/// All secrets of a capture file: reads it to its end. Nothing for a file that can't be read, or only once (a pipe), or
/// that isn't pcapng. `stop` (may be null): ends the reading.
[[nodiscard]] std::vector<Secret> read_secrets(const std::string& name, const std::atomic<bool>* stop = nullptr);

}  // namespace kparse::capture
