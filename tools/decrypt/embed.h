// SPDX-License-Identifier: MIT
// A capture with the secrets of its TLS connections inside.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "kparse/key_log.h"

namespace kparse::cli {

/// NSS key log lines of these connections, in order of their randoms, without those that `except` has too.
[[nodiscard]] std::string key_log_lines(const KeyLog&, const std::set<TlsRandom>&, const KeyLog& except);

/// Copies `capture` to `sink` as pcapng, with `lines` (if any) in a Decryption Secrets Block before its packets. A
/// pcapng file is copied block by block, and unpacked; a pcap file becomes pcapng. A file that is cut off is copied up
/// to there. Returns "" or why it could not be read.
[[nodiscard]] std::string embed_secrets(const std::string& capture, std::string_view lines,
                                        const std::function<void(std::string_view)>& sink);

}  // namespace kparse::cli
