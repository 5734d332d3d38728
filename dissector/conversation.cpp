// SPDX-License-Identifier: GPL-2.0-or-later
#include "conversation.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

#include "facts.h"
#include "kparse/decode.h"
#include "open_capture.h"
#include "topics.h"

namespace kparse::dissector {

namespace {

void set(const char*& word, std::string_view to) {
  if (!to.empty() && to != word) word = keep(to);
}

/// `before`, if nothing has changed.
const Words* keep(const Words& w, const Words* before) {
  if (w.protocol_type == before->protocol_type && w.protocol_name == before->protocol_name &&
      w.mechanism == before->mechanism)
    return before;
  Words* kept = in_file_scope<Words>();
  *kept = w;
  return kept;
}

constexpr Words no_words;

InterpreterPrograms& interpreter_programs() {
  static auto* programs = new InterpreterPrograms;
  return *programs;
}

/// Nothing more will come: it isn't being captured just now.
bool is_over(Stamp last) noexcept {
  constexpr std::int64_t silence_ns = 60'000'000'000;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - last.time_ns > silence_ns;
}

}  // namespace

Cluster& cluster() noexcept { return capture()->cluster; }

Conversation& new_conversation() {
  return *capture()->conversations.emplace_back(std::make_unique<Conversation>());
}

void forget_conversations() noexcept {
  delete capture();
  forget_lint();
  capture() = new Capture;
}

void settle_lint() noexcept {
  Lint* const l = lint();
  if (!l || l->finished() || !is_over(l->last())) return;
  for (const auto& c : capture()->conversations) {
    (void)c->settle(0);
    c->close();
  }
  l->finish();
}

namespace {

std::vector<Observer*> observers(Observer& first, Lint* lint) {
  std::vector<Observer*> all{&first};
  if (lint) all.push_back(&lint->observer());
  return all;
}

/// What lint must know of TLS that Wireshark opened.
const TlsInfo& opened_tls() {
  static const TlsInfo& opened = *[] {
    auto* t = new TlsInfo;
    t->client.opened = t->server.opened = 1;
    return t;
  }();
  return opened;
}

}  // namespace

Conversation::Conversation()
    : words_(&no_words), lint_(open_lint(capture()->cluster)), tee_(observers(record_sets_, lint_)),
      interpreter_(info_, capture()->cluster, interpreter_programs(),
                   lint_ ? static_cast<Observer&>(tee_) : static_cast<Observer&>(record_sets_), {}),
      connection_(std::in_place, ConnectionOptions{}, *this) {}

Conversation::~Conversation() = default;

void Conversation::set_name(std::uint32_t number, const char* const (&ends)[2]) {
  if (!lint_) return;
  for (int d : {0, 1}) ends_[d] = ends[d];
  info_.number = number;
  info_.client = ends_[0];
  info_.server = ends_[1];
}

void Conversation::tell_begin(int client, Stamp at) noexcept try {
  if (!lint_) return;
  constexpr std::uint32_t any_window = 65535;
  SegmentSeen s{.at = at, .direction = client, .flags = SegmentSeen::syn, .window = any_window};
  lint_->observer().on_segment(info_, s);
  s.direction = 1 - client;
  s.flags = SegmentSeen::syn | SegmentSeen::ack;
  lint_->observer().on_segment(info_, s);
} catch (const std::exception&) {
}

void Conversation::set_inside_tls() noexcept { info_.tls = &opened_tls(); }

void Conversation::close() noexcept try {
  interpreter_.on_close(last_);
} catch (const std::exception&) {
}

void Conversation::begin(int direction, Bytes bytes, std::int64_t offset, std::uint32_t key, Stamp at) {
  packet_ = static_cast<std::uint32_t>(at.packet);
  now_ = &shown_.emplace_back(Shown{.packet = packet_, .key = key});
  last_pdu_ = nullptr;
  bytes_ = bytes;
  bytes_offset_ = offset;
  bytes_direction_ = direction;
  last_ = at;
  if (lint_) lint_->now(at);
  settled_ = false;
  if (!finished_) return;
  // A live capture goes on after all.
  finished_ = false;
  open_.clear();
  connection_.emplace(ConnectionOptions{}, *this);
  connection_->set_higher_port(client_);
}

const Shown* Conversation::end() {
  Direction& d = directions_[bytes_direction_];
  Shown& s = *now_;
  now_ = nullptr;
  any_ = any_ || s.first != nullptr;
  s.foreign = foreign_ && !s.first;
  if (d.fed > d.done && !foreign_ && s.rest == Shown::Rest::none) {
    s.rest = Shown::Rest::waiting;
    s.rest_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(d.fed - d.done, bytes_.size()));
    if (!d.completed_in) {
      d.completed_in = in_file_scope<std::uint32_t>();
      *d.completed_in = 0;
    }
    s.completed_in = d.completed_in;
  }
  return &s;
}

