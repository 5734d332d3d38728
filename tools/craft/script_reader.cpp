// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "craft/message.h"
#include "craft/script.h"
#include "craft/time.h"
#include "craft/yaml.h"

namespace kparse::craft {
namespace {

constexpr std::int64_t int32_low = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int32_high = std::numeric_limits<std::int32_t>::max();

/// What holds for all connections, for all of one, and for one step: the inner ones override.
struct Settings {
  std::optional<std::string> client_id = "craft";
  std::int64_t pause_ns = 1'000'000, took_ns = 1'000'000, rtt_ns = 200'000;
  std::uint16_t mss = 1460;
  capture::Endpoint server;
  Trouble trouble;
};

capture::Endpoint endpoint(const Item& i) {
  const auto e = capture::parse_endpoint(as_text(i));
  if (!e) throw ScriptError(i.line, fmt::format("'{}' is no address and port: 10.0.0.1:9092, [2001:db8::1]:9092", i.text));
  return *e;
}

std::optional<std::string> client_id(const Item& i) {
  if (i.is(Item::Kind::null)) return std::nullopt;
  if (!i.scalar()) throw ScriptError(i.line, "clientId is a text or null");
  return i.text;
}

Trouble trouble(const Item& i, Trouble t) {
  i.only({"loss", "retransmit", "duplicate", "reorder"}, "trouble");
  if (const Item* v = i.find("loss")) t.loss = as_share(*v);
  if (const Item* v = i.find("retransmit")) t.retransmit = as_share(*v);
  if (const Item* v = i.find("duplicate")) t.duplicate = as_share(*v);
  if (const Item* v = i.find("reorder")) t.reorder = as_share(*v);
  return t;
}

void settings(const Item& i, Settings& s) {
  if (const Item* v = i.find("clientId")) s.client_id = client_id(*v);
  if (const Item* v = i.find("pause")) s.pause_ns = as_duration(*v);
  if (const Item* v = i.find("took")) s.took_ns = as_duration(*v);
  if (const Item* v = i.find("rtt")) s.rtt_ns = as_duration(*v);
  if (const Item* v = i.find("mss")) s.mss = static_cast<std::uint16_t>(as_integer(*v, 1, 32768));
  if (const Item* v = i.find("server")) s.server = endpoint(*v);
  if (const Item* v = i.find("trouble")) s.trouble = trouble(*v, s.trouble);
}

std::string view(const Writer& w) { return std::string(kparse::text(w.view())); }

/// Four bytes of size, then `content`.
std::string framed(const std::string& content, std::optional<std::int64_t> size = {}) {
  Writer w;
  w.be(static_cast<std::int32_t>(size.value_or(static_cast<std::int64_t>(content.size()))));
  w.text(content);
  return view(w);
}

class StepReader {
 public:
  StepReader(const Settings& s, MessageBuilder& messages) : settings_(s), messages_(messages) {}

  Step read(const Item& i) {
    if (!i.is(Item::Kind::map)) throw ScriptError(i.line, "a step is a map of names and values");
    static constexpr std::string_view kinds[] = {"request", "frame", "bytes", "token", "gap", "window", "pause"};
    const Item* what = nullptr;
    std::string_view kind;
    for (const std::string_view k : kinds) {
      const Item* found = i.find(k);
      if (found == nullptr || (k == "pause" && what != nullptr)) continue;
      if (what != nullptr) throw ScriptError(i.line, fmt::format("a step is one of {}, not two", fmt::join(kinds, ", ")));
      what = found;
      kind = k;
    }
    if (what == nullptr) throw ScriptError(i.line, fmt::format("a step is one of {}", fmt::join(kinds, ", ")));
    Step s;
    s.after_ns = settings_.pause_ns;
    if (const Item* v = i.find("pause")) s.after_ns = as_duration(*v);
    if (const Item* v = i.find("at")) s.at_ns = as_duration(*v);
    if (kind == "pause") {
      i.only({"pause"}, "a pause");
    } else if (kind == "request") {
      request(i, *what, s);
    } else {
      other(i, *what, kind, s);
    }
    return s;
  }

