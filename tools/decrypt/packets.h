// SPDX-License-Identifier: MIT
// Inner streams as a capture that any tool can read: IP and TCP headers made up around what was said.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/pcapng_writer.h"
#include "decrypt/inner_capture.h"

namespace kparse::cli {

/// Raw IP packets of at most 32 KiB. Addresses, ports and times are the capture's; sequence numbers are made up, and
/// jump where bytes are missing. Checksums are right.
class PacketWriter final : public InnerWriter {
 public:
  explicit PacketWriter(capture::PcapngWriter& to) : to_(to) {}

  void begin(const OpenedConnection&, Stamp) override;
  void data(const OpenedConnection&, bool from_client, std::uint64_t offset, Bytes, Stamp now) override;
  void missing(const OpenedConnection&, bool from_client, const Missing&, Stamp now) override;
  void end(const OpenedConnection&, bool from_client, Stamp) override;
  void close(const OpenedConnection&, Stamp) override;
  /// Writes what still waits for more of the same.
  void flush();

 private:
  struct Side {
    std::uint32_t next = 0;  ///< sequence number
    bool ended = false;
  };
  struct Sides {
    Side client, server;
  };
  void write(const OpenedConnection&, bool from_client, std::uint8_t flags, Bytes payload, std::int64_t time_ns);
  /// A packet without data: not before what is written already.
  void signal(const OpenedConnection&, bool from_client, std::uint8_t flags, std::int64_t time_ns);

  capture::PcapngWriter& to_;
  std::unordered_map<std::uint64_t, Sides> sides_;
  std::uint32_t begun_ = 0;  ///< connections
  std::int64_t last_time_ = 0;
  // Data of one record often comes in several pieces: they become one packet.
  OpenedConnection waiting_of_;
  bool waiting_from_client_ = false;
  std::int64_t waiting_time_ = 0;
  std::vector<std::uint8_t> waiting_;
};

}  // namespace kparse::cli
