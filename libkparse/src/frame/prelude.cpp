// SPDX-License-Identifier: MIT
#include "frame/prelude.h"

#include <algorithm>
#include <cstdlib>

#include "frame/fit.h"
#include "frame/guess.h"
#include "frame/head.h"
#include "frame/sasl.h"
#include "kparse/detect.h"

namespace kparse::frame {

namespace {
constexpr std::size_t most_kept = 128u << 10;  // bytes a direction
constexpr std::size_t most_pieces = 16384;
constexpr std::uint64_t most_looked_at = 16u << 20;  // a direction; then it isn't Kafka
constexpr std::size_t sound_enough = 4096;           // of a first request that isn't whole
constexpr std::uint32_t largest_request = 104'857'600;
constexpr std::uint32_t largest_answer = 256u << 20;
constexpr std::size_t least_header = 12;        // size, API, version, correlation id
constexpr std::int32_t first_ids = 1 << 24;     // clients begin at 0 or 1, or count over all their connections

/// Clients that count over several connections, or pipeline, leave some out here and there.
bool follows_closely(std::int32_t before, std::int32_t id) noexcept {
  if (before >= sasl_ids || id >= sasl_ids) return id >= sasl_ids || (id >= 0 && id < first_ids);
  return id >= 0 && std::abs(std::int64_t{id} - before) <= 16;
}
}  // namespace

bool Prelude::place_known(int direction) const noexcept {
  const SideState& s = side_[direction];
  return s.from_syn || (syn_from >= 0 && s.next == 0 && !s.missed);
}

Prelude::SideState& Prelude::touch(int direction, std::uint64_t offset, std::uint64_t bytes) {
  SideState& s = side_[direction];
  if (!s.begun) {
    s.begun = true;
    s.first_offset = offset;
    s.from_syn = syn_from >= 0 && offset == 0 && !s.missed;
  }
  s.next = offset + bytes;
  return s;
}

void Prelude::data(int direction, std::uint64_t offset, Bytes b, Stamp carried, Stamp now) {
  SideState& s = touch(direction, offset, b.size());
  s.total += b.size();
  pieces_.push_back(
      {Piece::Kind::data, static_cast<std::uint8_t>(direction), offset, b.size(), s.bytes.size(), carried, now});
  s.bytes.insert(s.bytes.end(), b.begin(), b.end());
}

void Prelude::missing(int direction, const Missing& m, Stamp now) {
  const Piece piece{m.cut ? Piece::Kind::cut : Piece::Kind::lost, static_cast<std::uint8_t>(direction), m.offset, m.bytes, 0,
                    m.shown, now, m.wire, m.extent};
  if (m.bytes == 0) {  // nothing of this stream
    pieces_.push_back(piece);
    return;
  }
  SideState& s = touch(direction, m.offset, m.bytes);
  s.broken = true;
  s.proxy_open = false;
  try_requests(s, true);
  s.cursor = s.bytes.size();
  s.first_run = std::min(s.first_run, s.bytes.size());
  pieces_.push_back(piece);
}

void Prelude::end(int direction, Stamp now) {
  side_[direction].broken = true;
  pieces_.push_back({Piece::Kind::end, static_cast<std::uint8_t>(direction), 0, 0, 0, now, now});
}

void Prelude::try_requests(SideState& s, bool last) {
  while (s.cursor < s.bytes.size()) {
    const Bytes window = Bytes(s.bytes).subspan(s.cursor);
    const Sought r = s.seeker.seek(window, last, {});
    s.cursor += r.drop;
    if (!r.found) return;
    const std::size_t full = 4 + static_cast<std::size_t>(load_be<std::uint32_t>(s.bytes.data() + s.cursor));
    const Bytes found = Bytes(s.bytes).subspan(s.cursor, std::min(full, s.bytes.size() - s.cursor));
    // Answers can look like requests: an answer to Produce with id 2 like Produce v2, client id and all.
    const bool sure = s.seeker.evidence() == Evidence::strong &&
                      (syn_from >= 0 || s.strong > 0 || found.size() < full || !fits_some_response(found.subspan(8)));
    ++(sure ? s.strong : s.weak);
    s.cursor += found.size();
  }
}

/// True: wait for the rest of what may be a PROXY header.
bool Prelude::read_proxy(int direction, bool last) {
  SideState& s = side_[direction];
  if (!s.proxy_open || s.bytes.empty()) return false;
  ProxyHeader h = read_proxy_header(s.bytes);
  if (h.state == ProxyHeader::State::cut && !last) return true;
  s.proxy_open = false;
  if (h.state == ProxyHeader::State::whole) {
    s.proxy = s.cursor = h.length;
    proxied_ = std::move(h.client);
  }
  return false;
}

/// The first request of a connection whose SYN was seen stands at a known place: less is needed to believe in it.
Prelude::Start Prelude::starts_request(SideState& s, bool last) const noexcept {
  if (!s.from_syn) return Start::no;
  const bool final = last || s.broken;
  if (s.front().size() < s.proxy) return Start::no;
  const Bytes b = s.front().subspan(s.proxy);
  if (!final && b.size() < s.start_need) return Start::wait;
  if (b.size() < 4) return final ? Start::no : Start::wait;
  const auto size = load_be<std::uint32_t>(b.data());
  const Bytes data = b.subspan(4, std::min<std::size_t>(size, b.size() - 4));
  if (size > largest_request) {  // some client's fault, if all else is right; no letters
    if (size >= 0x20000000 || name_foreign(b).sure) return Start::no;
    const RequestHead h = read_request_head(data, size);
    if (h.fixed_part && !h.known) return Start::no;
    if (h.state == RequestHead::State::cut && !final && data.size() < sound_enough) return Start::wait;
    const bool named = h.state == RequestHead::State::whole && !h.client_id.empty() && printable(h.client_id);
    return named && fit_request(h, data, size, true) == Fit::so_far ? Start::yes : Start::no;
  }
  if (is_gssapi_token(data, size)) return Start::yes;
  if (size < 8) return Start::no;
  const RequestHead h = read_request_head(data, size);
  if (h.state == RequestHead::State::bad || !textual(h.client_id)) return Start::no;
  if (!h.fixed_part) return final ? Start::no : Start::wait;
  const bool is_named = h.client_id_whole && !h.client_id.empty() && printable(h.client_id);
  const Fit fits = fit_request(h, data, size, true);
  if (data.size() == size) return fits == Fit::exact || fits == Fit::surplus || is_named ? Start::yes : Start::no;
  if (!final) {
    s.start_need = std::min<std::size_t>(4 + static_cast<std::size_t>(size), std::max<std::size_t>(2 * b.size(), 32));
    if (fits == Fit::bad && h.known) return is_named && size <= most_kept ? Start::wait : Start::no;
    return fits == Fit::so_far && is_named && data.size() >= sound_enough ? Start::yes : Start::wait;
  }
  return fits == Fit::so_far || (!h.known && is_named) ? Start::yes : Start::no;
}

/// `header(bytes, chain)`: is this one? Gets `need` bytes, the size field first.
template <class Header>
Prelude::Chain Prelude::chain(int direction, std::size_t need, const Header& header) const noexcept {
  const SideState& s = side_[direction];
  Chain c;
  std::uint64_t next = s.first_offset;  // where a header is due
  std::uint64_t run = s.first_offset;   // stream offset of the gapless bytes looked at, their place and number
  std::size_t at = 0, size = 0;
  const auto due = [&] { return Bytes(s.bytes).subspan(at + static_cast<std::size_t>(next - run)); };
  for (const Piece& p : pieces_) {
    if (p.direction != direction || p.kind == Piece::Kind::end) continue;
    if (p.kind != Piece::Kind::data) {
      // Of a header that the gap cuts the size may be there.
      if (s.from_syn && next >= run && next - run + 4 <= size) {
        const auto length = load_be<std::uint32_t>(due().data());
        if (length < 4 || length > largest_answer) return {};
        next += 4 + std::uint64_t{length};
        ++c.sizes;
      }
      run = p.offset + p.bytes;
      at += size;
      size = 0;
      if (next >= run) continue;
      // The gap has a header, or part of one. Packets were lost whole: one ended where the first of them began.
      c.to_the_end = c.headers > 0 && p.kind == Piece::Kind::lost && next == p.offset;
      c.inside = c.headers > 0 && next <= s.next;
      return c;
    }
    size += static_cast<std::size_t>(p.bytes);
    while (next >= run && next - run + need <= size) {
      const Bytes from = due().first(need);
      if (!header(from, c)) return {};
      next += 4 + std::uint64_t{load_be<std::uint32_t>(from.data())};
      ++c.headers;
    }
  }
  if (next >= run && next - run + 4 <= size && load_be<std::uint32_t>(due().data()) > largest_answer) return {};
  c.to_the_end = c.headers > 0 && next == s.next;
  c.inside = c.headers > 0 && next <= s.next;
  return c;
}

Prelude::Chain Prelude::answer_chain(int direction) const noexcept {
  const bool place = side_[direction].from_syn;
  std::int32_t id = -1;
  return chain(direction, 8, [&](Bytes from, Chain& c) {
    if (!response_header(from) || (!place && c.headers > 0 && !plausible_neighbour(from, id))) return false;
    const std::int32_t before = id;
    id = load_be<std::int32_t>(from.data() + 4);
    c.reserved = c.reserved || id >= sasl_ids;
    c.early = c.headers == 0 && id >= 0 && id < 256;
    c.near = c.headers == 0 ? (id >= 0 && id < first_ids) || id >= sasl_ids : c.near && follows_closely(before, id);
    return true;
  });
}

/// Is a request's header where the sizes of damaged ones before it lead?
bool Prelude::requests(int direction) const noexcept {
  if (!side_[direction].from_syn) return false;
  const Chain c = chain(direction, least_header, [](Bytes from, const Chain&) {
    const auto size = load_be<std::uint32_t>(from.data());
    const RequestHead h = read_request_head(from.subspan(4), size);
    return size >= 8 && size <= largest_request && h.fixed_part && h.known;
  });
  return c.headers > 0 && c.headers + c.sizes >= 2;
}

/// Who has seen nothing of the requests must do with the answers: three, or fewer that leave little to chance.
bool Prelude::answers(int direction) const noexcept {
  const Chain c = answer_chain(direction);
  if (c.headers >= 3) return true;
  const SideState &requests = side_[1 - direction], &own = side_[direction];
  const bool lost = requests.first_run < least_header;
  if (!lost || !own.from_syn || !c.near || !name_foreign(own.front()).what.empty()) return false;
  return c.headers + c.sizes >= 2 || c.to_the_end || c.reserved || (c.early && c.inside);
}

/// Is the first frame an answer whose bytes tell its kind; where less is known, one of any kind?
bool Prelude::known_answer(int direction) const noexcept {
  const Bytes b = side_[direction].front();
  if (b.size() < 8 || !response_header(b)) return false;
  const auto size = load_be<std::uint32_t>(b.data());
  if (size > b.size() - 4) return false;
  const Bytes after_id = b.subspan(8, size - 4);
  return side_[direction].from_syn ? guess_response(after_id) >= 0 : fits_some_response(after_id);
}

Prelude::Decision Prelude::named(bool last) const noexcept {
  for (const int d : {by_port(), 1 - by_port()}) {
    const SideState& s = side_[d];
    if (s.headless || s.strong + s.weak > 0) continue;
    const Foreign f = name_foreign(Bytes(s.bytes).subspan(std::min(s.proxy, s.bytes.size())));
    if (!f.what.empty() && (f.sure || last || (s.from_syn && s.total >= 64 && !side_[0].broken && !side_[1].broken)))
      return {Decision::What::other, by_port(), syn_from < 0, f.what, d};
  }
  return {};
}

Prelude::Decision Prelude::oriented(int client, bool last) {
  const Decision kafka{Decision::What::kafka, client, false, {}, 0};
  SideState &c = side_[client], &s = side_[1 - client];
  if (read_proxy(client, last)) return {};
  try_requests(c, last);
  const Start start = starts_request(c, last);
  if (start == Start::yes || c.strong > 0 || c.weak > 1 || (last && c.weak > 0)) return kafka;
  if (const Bytes first = s.front(); s.from_syn && first.size() >= 4) {
    const auto size = load_be<std::uint32_t>(first.data());
    if (size <= first.size() - 4 && is_handshake_answer(first.subspan(4, size))) return kafka;
  }
  if (trust_port && (c.begun || last)) return kafka;
  if (last && (requests(client) || answers(1 - client) || known_answer(1 - client))) return kafka;
  Decision d = named(last);
  if (start == Start::wait) d = {};
  d.client = client;
  d.guessed = false;
  return d;
}

Prelude::Decision Prelude::unoriented(bool last) {
  for (const int d : {0, 1}) {
    if (read_proxy(d, last)) return {};
    try_requests(side_[d], last);
  }
  const SideState &a = side_[0], &b = side_[1];
  const auto kafka = [](int client, bool guessed) { return Decision{Decision::What::kafka, client, guessed, {}, 0}; };
  for (const int d : {0, 1})
    if (side_[d].proxy > 0 && side_[d].strong + side_[d].weak > 0) return kafka(d, false);
  // Answers may look like requests, but hardly ever like several with a client id.
  if ((a.strong > 0) != (b.strong > 0)) return kafka(a.strong > 0 ? 0 : 1, false);
  const std::uint32_t lead = std::max(a.strong, b.strong) - std::min(a.strong, b.strong);
  if (lead >= 3) return kafka(a.strong > b.strong ? 0 : 1, false);
  if (Decision d = named(last); d.what != Decision::What::wait) return d;
  if (!last) return {};
  const auto score = [this](int client) {
    const SideState& c = side_[client];
    return 4 * c.strong + std::min(c.weak, 1u) + (answers(1 - client) || known_answer(1 - client) ? 2 : 0);
  };
  const auto s0 = score(0), s1 = score(1);
  if (s0 != s1) return kafka(s0 > s1 ? 0 : 1, false);
  if (s0 > 0 || trust_port) return kafka(by_port(), true);
  return {};
}

Prelude::Decision Prelude::decide(bool last) {
  const bool full =
      side_[0].bytes.size() > most_kept || side_[1].bytes.size() > most_kept || pieces_.size() > most_pieces;
  Decision d = syn_from >= 0 ? oriented(syn_from, last || full) : unoriented(last || full);
  if (d.what != Decision::What::wait) return d;
  const std::uint64_t most = std::max(side_[0].total, side_[1].total);
  if (last || most > most_looked_at) {
    if (any_data()) d = {Decision::What::other, syn_from >= 0 ? syn_from : by_port(), syn_from < 0, "unknown", 0};
    if (any_data()) d.foreign_direction = d.client;
    return d;
  }
  if (full) shed();
  return {};
}

/// Nothing was found in what is kept: forget it, and go on with what comes. Gaps stay known, since they count.
void Prelude::shed() {
  std::erase_if(pieces_, [](const Piece& p) { return p.kind == Piece::Kind::data; });
  if (pieces_.size() > most_pieces / 2)
    pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(pieces_.size() - most_pieces / 2));
  for (SideState& s : side_) {
    const std::uint64_t total = s.total, next = s.next;
    s = {};
    s.total = total;
    s.next = s.first_offset = next;
    s.proxy_open = false;
    s.headless = true;
  }
}

}  // namespace kparse::frame