 private:
  void request(const Item& i, const Item& name, Step& s) {
    i.only({"request", "version", "correlationId", "clientId", "body", "answer", "answerVersion", "answerCorrelationId",
            "took", "pipelined", "pause", "at"},
           "a request");
    const Api* api = name.is(Item::Kind::integer) ? find_api(static_cast<int>(name.integer)) : find_api(as_text(name));
    if (api == nullptr) throw ScriptError(name.line, fmt::format("there is no API '{}'", name.text));
    const Item* version = i.find("version");
    if (version == nullptr) throw ScriptError(i.line, fmt::format("'version' is missing: {} has {} to {}", api->name, api->request->versions.lo, api->request->versions.hi));
    const int v = static_cast<int>(as_integer(*version, 0, 32767));
    std::int64_t correlation = next_id_;
    if (const Item* c = i.find("correlationId")) correlation = as_integer(*c, int32_low, int32_high);
    next_id_ = correlation == int32_high ? int32_low : correlation + 1;
    std::optional<std::string> client = settings_.client_id;
    if (const Item* c = i.find("clientId")) client = client_id(*c);

    Writer w;
    const std::size_t begun = begin_frame(w);
    write_request_header(*api, v, static_cast<std::int32_t>(correlation), client, w);
    const Item* body = i.find("body");
    messages_.message(*api->request, v, body != nullptr ? *body : Item{.line = version->line}, w);
    if (!end_frame(w, begun) || !w.ok()) throw ScriptError(i.line, "the frame is too large");
    s.send.data = view(w);
    s.took_ns = settings_.took_ns;
    if (const Item* t = i.find("took")) s.took_ns = as_duration(*t);
    if (const Item* p = i.find("pipelined")) s.pipelined = as_boolean(*p);
    if (const Item* a = i.find("answer")) answer(i, *a, *api, v, correlation, s);
  }

  void answer(const Item& i, const Item& body, const Api& api, int version, std::int64_t correlation, Step& s) {
    if (body.is(Item::Kind::boolean) && !body.boolean) return;
    if (const Item* v = i.find("answerVersion")) version = static_cast<int>(as_integer(*v, 0, 32767));
    if (const Item* c = i.find("answerCorrelationId")) correlation = as_integer(*c, int32_low, int32_high);
    Writer w;
    const std::size_t begun = begin_frame(w);
    write_response_header(api, version, static_cast<std::int32_t>(correlation), w);
    messages_.message(*api.response, version, body, w);
    if (!end_frame(w, begun) || !w.ok()) throw ScriptError(i.line, "the frame is too large");
    s.answer = view(w);
  }

  void other(const Item& i, const Item& what, std::string_view kind, Step& s) {
    i.only(kind == "frame" ? std::initializer_list<std::string_view>{"frame", "from", "size", "pause", "at"}
           : kind == "token" ? std::initializer_list<std::string_view>{"token", "from", "pause", "at"}
           : kind == "gap"   ? std::initializer_list<std::string_view>{"gap", "from", "pause", "at"}
           : kind == "window" ? std::initializer_list<std::string_view>{"window", "from", "pause", "at"}
                             : std::initializer_list<std::string_view>{"bytes", "from", "pause", "at"},
           fmt::format("a step '{}'", kind));
    if (const Item* from = i.find("from")) {
      s.send.from_client = as_text(*from) == "client";
      if (!s.send.from_client && from->text != "server") throw ScriptError(from->line, "from is client or server");
    }
    if (kind == "gap") {
      s.send.missing = static_cast<std::uint64_t>(as_integer(what, 1, 1 << 30));
      return;
    }
    if (kind == "window") {
      s.send.window = static_cast<std::uint16_t>(as_integer(what, 0, 65535));
      return;
    }
    // Of a frame or bytes without a word about their form: hex digits. A token is text.
    const std::string data = what.is(Item::Kind::text) && kind != "token" ? parse_hex(what.text, what.line)
                             : what.is(Item::Kind::integer) && kind != "token" ? parse_hex(what.text, what.line)
                                                                               : messages_.bytes(what);
    if (kind == "bytes") {
      s.send.data = data;
      return;
    }
    std::optional<std::int64_t> size;
    if (const Item* v = i.find("size")) size = as_integer(*v, int32_low, int32_high);
    s.send.data = framed(data, size);
  }