const Shown* Conversation::tcp(int direction, const SegmentOrder::Segment& s, std::uint32_t key,
                               const Acks& acks) noexcept try {
  begin(direction, s.bytes, order_.offset_of(direction, s.seq), key, s.stamp);
  for (int d : {0, 1})
    if (acks.ended[d]) order_.ends_at(d, acks.fin[d]);
  const SegmentOrder::Got got = order_.add(direction, s);
  if (got != SegmentOrder::Got::in_order) {
    now_->rest = got == SegmentOrder::Got::early ? Shown::Rest::early : Shown::Rest::old;
    now_->rest_bytes = s.wire;
  }
  order_.check(s.stamp, acks.known, acks.acked);
  return end();
} catch (const std::exception&) {  // no memory
  now_ = nullptr;
  return nullptr;
}

const Shown* Conversation::tls(int direction, Bytes bytes, std::uint32_t key, Stamp at) noexcept try {
  const std::uint64_t offset = directions_[direction].fed;
  begin(direction, bytes, static_cast<std::int64_t>(offset), key, at);
  on_bytes(direction, offset, bytes, at, at);
  return end();
} catch (const std::exception&) {
  now_ = nullptr;
  return nullptr;
}

const Shown* Conversation::find(std::uint32_t packet, std::uint32_t key) const noexcept {
  auto it = std::lower_bound(shown_.begin(), shown_.end(), packet,
                             [](const Shown& s, std::uint32_t p) { return s.packet < p; });
  for (; it != shown_.end() && it->packet == packet; ++it)
    if (it->key == key) return &*it;
  return nullptr;
}

const Shown* Conversation::settle(std::uint32_t packet) noexcept try {
  if (!settled_) {
    settled_ = true;
    order_.finish(last_);
    if (is_over(last_)) {
      finished_ = true;
      connection_->finish(last_);
    } else {
      connection_->settle(last_);
    }
  }
  const auto it = late_.find(packet);
  return it == late_.end() ? nullptr : &it->second;
} catch (const std::exception&) {
  return nullptr;
}

void Conversation::on_bytes(int direction, std::uint64_t offset, Bytes bytes, Stamp carried, Stamp now) noexcept {
  Direction& d = directions_[direction];
  d.fed = offset + bytes.size();
  d.arrived.push_back({offset, static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(carried.packet)});
  connection_->data(direction, offset, bytes, carried, now);
  if (foreign_) d.arrived.clear();
}

void Conversation::on_missing(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown,
                              Stamp now) noexcept {
  directions_[direction].fed = offset + bytes;
  connection_->gap(direction, offset, bytes, cut, shown, now);
}

/// Everything before `end` belongs to what has been shown.
void Conversation::claim(int direction, std::uint64_t end) {
  Direction& d = directions_[direction];
  d.done = std::max(d.done, end);
  std::erase_if(d.arrived, [&](const Arrived& a) { return a.offset + a.bytes <= d.done; });
  if (d.completed_in) {
    *d.completed_in = packet_;
    d.completed_in = nullptr;
  }
}

namespace {

/// Where in the list. A frame is handed on after the gap that ends it, and comes before it.
Pdu** place_in(Pdu** list, const Pdu& pdu) noexcept {
  const auto behind = [&pdu](const Pdu& other) {
    return other.kind == Pdu::Kind::gap && pdu.kind != Pdu::Kind::gap && pdu.kind != Pdu::Kind::skipped &&
           other.from == pdu.from && other.offset > pdu.offset;
  };
  while (*list && !behind(**list)) list = &(*list)->next;
  return list;
}

}  // namespace

void Conversation::append(Pdu* pdu) {
  if (now_ && (!last_pdu_ || last_pdu_->kind != Pdu::Kind::gap)) {
    (last_pdu_ ? last_pdu_->next : now_->first) = pdu;
    last_pdu_ = pdu;
    return;
  }
  Pdu** const place = place_in(now_ ? &now_->first : &late_[packet_].first, *pdu);
  pdu->next = *place;
  *place = pdu;
  if (now_ && !pdu->next) last_pdu_ = pdu;
}

void Conversation::RecordSets::on_records(const RecordsSeen& r) {
  if (!r.records.empty()) seen.push_back(r.records);
}

