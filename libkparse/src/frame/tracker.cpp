// SPDX-License-Identifier: MIT
#include "kparse/tracker.h"

#include <string>

#include "frame/fit.h"
#include "frame/head.h"
#include "frame/pending.h"
#include "frame/sasl.h"
#include "kparse/same.h"
#include "kparse/varint.h"

namespace kparse {

using frame::Fit;
using frame::Pending;
using frame::PendingTable;
using frame::RequestHead;
using frame::SaslPhase;

namespace {

constexpr std::int16_t produce = 0, api_versions = 18, sasl_handshake = 17;
constexpr std::int16_t sasl_authenticate = 36;
constexpr std::int16_t unsupported_version = 35;

/// A Produce request's acks, -1 where the bytes don't tell. Source: ProduceRequest.json.
int acks_of(int version, const Message& m, Bytes body) noexcept {
  std::size_t at = 0;
  if (version >= 3) {
    if (m.flexible.has(version) || version > m.versions.hi) {
      std::uint32_t n = 0;
      const std::uint8_t* p = read_uvarint(body.data(), body.data() + body.size(), n);
      if (!p) return -1;
      at = static_cast<std::size_t>(p - body.data()) + (n > 0 ? n - 1 : 0);
    } else {
      if (body.size() < 2) return -1;
      const auto n = load_be<std::int16_t>(body.data());
      at = 2 + static_cast<std::size_t>(n > 0 ? n : 0);
    }
  }
  return at + 2 <= body.size() ? load_be<std::int16_t>(body.data() + at) : -1;
}

/// Beyond this a size found in a search is taken for something else.
std::size_t largest_answer(std::int16_t key) noexcept {
  constexpr std::int16_t fetch = 1, fetch_snapshot = 59, share_fetch = 78;
  if (key == fetch || key == fetch_snapshot || key == share_fetch) return 256u << 20;
  return key == api_versions || key == sasl_handshake || key == sasl_authenticate ? 64u << 10 : 64u << 20;
}

/// librdkafka's mock broker writes this answer in a layout of its own: no error, then a list of triples.
bool broken_api_versions(Bytes after_id, std::size_t total) noexcept {
  return total >= 16 && total <= 4096 && after_id.size() == total && load_be<std::int16_t>(after_id.data()) == 0;
}

}  // namespace

struct Tracker::State {
  explicit State(std::uint32_t max_pending) : pending(max_pending) {}

  PendingTable pending;
  SaslPhase sasl;
  std::uint64_t serial = 0;
  std::string client_id;       // the newest that isn't null
  std::int32_t last_id = 0;
  bool last_named = false;     // the request before told its client id, in a whole header,
  bool last_null = false;      // which was null
  bool repeats = false;  // this client uses an id for several requests
  bool lossy = false;    // frames of either side may be missing
  bool early = true;     // no request that comes after authentication was seen
  RequestHead head;      // the one read last, for plausible(): nearly always its frame is the next to come
  const std::uint8_t* head_of = nullptr;  // where it stands; nullptr: it is of no use

