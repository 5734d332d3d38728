// SPDX-License-Identifier: MIT
// Where the secrets of TLS come from: --keylog, SSLKEYLOGFILE, blocks in the captures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "capture/file_info.h"
#include "kparse/key_log.h"

namespace kparse::cli {

class Diagnostics;

/// Not thread-safe. Nothing is read before the first TLS connection but the files of --keylog.
class SecretStore {
 public:
  SecretStore(std::vector<std::string> key_logs, std::vector<std::string> captures, Diagnostics&);
  SecretStore(const SecretStore&) = delete;
  SecretStore& operator=(const SecretStore&) = delete;

  [[nodiscard]] KeyLog& log() noexcept { return log_; }
  /// A secret is missing. Reads what was not read yet: the file of SSLKEYLOGFILE, the blocks of all captures that can
  /// be read twice, and those met so far in the others. True: there may be more now.
  bool look_for_more(const std::vector<capture::Secret>& met);
  /// A file of --keylog could not be read.
  [[nodiscard]] bool unreadable() const noexcept { return unreadable_; }

 private:
  [[nodiscard]] bool read_file(const std::string& name, bool asked_for);
  void add(std::string_view source, std::string_view text);
  void add_block(std::string_view source, const capture::Secret&);
  void tell(std::string_view source, std::uint64_t line, std::string_view what);
  void end_of(std::string_view source);

  std::vector<std::string> captures_;
  Diagnostics& diagnostics_;
  KeyLog log_;
  std::set<std::string> blocks_;  ///< taken already: a scan meets those that the reading meets
  std::size_t met_ = 0;
  std::uint64_t broken_ = 0, left_out_ = 0, others_ = 0;
  bool looked_ = false, unreadable_ = false;
};

}  // namespace kparse::cli
