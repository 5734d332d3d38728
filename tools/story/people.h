// SPDX-License-Identifier: MIT
// Who speaks on a connection.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "kparse/events.h"

namespace kparse::story {

/// Text from the wire, kept: at most `most` bytes of it.
[[nodiscard]] std::string clipped(std::string_view, std::size_t most = 512);

/// "10.0.0.1" of "10.0.0.1:9092", "::1" of "[::1]:9092".
[[nodiscard]] std::string_view host_of(std::string_view endpoint) noexcept;

/// A client as far as its connection tells.
struct Person {
  std::string client_id;
  bool client_id_null = true;
  std::string address;  ///< "ip:port", or what a PROXY header names
  std::string server;
  std::string software, software_version;
};

/// The clients of open connections. A software that one connection told is that of the same client id at the same host.
class People {
 public:
  void request(const ConversationInfo&, const Request&);
  void software(const ConversationInfo&, const ClientSoftwareSeen&);
  void close(const ConversationInfo&);
  /// Of the connection: by its newest request.
  [[nodiscard]] Person of(const ConversationInfo&) const;
  /// Likewise, its client id only, "" unknown. Valid until the next call of request() or close().
  [[nodiscard]] std::string_view client_id(const ConversationInfo&) const;

 private:
  Person& open(std::uint64_t conversation);
  struct Software {
    std::string name, version;
  };
  static constexpr std::size_t max_software = 20'000;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Person>> open_;  ///< by conversation
  std::map<std::pair<std::string, std::string>, Software> software_;  ///< by host and client id
  std::uint64_t last_number_ = 0;
  Person* last_ = nullptr;
};

/// When a frame was there: of one that lacks bytes, when the last of it that is there came.
[[nodiscard]] inline Stamp time_of(const Frame& f) noexcept { return f.whole() ? f.completed : f.last; }

/// Orders by time; where that is equal, by place.
[[nodiscard]] inline bool earlier(const Stamp& a, const Stamp& b) noexcept {
  if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
  return a.file != b.file ? a.file < b.file : a.packet < b.packet;
}

}  // namespace kparse::story