/// Where a frame's bytes are to be shown from.
void Conversation::place(Pdu& pdu, const Frame& f) {
  const int direction = direction_of(f.from);
  const auto length = static_cast<std::uint32_t>(4 + f.data.size());
  pdu.bytes = length;
  const std::int64_t at = static_cast<std::int64_t>(f.offset) - bytes_offset_;
  const std::int64_t end = at + length;
  // What this packet has of it; the size field tells nothing that isn't known.
  const std::int64_t there = std::min<std::int64_t>(static_cast<std::int64_t>(f.data.size()), end);
  const bool ends_here = now_ && direction == bytes_direction_ && f.offset_exact && there >= 0 &&
                         end <= static_cast<std::int64_t>(bytes_.size()) &&
                         (there == 0 || std::memcmp(bytes_.data() + (end - there), f.data.data() + (length - 4 - there),
                                                    static_cast<std::size_t>(there)) == 0);
  if (ends_here && at >= 0) {
    pdu.at = static_cast<std::uint32_t>(at);
    return;
  }
  Kept* const kept = capture()->bytes.keep(f.size, f.data, record_sets_.seen, ends_here ? static_cast<std::uint32_t>(there) : 0);
  find_pieces(*kept, f, direction, length);
  pdu.kept = kept;
  pdu.is_kept = true;
}

void Conversation::find_pieces(Kept& kept, const Frame& f, int direction, std::uint32_t length) {
  const auto overlap = [&](const Arrived& a) {
    const std::uint64_t from = std::max(a.offset, f.offset), to = std::min(a.offset + a.bytes, f.offset + length);
    return from < to ? static_cast<std::uint32_t>(to - from) : 0;
  };
  const auto& arrived = directions_[direction].arrived;
  std::uint32_t count = 0;
  for (const Arrived& a : arrived) count += overlap(a) > 0;
  if (count == 0) return;
  auto* pieces = static_cast<Piece*>(in_file_scope(count * sizeof(Piece)));
  kept.pieces = pieces;
  for (const Arrived& a : arrived) {
    const std::uint32_t bytes = overlap(a);
    if (bytes == 0) continue;
    if (kept.piece_count > 0 && pieces[kept.piece_count - 1].packet == a.packet)
      pieces[kept.piece_count - 1].bytes += bytes;
    else
      pieces[kept.piece_count++] = {a.packet, bytes};
  }
}

Pdu* Conversation::add(Pdu::Kind kind, const Frame& f) {
  Pdu* pdu = in_file_scope<Pdu>();
  pdu->kind = kind;
  pdu->from = f.from;
  pdu->offset = f.offset;
  pdu->offset_exact = f.offset_exact;
  pdu->size = f.size;
  pdu->error = f.error.code;
  pdu->words = words_;
  if (!now_) packet_ = static_cast<std::uint32_t>(f.last.packet);
  place(*pdu, f);
  append(pdu);
  claim(direction_of(f.from), f.offset + 4 + f.size);
  return pdu;
}

void Conversation::learn(Pdu& pdu, const Message* message, int version, Bytes body) {
  if (!message || !pdu.known || !pdu.header_whole || !tells_facts(pdu.api_key)) return;
  const Facts facts = facts_of(*message, version, body);
  Words words = *words_;
  set(words.protocol_type, facts.protocol_type);
  set(words.protocol_name, facts.protocol_name);
  set(words.mechanism, facts.mechanism);
  words_ = keep(words, words_);
  if (facts.inner_request.empty() || !pdu.exchange) return;
  const RequestHeader inner = decode_request_header(facts.inner_request);
  if (inner.error) return;
  pdu.exchange->inner_api_key = inner.api_key;
  pdu.exchange->inner_version = inner.version;
}

/// nullptr: it doesn't wait.
Exchange* Conversation::take(std::uint64_t serial) noexcept {
  const auto it = std::lower_bound(open_.begin(), open_.end(), serial,
                                   [](const Open& o, std::uint64_t s) { return o.serial < s; });
  return it != open_.end() && it->serial == serial ? std::exchange(it->exchange, nullptr) : nullptr;
}

void Conversation::prune() noexcept {
  constexpr std::size_t silent_limit = 64;  // the library remembers no more: nobody tells when they are over
  std::size_t silent = 0;
  for (auto o = open_.rbegin(); o != open_.rend(); ++o)
    if (o->exchange && !o->exchange->answer_expected && ++silent > silent_limit) o->exchange = nullptr;
  std::erase_if(open_, [](const Open& o) { return !o.exchange; });
  prune_at_ = std::max<std::size_t>(32, 2 * open_.size());
}

