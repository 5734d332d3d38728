// SPDX-License-Identifier: MIT
// Streams built by hand, and a handler that writes down what it hears, a line an event.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kparse/connection.h"

namespace kparse::test {

/// Appends Kafka's plain encodings.
class Out {
 public:
  Out& i8(int v) { return put(static_cast<std::uint64_t>(v), 1); }
  Out& i16(int v) { return put(static_cast<std::uint64_t>(v), 2); }
  Out& i32(std::int64_t v) { return put(static_cast<std::uint64_t>(v), 4); }
  Out& i64(std::int64_t v) { return put(static_cast<std::uint64_t>(v), 8); }
  Out& str(std::string_view s) { return i16(static_cast<int>(s.size())).raw(s); }
  Out& compact(std::string_view s) { return i8(static_cast<int>(s.size()) + 1).raw(s); }
  Out& raw(std::string_view s) {
    bytes_ += s;
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  operator std::string() const { return bytes_; }

 private:
  Out& put(std::uint64_t v, int n) {
    while (n-- > 0) bytes_ += static_cast<char>(v >> (8 * n));
    return *this;
  }
  std::string bytes_;
};

[[nodiscard]] std::string frame(std::string_view content);
/// Header version 1; 2 with `flexible`. `client`: nullptr for null.
[[nodiscard]] std::string request(int key, int version, std::int32_t id, const char* client, std::string_view body = {},
                                  bool flexible = false);
[[nodiscard]] std::string response(std::int32_t id, std::string_view body);

/// Metadata v1 for one topic, and an answer of one broker and no topic.
[[nodiscard]] std::string metadata(std::int32_t id, const char* client = "test");
[[nodiscard]] std::string metadata_answer(std::int32_t id);
/// Heartbeat v0, whose answer is the shortest there is: an error code.
[[nodiscard]] std::string heartbeat(std::int32_t id, const char* client = "test");
[[nodiscard]] std::string heartbeat_answer(std::int32_t id);
/// Produce v2 of one partition with `size` bytes of records.
[[nodiscard]] std::string produce(std::int32_t id, int acks, std::size_t size = 20, const char* client = "test");
[[nodiscard]] std::string produce_answer(std::int32_t id);

/// "request 3 v1 #7 @0", "response 3 v1 #7 @0", "gap client @10 5", "unanswered 0", ...
class Recorder : public ConnectionHandler {
 public:
  void on_request(const Request&) override;
  void on_response(const Response&) override;
  void on_sasl(const SaslToken&) override;
  void on_gap(const Gap&) override;
  void on_other(Side, std::string_view what, Stamp) override;
  void on_not_a_frame(const NotAFrame& n) override {
    odd += std::string(n.from == Side::client ? "client @" : "server @") + std::to_string(n.offset) + (n.kafka ? " kafka" : "") +
           (n.first ? " first " : " ") + std::string(text(n.bytes)) + "\n";
  }
  void on_proxied(std::string_view client, Stamp) override;
  void on_oriented(int client, bool guessed) override;
  void on_unanswered(std::uint64_t serial) override;
  void on_resync(Side, std::uint64_t skipped, Stamp) override;

  std::vector<std::string> lines;
  std::string odd;  ///< "client @0 first GET / HTTP/1.1", a line for each that is no frame
  std::vector<Stamp> completed, first, last;  ///< of the frames, in order
  std::vector<std::int64_t> latencies;
  std::vector<bool> timed;
  std::vector<int> guesses;  ///< of unmatched responses
  std::vector<bool> same_client;  ///< of the requests
  bool details = false;      ///< packets too

  [[nodiscard]] std::string all() const;

 private:
  void note(const Frame&, std::string line);
};

/// Feeds a Connection: each call is a packet, one millisecond after the one before.
class Talk {
 public:
  /// `syn`: the start was captured, the client is direction 0.
  explicit Talk(bool syn = true, ConnectionOptions o = {});

  Talk& c(std::string_view bytes) { return send(0, bytes); }
  Talk& s(std::string_view bytes) { return send(1, bytes); }
  Talk& send(int direction, std::string_view bytes);
  Talk& lose(int direction, std::uint64_t bytes, bool cut = false);
  Talk& lose_c(std::uint64_t bytes) { return lose(0, bytes); }
  Talk& lose_s(std::uint64_t bytes) { return lose(1, bytes); }
  Talk& end(int direction);
  /// The end of everything; returns what was heard.
  std::string finish();

  Recorder heard;
  Connection connection;
  Stamp now;

 private:
  void tick();
  std::uint64_t offset_[2] = {};
};

}  // namespace kparse::test