  void fill(const Frame& f, const RequestHead& h, Request& r) noexcept;
  void answered(const Frame& f, const Pending& p, Response& r) noexcept;
  [[nodiscard]] std::size_t find(std::int32_t id, const Frame&) const noexcept;
  [[nodiscard]] std::size_t due(Bytes id_begin) const noexcept;
};

void Tracker::State::fill(const Frame& f, const RequestHead& h, Request& r) noexcept {
  r.frame = f;
  r.header_whole = h.state == RequestHead::State::whole;
  r.serial = serial++;
  const bool named_before = last_named;
  last_named = r.header_whole && h.client_id_whole;
  if (!h.fixed_part) {
    r.answer_expected = true;
    return;
  }
  r.api = h.api;
  r.api_key = h.key;
  r.version = h.version;
  r.known = h.known;
  r.header_version = h.header_version;
  r.correlation_id = h.correlation_id;
  if (h.client_id_whole) {
    r.client_id = h.client_id;
    r.client_id_null = h.client_id_null;
    const bool same = h.client_id_null || same_text(h.client_id, client_id);
    r.same_client = same && named_before && h.client_id_null == last_null;
    last_null = h.client_id_null;
    if (!same) client_id.assign(h.client_id);
  }
  if (r.header_whole) r.body = f.data.subspan(h.length);
  if (h.key == produce && h.api && r.header_whole && h.version >= 0)
    r.answer_expected = acks_of(h.version, *h.api->request, r.body) != 0;

  Pending p;
  p.api = h.api;
  p.key = h.key;
  p.version = h.version;
  p.silent = !r.answer_expected;
  p.whole = f.whole();
  p.serial = r.serial;
  p.offset = f.offset;
  p.first = f.first;
  p.last = f.last;
  p.completed = f.completed;
  repeats = repeats || (r.serial > 0 && h.correlation_id == last_id);
  last_id = h.correlation_id;
  pending.push(h.correlation_id, p);
}

std::size_t Tracker::State::find(std::int32_t id, const Frame& f) const noexcept {
  const Bytes after_id = f.data.subspan(4);
  const std::size_t total = f.size - 4;
  const std::size_t first = pending.find(id, 0);
  if (first == PendingTable::none || !lossy) return first;
  const bool several = pending.find(id, first + 1) != PendingTable::none;
  if (!several && !repeats) return first;
  // Order no longer tells which of them: time and the layout may.
  std::size_t at = first;
  for (int tries = 0; at != PendingTable::none && tries < 8; ++tries, at = pending.find(id, at + 1)) {
    const Pending p = pending.at(at);
    if (p.first.time_ns > f.completed.time_ns) continue;
    int layout = 0;
    if (!p.api || !p.api->request->versions.has(p.version)) return at;
    if (frame::fit_response(*p.api, p.version, after_id, total, layout) != Fit::bad) return at;
  }
  return several ? first : PendingTable::none;
}

/// The oldest request without an answer, if its id begins like this.
std::size_t Tracker::State::due(Bytes id_begin) const noexcept {
  const std::size_t at = pending.oldest();
  if (at == PendingTable::none) return at;
  const auto id = static_cast<std::uint32_t>(pending.id(at));
  for (std::size_t n = 0; n < id_begin.size(); ++n)
    if (id_begin[n] != static_cast<std::uint8_t>(id >> (24 - 8 * n))) return PendingTable::none;
  return at;
}

Tracker::Tracker(std::uint32_t max_pending) : s_(new State(max_pending)) {}
Tracker::~Tracker() = default;
Tracker::Tracker(Tracker&&) noexcept = default;

Tracker::Got Tracker::client(const Frame& f, Request& r, SaslToken& t) noexcept {
  State& s = *s_;
  const bool read = s.head_of && s.head_of == f.data.data() && s.head.state == RequestHead::State::whole;
  s.head_of = nullptr;
  const RequestHead h = read ? s.head : frame::read_request_head(f.data, f.size);
  if (s.sasl.client_token(f, h, s.early, s.client_id)) {
    t.frame = f;
    t.mechanism = s.sasl.mechanism();
    return Got::token;
  }
  s.fill(f, h, r);
  if (r.api_key != api_versions && r.api_key != sasl_handshake && r.api_key != sasl_authenticate) s.early = false;
  if (r.api_key == sasl_handshake && r.version == 0 && r.header_whole) s.sasl.asked(r.body, r.serial);
  return Got::message;
}

void Tracker::State::answered(const Frame& f, const Pending& p, Response& r) noexcept {
  r.matched = true;
  r.api = p.api;
  r.api_key = p.key;
  r.version = r.request_version = p.version;
  r.serial = p.serial;
  r.expected = !p.silent;
  r.request_first = p.first;
  r.request_last = p.last;
  r.request_completed = p.completed;
  r.request_offset = p.offset;
  r.request_whole = p.whole;
  r.latency_ns = f.completed.time_ns - p.completed.time_ns;
  r.first_byte_ns = f.first.time_ns - p.completed.time_ns;
  const Bytes after_id = f.data.subspan(std::min<std::size_t>(f.data.size(), 4));
  if (!p.api) return;
  if (p.key == api_versions && after_id.size() >= 2 && load_be<std::int16_t>(after_id.data()) == unsupported_version) {
    int layout = 0;
    const bool has = p.api->request->versions.has(p.version);
    const Fit fits = has ? frame::fit_response(*p.api, p.version, after_id, f.size - 4, layout) : Fit::bad;
    if (fits == Fit::bad || fits == Fit::so_far) layout = 0;
    r.version = static_cast<std::int16_t>(layout);
  }
  r.known = p.api->response->versions.has(r.version);
  r.header_version = static_cast<std::int8_t>(p.version >= 0 ? response_header_version(*p.api, r.version) : 0);
  r.body = after_id;
  if (r.header_version >= 1) {
    bool cut = false;
    const std::size_t n = frame::tagged_length(after_id, f.size - 4, cut);
    r.body = n > 0 ? after_id.subspan(n) : Bytes{};
    r.header_whole = n > 0;
  }
}

Tracker::Got Tracker::server(const Frame& f, Response& r, SaslToken& t, bool may_wait) noexcept {
  State& s = *s_;
  const bool has_id = f.data.size() >= 4;
  const std::int32_t id = has_id ? load_be<std::int32_t>(f.data.data()) : 0;
  std::size_t at = has_id && f.size >= 4 ? s.find(id, f) : PendingTable::none;
  // Whose id is damaged answers what is due: brokers answer in the order of the requests. After a loss that may be one that
  // nobody has seen, but then the client's next request mustn't lose its answer to this one where all have the same id.
  if (!has_id && f.size >= 4 && (!s.lossy || (s.repeats && s.pending.one_waits()))) at = s.due(f.data);
  if (at == PendingTable::none) {
    const bool handshake = s.early && f.whole() && frame::is_handshake_answer(f.data);
    if (handshake) s.sasl.implied(id);
    switch (handshake ? SaslPhase::ServerFrame::response : s.sasl.server_frame(f.data, may_wait)) {
      case SaslPhase::ServerFrame::token:
        t.frame = f;
        t.mechanism = s.sasl.mechanism();
        return Got::token;
      case SaslPhase::ServerFrame::unclear:
        return Got::unclear;
      case SaslPhase::ServerFrame::response:
        break;
    }
    const std::int64_t ahead = static_cast<std::int64_t>(id) - s.last_id;
    if (may_wait && has_id && !(handshake && s.lossy) && (!s.pending.waiting() || (ahead > 0 && ahead <= 16)))
      return Got::unclear;
  }
  r.frame = f;
  r.header_whole = has_id;
  r.correlation_id = id;
  if (at == PendingTable::none) return Got::message;
  const Pending p = s.pending.at(at);
  s.pending.answer(at);
  s.answered(f, p, r);
  if (p.key == sasl_handshake && p.version == 0) {
    const bool refused = r.body.size() >= 2 && load_be<std::int16_t>(r.body.data()) != 0;
    s.sasl.answered(p.serial, !refused);
  }
  return Got::message;
}

bool Tracker::plausible(Side side, std::uint32_t size, Bytes head) noexcept {
  State& s = *s_;
  constexpr std::uint32_t largest_token = 1u << 20;  // sasl.server.max.receive.size is 512 KiB
  constexpr std::uint32_t largest_stray = 256u << 20;
  if (side == Side::server) {
    if (s.sasl.server_may_send_token() && size <= largest_token) return true;
    if (size < 4) return false;
    if (head.size() < 4 || size <= largest_stray) return true;
    return s.pending.has(load_be<std::int32_t>(head.data()));
  }
  if (s.sasl.client_may_send_token() && size <= largest_token) return true;
  if (s.early && (frame::is_gssapi_token(head, size) || frame::looks_like_token(Side::client, head))) return true;
  const RequestHead& h = s.head = frame::read_request_head(head, size);
  s.head_of = head.data();
  if (h.state == RequestHead::State::bad) return false;
  if (!h.fixed_part) return true;
  if (h.known) return same_text(h.client_id, s.client_id) || frame::textual(h.client_id);
  // Keys and versions newer than the tables are welcome where a client id stands behind them.
  const bool named = !h.client_id_null && !h.client_id.empty() && frame::printable(h.client_id);
  if (h.api && h.version > h.api->request->versions.hi) return named || h.client_id_null || head.size() < 10;
  return named || head.size() < 10;
}

bool Tracker::continues(Side side, std::uint32_t size, Bytes begin) const noexcept {
  if (side == Side::client) {
    const RequestHead h = frame::read_request_head(begin, size);
    return !h.known || h.state != RequestHead::State::whole || frame::fit_request(h, begin, size, true) != Fit::bad;
  }
  if (begin.size() < 4) return true;
  const auto id = load_be<std::int32_t>(begin.data());
  return !awaits(id) || fits(id, begin.subspan(4), size - 4) != Fits::no;
}

bool Tracker::token_at(Side side, Bytes content) const noexcept {
  const State& s = *s_;
  if (!frame::looks_like_token(side, content)) return false;
  if (side == Side::client) return s.early || s.sasl.client_may_send_token();
  return content.empty() ? s.sasl.server_owes_token() : s.sasl.server_token_due();  // four zeros may be anything
}

void Tracker::lost(Side) noexcept {
  s_->lossy = true;
  s_->head_of = nullptr;
}
void Tracker::finish() noexcept { s_->pending.give_up_all(); }
bool Tracker::take_unanswered(std::uint64_t& serial) noexcept { return s_->pending.take_given_up(serial); }
bool Tracker::awaits(std::int32_t id) const noexcept {
  const std::size_t at = s_->pending.find(id, 0);
  return at != PendingTable::none && !s_->pending.passed(at);
}
std::int32_t Tracker::newest_id() const noexcept { return s_->last_id; }
std::uint64_t Tracker::requests() const noexcept { return s_->serial; }
std::string_view Tracker::client_id() const noexcept { return s_->client_id; }

Tracker::Fits Tracker::fits(std::int32_t id, Bytes after_id, std::size_t total, std::size_t* sound) const noexcept {
  const PendingTable& pending = s_->pending;
  Fits best = Fits::no;
  std::size_t at = pending.find(id, 0);
  for (int tries = 0; at != PendingTable::none && tries < 8; ++tries, at = pending.find(id, at + 1)) {
    const Pending p = pending.at(at);
    int layout = 0;
    if (pending.passed(at) || total > largest_answer(p.key)) continue;
    if (!p.api || !p.api->request->versions.has(p.version)) {
      best = Fits::roughly;
      continue;
    }
    switch (frame::fit_response(*p.api, p.version, after_id, total, layout, sound)) {
      case Fit::exact:
        return Fits::exactly;
      case Fit::so_far:
        best = Fits::so_far;
        break;
      case Fit::surplus:
        best = Fits::roughly;
        break;
      case Fit::bad:
        if (p.key == api_versions && broken_api_versions(after_id, total)) best = Fits::roughly;
        break;
    }
  }
  return best;
}

}  // namespace kparse