void Conversation::on_oriented(int client_direction, bool guessed) {
  client_ = client_direction;
  info_.client = ends_[client_direction];
  info_.server = ends_[1 - client_direction];
  info_.client_direction = client_direction;
  info_.role_guessed = guessed;
  interpreter_.on_oriented(client_direction, guessed);
}

void Conversation::on_proxied(std::string_view client, Stamp at) {
  proxied_ = client;
  info_.proxied = proxied_;
  interpreter_.on_proxied(client, at);
}

void Conversation::on_request(const Request& r) {
  record_sets_.seen.clear();
  if (lint_) lint_->begin_frame(r.frame.first);
  interpreter_.on_request(r);
  Pdu* pdu = add(Pdu::Kind::request, r.frame);
  if (lint_) lint_->end_frame(pdu);
  pdu->api_key = r.api_key;
  pdu->version = pdu->request_version = r.version;
  pdu->header_version = r.header_version;
  pdu->known = r.known;
  pdu->header_whole = r.header_whole;
  pdu->client_id_null = r.client_id_null;
  pdu->correlation_id = r.correlation_id;
  pdu->body_at = 4 + static_cast<std::uint32_t>(r.frame.data.size() - r.body.size());
  Exchange* exchange = in_file_scope<Exchange>();
  exchange->request_frame = packet_;
  exchange->answer_expected = r.answer_expected;
  pdu->exchange = exchange;
  if (open_.size() >= prune_at_) prune();
  open_.push_back({r.serial, exchange});
  learn(*pdu, r.api ? r.api->request : nullptr, r.version, r.body);
}

void Conversation::on_response(const Response& r) {
  record_sets_.seen.clear();
  if (lint_) lint_->begin_frame(r.frame.first);
  interpreter_.on_response(r);
  Pdu* pdu = add(Pdu::Kind::response, r.frame);
  if (lint_) lint_->end_frame(pdu);
  pdu->api_key = r.api_key;
  pdu->version = r.version;
  pdu->request_version = r.request_version;
  pdu->guess = r.guess;
  pdu->header_version = r.header_version;
  pdu->known = r.known;
  pdu->header_whole = r.header_whole;
  pdu->matched = r.matched;
  pdu->expected = r.expected;
  pdu->correlation_id = r.correlation_id;
  pdu->body_at = r.matched ? 4 + static_cast<std::uint32_t>(r.frame.data.size() - r.body.size()) : 8;
  pdu->latency_ns = r.latency_ns;
  if (Exchange* const asked = r.matched ? take(r.serial) : nullptr) {
    pdu->exchange = asked;
    asked->response_frame = packet_;
  }
  if (r.matched) learn(*pdu, r.api ? r.api->response : nullptr, r.version, r.body);
}

void Conversation::on_sasl(const SaslToken& t) {
  record_sets_.seen.clear();
  Pdu* pdu = add(Pdu::Kind::sasl, t.frame);
  if (lint_) lint_->begin_frame(t.frame.first);
  Words words = *words_;
  set(words.mechanism, t.mechanism);
  pdu->words = words_ = keep(words, words_);
  interpreter_.on_sasl(t);
  if (lint_) lint_->end_frame(pdu);
}

void Conversation::on_gap(const Gap& g) {
  Pdu* pdu = in_file_scope<Pdu>();
  pdu->kind = Pdu::Kind::gap;
  pdu->from = g.from;
  pdu->offset = g.offset;
  pdu->missing = g.bytes;
  pdu->cut = g.cut;
  if (!now_) packet_ = static_cast<std::uint32_t>(g.at.packet);
  append(pdu);
  interpreter_.on_gap(g);
}

void Conversation::on_other(Side from, std::string_view what, Stamp at) {
  foreign_ = !any_;  // what comes after frames of Kafka is only named
  foreign_name_ = keep(what);
  if (now_) now_->tells = true;
  interpreter_.on_other(from, what, at);
}

void Conversation::on_not_a_frame(const NotAFrame& n) { interpreter_.on_not_a_frame(n); }

void Conversation::on_unanswered(std::uint64_t serial) {
  (void)take(serial);
  interpreter_.on_unanswered(serial);
}

void Conversation::on_resync(Side from, std::uint64_t skipped, Stamp at) {
  if (skipped > 0 && now_) {
    Pdu* pdu = in_file_scope<Pdu>();
    pdu->kind = Pdu::Kind::skipped;
    pdu->from = from;
    pdu->missing = skipped;
    append(pdu);
  }
  interpreter_.on_resync(from, skipped, at);
}

}  // namespace kparse::dissector