  const Settings& settings_;
  MessageBuilder& messages_;
  std::int64_t next_id_ = 0;
};

const std::initializer_list<std::string_view> of_all = {
    "start", "seed",  "snaplen", "lose",      "comment",  "connections", "clientId", "pause", "took",  "rtt",
    "mss",   "server", "trouble", "client",   "begin",    "handshake",   "acks",     "close", "closedBy", "steps"};
const std::initializer_list<std::string_view> of_one = {"clientId", "pause",  "took",      "rtt",  "mss",   "server", "trouble",
                                                            "client",   "begin", "handshake", "acks", "close", "closedBy", "steps"};

Conversation conversation(const Item& i, Settings s, std::size_t number, MessageBuilder& messages) {
  settings(i, s);
  Conversation c;
  c.server = s.server;
  c.client = *capture::parse_endpoint(s.server.v6 ? "[2001:db8::1]:50000" : "10.0.0.1:50000");
  c.client.port = static_cast<std::uint16_t>(50000 + number % 15000);
  if (const Item* v = i.find("client")) c.client = endpoint(*v);
  if (c.client.v6 != c.server.v6) throw ScriptError(i.line, "client and server are of different IP versions");
  if (c.client == c.server) throw ScriptError(i.line, "client and server are the same");
  if (const Item* v = i.find("begin")) c.begin_ns = as_duration(*v);
  if (const Item* v = i.find("handshake")) c.handshake = as_boolean(*v);
  if (const Item* v = i.find("acks")) c.acks = as_boolean(*v);
  if (const Item* v = i.find("close")) {
    const std::string& how = as_text(*v);
    if (how != "fin" && how != "reset" && how != "open") throw ScriptError(v->line, "close is fin, reset or open");
    c.close = how == "fin" ? Close::fin : how == "reset" ? Close::reset : Close::open;
  }
  if (const Item* v = i.find("closedBy")) {
    c.server_closes = as_text(*v) == "server";
    if (!c.server_closes && v->text != "client") throw ScriptError(v->line, "closedBy is client or server");
  }
  c.mss = s.mss;
  c.rtt_ns = s.rtt_ns;
  c.trouble = s.trouble;
  const Item* steps = i.find("steps");
  if (steps == nullptr || !steps->is(Item::Kind::list)) throw ScriptError(steps ? steps->line : i.line, "'steps' is a list");
  StepReader reader(s, messages);
  for (const Item& step : steps->items) c.steps.push_back(reader.read(step));
  return c;
}

}  // namespace

Script read_script(const std::string& text) {
  const Item root = parse_script(text);
  Script script;
  const Item* connections = root.find("connections");
  root.only(of_all, "a script");
  if (connections != nullptr)
    for (const std::string_view one : {"client", "begin", "handshake", "acks", "close", "closedBy", "steps"})
      if (const Item* i = root.find(one)) throw ScriptError(i->line, fmt::format("with 'connections', '{}' belongs to one of them", one));

  const Item* start = root.find("start");
  script.start_ns = start != nullptr ? parse_start(as_text(*start), start->line) : 1767225600ll * 1'000'000'000;
  if (const Item* v = root.find("seed")) script.seed = static_cast<std::uint64_t>(as_integer(*v, 0, std::numeric_limits<std::int64_t>::max()));
  if (const Item* v = root.find("snaplen")) script.snaplen = static_cast<std::uint32_t>(as_integer(*v, 64, 1 << 30));
  if (const Item* v = root.find("comment")) script.comment = as_text(*v);
  if (const Item* v = root.find("lose")) {
    if (!v->is(Item::Kind::list)) throw ScriptError(v->line, "lose is a list of packet numbers");
    for (const Item& n : v->items) script.lose.push_back(static_cast<std::uint64_t>(as_integer(n, 1, std::numeric_limits<std::int64_t>::max())));
    std::sort(script.lose.begin(), script.lose.end());
  }

  Settings s;
  s.server = *capture::parse_endpoint("10.0.0.9:9092");
  settings(root, s);
  MessageBuilder messages(script.start_ns / 1'000'000);
  if (connections == nullptr) {
    script.conversations.push_back(conversation(root, s, 0, messages));
    return script;
  }
  if (!connections->is(Item::Kind::list)) throw ScriptError(connections->line, "'connections' is a list");
  for (const Item& i : connections->items) {
    i.only(of_one, "a connection");
    script.conversations.push_back(conversation(i, s, script.conversations.size(), messages));
  }
  return script;
}

}  // namespace kparse::craft
