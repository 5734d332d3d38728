// SPDX-License-Identifier: MIT
// Inner streams as files: DIR/N-client.bin and DIR/N-server.bin.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>

#include "decrypt/inner_capture.h"

namespace kparse::cli {

class Diagnostics;

/// Bytes that are missing are left out. Few files are open at a time. A file is begun anew by its first byte.
class StreamFiles final : public InnerWriter {
 public:
  StreamFiles(std::string folder, Diagnostics& diagnostics) : folder_(std::move(folder)), diagnostics_(diagnostics) {}
  ~StreamFiles() override;

  /// Makes the folder. False: it can't be written; the error has been printed.
  [[nodiscard]] bool open();
  /// False: something could not be written; the error has been printed.
  [[nodiscard]] bool finish();

  void data(const OpenedConnection&, bool from_client, std::uint64_t offset, Bytes, Stamp now) override;
  void close(const OpenedConnection&, Stamp) override;

 private:
  struct File {
    int fd = -1;  ///< -1: not open now
    std::string waiting;
    bool begun = false;
    std::list<std::uint64_t>::iterator place;  ///< in open_, while it is
  };
  void write(std::uint64_t key, File&);
  void close_file(File&);
  void fail(const std::string& name, int why);
  [[nodiscard]] std::string name_of(std::uint64_t key) const;

  std::string folder_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::uint64_t, File> files_;  ///< by conversation * 2, + 1 for the server
  std::list<std::uint64_t> open_;                  ///< the one used last in front
  bool failed_ = false;
};

}  // namespace kparse::cli
