// SPDX-License-Identifier: MIT
// Readers of capture formats: bytes to packets.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/file_info.h"
#include "capture/packet.h"
#include "capture/window.h"

namespace kparse::capture {

/// A packet whose length is said to be more than this is taken for damage.
inline constexpr std::uint32_t max_packet = 256u << 20;

class Reader {
 public:
  virtual ~Reader() = default;
  /// Sets data, wire_length, link_type and stamp.time_ns. False: the end, or damage().
  virtual bool next(Packet&) = 0;
  [[nodiscard]] const std::optional<Damage>& damage() const noexcept { return damage_; }
  /// Secrets blocks met so far.
  [[nodiscard]] const std::vector<Secret>& secrets() const noexcept { return secrets_; }

 protected:
  bool stop(std::string reason, std::uint64_t offset) {
    if (!damage_) damage_ = Damage{std::move(reason), offset, false};
    return false;
  }
  /// The source ended inside of something that began at `offset`.
  bool cut(Window& w, const char* what, std::uint64_t offset) {
    if (!damage_ && w.source().damage()) damage_ = w.source().damage();
    return stop(std::string("cut off inside ") + what, offset);
  }
  /// The source ended between two things: fine, unless it failed.
  bool ended(Window& w) {
    if (!damage_ && w.source().damage()) damage_ = w.source().damage();
    return false;
  }

  std::optional<Damage> damage_;
  std::vector<Secret> secrets_;
};

struct OpenReader {
  std::unique_ptr<Reader> reader;  ///< null: see `error`
  std::string format;              ///< "pcap" or "pcapng"
  std::string error;
};

/// Looks at the first bytes. The window must outlive the reader.
[[nodiscard]] OpenReader open_reader(Window&);

[[nodiscard]] OpenReader open_pcap(Window&);
[[nodiscard]] OpenReader open_pcapng(Window&);
/// What libpcap knows and we don't: modified and other odd pcap headers.
[[nodiscard]] OpenReader open_with_libpcap(Window&);

}  // namespace kparse::capture
