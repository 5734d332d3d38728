// SPDX-License-Identifier: MIT
#include "support.h"

namespace kparse::test {

std::string frame(std::string_view content) {
  return Out().i32(static_cast<std::int64_t>(content.size())).raw(content);
}

std::string request(int key, int version, std::int32_t id, const char* client, std::string_view body, bool flexible) {
  Out o;
  o.i16(key).i16(version).i32(id);
  if (client)
    o.str(client);
  else
    o.i16(-1);
  if (flexible) o.i8(0);
  return frame(o.raw(body).bytes());
}

std::string response(std::int32_t id, std::string_view body) { return frame(Out().i32(id).raw(body).bytes()); }

std::string metadata(std::int32_t id, const char* client) {
  return request(3, 1, id, client, Out().i32(1).str("topic").bytes());
}
std::string metadata_answer(std::int32_t id) {
  return response(id, Out().i32(1).i32(1).str("broker-1.eu").i32(9092).i16(-1).i32(1).i32(0).bytes());
}
std::string heartbeat(std::int32_t id, const char* client) {
  return request(12, 0, id, client, Out().str("grp1").i32(3).str("member-1").bytes());
}
std::string heartbeat_answer(std::int32_t id) { return response(id, Out().i16(0).bytes()); }

std::string produce(std::int32_t id, int acks, std::size_t size, const char* client) {
  return request(0, 2, id, client,
                 Out()
                     .i16(acks)
                     .i32(1000)
                     .i32(1)
                     .str("a-long-topic1")
                     .i32(1)
                     .i32(0)
                     .i32(static_cast<std::int64_t>(size))
                     .raw(std::string(size, 'r'))
                     .bytes());
}
std::string produce_answer(std::int32_t id) {
  return response(id, Out().i32(1).str("abc").i32(1).i32(0).i16(0).i64(10).i64(-1).i32(0).bytes());
}

namespace {

std::string name(Side s) { return s == Side::client ? "client" : "server"; }

std::string place(const Frame& f) {
  std::string s = " @" + std::to_string(f.offset);
  if (f.error)
    s += ' ' + std::string(name_of(f.error.code)) + ' ' + std::to_string(f.error.have) + '/' +
         std::to_string(f.error.need);
  return s;
}

}  // namespace

void Recorder::note(const Frame& f, std::string line) {
  if (details)
    line += " p" + std::to_string(f.first.packet) + '-' + std::to_string(f.last.packet) + '/' +
            std::to_string(f.completed.packet);
  lines.push_back(std::move(line));
  completed.push_back(f.completed);
  first.push_back(f.first);
  last.push_back(f.last);
}

void Recorder::on_request(const Request& r) {
  std::string s = "request " + std::to_string(r.api_key) + " v" + std::to_string(r.version) + " #" +
                  std::to_string(r.correlation_id);
  if (!r.known) s += " unknown";
  if (!r.header_whole) s += " partial-header";
  if (!r.answer_expected) s += " silent";
  same_client.push_back(r.same_client);
  note(r.frame, s + place(r.frame));
}

void Recorder::on_response(const Response& r) {
  std::string s = "response ";
  if (r.matched) {
    s += std::to_string(r.api_key) + " v" + std::to_string(r.version);
    latencies.push_back(r.latency_ns);
    timed.push_back(r.timed());
  } else {
    s += "unmatched";
    guesses.push_back(r.guess);
  }
  s += r.header_whole || r.matched ? " #" + std::to_string(r.correlation_id) : " partial-header";
  note(r.frame, s + place(r.frame));
}

void Recorder::on_sasl(const SaslToken& t) {
  note(t.frame, "sasl " + name(t.frame.from) + ' ' + std::string(t.mechanism) + " size " +
                    std::to_string(t.frame.size) + place(t.frame));
}

void Recorder::on_gap(const Gap& g) {
  lines.push_back((g.cut ? "cut " : "gap ") + name(g.from) + " @" + std::to_string(g.offset) + ' ' +
                  std::to_string(g.bytes));
}
void Recorder::on_other(Side s, std::string_view what, Stamp) {
  lines.push_back("other " + name(s) + ' ' + std::string(what));
}
void Recorder::on_proxied(std::string_view client, Stamp) { lines.push_back("proxied " + std::string(client)); }
void Recorder::on_oriented(int client, bool guessed) {
  lines.push_back("client is " + std::to_string(client) + (guessed ? " guessed" : ""));
}
void Recorder::on_unanswered(std::uint64_t serial) { lines.push_back("unanswered " + std::to_string(serial)); }
void Recorder::on_resync(Side s, std::uint64_t skipped, Stamp) {
  lines.push_back("resync " + name(s) + ' ' + std::to_string(skipped));
}

std::string Recorder::all() const {
  std::string s;
  for (const std::string& line : lines) s += line + '\n';
  return s;
}

Talk::Talk(bool syn, ConnectionOptions o) : connection(o, heard) {
  if (syn) connection.syn_from(0);
  connection.set_higher_port(0);
}

void Talk::tick() {
  now.time_ns += 1'000'000;
  ++now.packet;
}

Talk& Talk::send(int direction, std::string_view bytes) {
  tick();
  // A copy of its own, so that reading past its end is seen by AddressSanitizer.
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  connection.data(direction, offset_[direction], copy, now, now);
  offset_[direction] += bytes.size();
  return *this;
}

Talk& Talk::lose(int direction, std::uint64_t bytes, bool cut) {
  tick();
  connection.gap(direction, offset_[direction], bytes, cut, now);
  offset_[direction] += bytes;
  return *this;
}

Talk& Talk::end(int direction) {
  tick();
  connection.end(direction, now);
  return *this;
}

std::string Talk::finish() {
  tick();
  connection.finish(now);
  return heard.all();
}

}  // namespace kparse::test
