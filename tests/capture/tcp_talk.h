// SPDX-License-Identifier: MIT
// A scripted TCP conversation, and what the handler heard of it as text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "capture/tcp.h"
#include "packet_builder.h"

namespace kparse::capture {

/// Streams as text: bytes as they are, a lost stretch as "[n]", a cut one as "<n>", FIN as "|".
class Recorder : public StreamHandler {
 public:
  struct Conversation {
    std::string stream[2];
    std::uint64_t at[2] = {0, 0};
    int syn = -1;
    int begin_missed = -1;
    std::string closed;
  };
  std::map<std::uint64_t, Conversation> all;
  std::string log;  // "0a: bytes@packet/now" for data, in order
  bool tiled = true;
  std::vector<SegmentSeen> segments;

  bool wants_segments() const noexcept override { return true; }
  void on_segment(Conn&, const SegmentSeen& s) override { segments.push_back(s); }
  void on_open(Conn& c, const Stamp&) override { all[c.number()]; }
  void on_syn(Conn& c, int d, const Stamp&) override { all[c.number()].syn = d; }
  void on_begin_missed(Conn& c, int d) override { all[c.number()].begin_missed = d; }
  void on_data(Conn& c, int d, std::uint64_t offset, Bytes b, const Stamp& carried, const Stamp& now) override {
    place(c, d, offset, b.size(), std::string(kparse::text(b)));
    log += std::to_string(d) + ":" + std::string(kparse::text(b)) + "@" + std::to_string(carried.packet) + "/" +
           std::to_string(now.packet) + " ";
  }
  void on_gap(Conn& c, int d, std::uint64_t offset, std::uint64_t n, bool cut, const Stamp& shown,
              const Stamp&) override {
    place(c, d, offset, n, (cut ? "<" : "[") + std::to_string(n) + (cut ? ">" : "]"));
    log += std::to_string(d) + (cut ? ":cut" : ":lost") + std::to_string(n) + "@" + std::to_string(shown.packet) + " ";
  }
  void on_end(Conn& c, int d, const Stamp&) override { all[c.number()].stream[d] += "|"; }
  void on_close(Conn& c, CloseReason r, const Stamp&) override {
    const char* names[] = {"fin", "reset", "reused", "evicted", "end"};
    all[c.number()].closed += names[static_cast<int>(r)];
  }

 private:
  void place(Conn& c, int d, std::uint64_t offset, std::uint64_t n, const std::string& s) {
    Conversation& v = all[c.number()];
    tiled = tiled && v.at[d] == offset && n != 0 && v.closed.empty();
    v.at[d] = offset + n;
    v.stream[d] += s;
  }
};

/// Client and server by sequence numbers relative to their ISN + 1; every call is a packet, 1 ms after the one before.
class Talk {
 public:
  enum : std::uint8_t { F = 1, S = 2, R = 4, A = 16 };
  explicit Talk(TcpOptions o = {}) : table(recorder, o) {}

  Recorder recorder;
  TcpTable table;
  std::uint32_t client_isn = 1000, server_isn = 5000;
  std::uint16_t port = 40000;
  std::uint64_t packet = 0;
  std::int64_t time_ns = 0;
  std::uint32_t cut = 0;  // bytes of the next payload that weren't captured
  std::uint16_t window = 500;
  std::string options;    // of the next SYN
  std::uint32_t id = 1;   // IP identification; 0: none

  Talk& client(std::int64_t seq, std::int64_t ack, const std::string& s = "", std::uint8_t flags = A) {
    return send(0, client_isn + 1 + static_cast<std::uint32_t>(seq), server_isn + 1 + static_cast<std::uint32_t>(ack),
                s, flags);
  }
  Talk& server(std::int64_t seq, std::int64_t ack, const std::string& s = "", std::uint8_t flags = A) {
    return send(1, server_isn + 1 + static_cast<std::uint32_t>(seq), client_isn + 1 + static_cast<std::uint32_t>(ack),
                s, flags);
  }
  Talk& handshake() { return client(-1, -1, "", S).server(-1, 0, "", S | A).client(0, 0); }
  /// So many packets that tell nothing new.
  Talk& pass(int n, std::int64_t client_seq, std::int64_t server_seq) {
    for (int i = 0; i < n; ++i) client(client_seq, server_seq);
    return *this;
  }
  Talk& send(int side, std::uint32_t seq, std::uint32_t ack, const std::string& s, std::uint8_t flags) {
    Segment t;
    t.source.ip[3] = t.destination.ip[3] = 1;
    t.source.port = side == 0 ? port : 9092;
    t.destination.port = side == 0 ? 9092 : port;
    t.seq = seq;
    t.acknowledged = (flags & A) != 0 ? ack : 0;
    t.flags = flags;
    t.window = window;
    if ((flags & S) != 0) t.options = {reinterpret_cast<const std::uint8_t*>(options.data()), options.size()};
    t.wire_payload = static_cast<std::uint32_t>(s.size());
    t.payload = {reinterpret_cast<const std::uint8_t*>(s.data()), s.size() - cut};
    t.ip_id = id == 0 ? 0 : id++;
    cut = 0;
    time_ns += 1'000'000;
    table.add(t, {time_ns, ++packet, 0});
    return *this;
  }
  /// The next packet is the one before once more.
  Talk& again() {
    --id;
    return *this;
  }
  Talk& cut_off(std::uint32_t n) {
    cut = n;
    return *this;
  }
  Talk& end() {
    table.finish();
    EXPECT_TRUE(recorder.tiled);
    return *this;
  }
  const Recorder::Conversation& conversation(std::uint64_t n = 0) { return recorder.all[n]; }
  std::string from_client(std::uint64_t n = 0) { return conversation(n).stream[0]; }
  std::string from_server(std::uint64_t n = 0) { return conversation(n).stream[1]; }
};

}  // namespace kparse::capture
