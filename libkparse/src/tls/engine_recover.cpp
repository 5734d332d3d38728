// SPDX-License-Identifier: MIT
// After lost bytes: which number has this record, and under which keys? Authentication tells; all there is to do is to
// try, and to keep that within bounds.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "tls/engine.h"

namespace kparse::tls {
namespace {

constexpr std::uint64_t smallest_record = header_size + 17;  // TLS 1.3: a type and a tag
constexpr std::uint64_t most_missing = 1u << 16;             // records
constexpr std::uint32_t most_updates = 3;                    // key updates among what was lost
constexpr std::uint64_t free_work = 256u << 10, work_per_byte = 64;
constexpr std::uint64_t work_of_keys = 16u << 10;  // deriving them takes as long as opening so many bytes
constexpr std::uint32_t wrong_after = 4;           // records of a direction that never opened
constexpr std::uint32_t hopeless_after = 64;       // records in a row, past the bound of work

constexpr std::uint16_t suites_of_32[] = {0x1301, 0x1303};
constexpr std::uint16_t suites_of_48[] = {0x1302};

bool may_try(const Flow& f) noexcept { return f.work < free_work + work_per_byte * f.seen; }

}  // namespace

/// Tries the few first numbers of all keys, then more and more: most often little is missing, and a try costs as much
/// as opening the record.
bool Engine::attempt(int direction, const RawRecord& r, std::span<const Attempt> attempts, std::uint64_t missing) {
  Flow& f = flow(direction);
  struct Keys {
    RecordCipher fresh;
    TlsSecret secret;
    bool usable = true;
  };
  std::array<Keys, 8> keys;
  std::uint64_t from = 0;
  for (std::uint64_t to = 8; from <= missing && may_try(f); from = to, to *= 8) {
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      const Attempt& a = attempts[i];
      Keys& k = keys[i];
      const bool in_use = a.epoch == f.epoch && a.updates == 0 && f.cipher.ready();
      if (!in_use && from == 0) {
        f.work += work_of_keys;
        k.usable = make_cipher(direction, a, k.fresh, k.secret);
      }
      RecordCipher& cipher = in_use ? f.cipher : k.fresh;
      for (std::uint64_t n = from; k.usable && n < to && n <= missing && may_try(f); ++n) {
        const Opened o = cipher.open(a.first + n, r.bytes, scratch_.data());
        f.work += r.bytes.size();
        if (!o.ok) continue;
        const Epoch before = f.epoch;
        if (!in_use) {
          f.cipher = std::move(k.fresh);
          f.secret = k.secret;
          facts(direction).key_updates += a.updates;
        }
        f.epoch = a.epoch;
        settle(direction, r, before, in_use, a.first + n);
        f.number = a.first + n;
        good(direction, r, o);
        return true;
      }
    }
  }
  return false;
}

bool Engine::recover(int direction, const RawRecord& r) {
  Flow& f = flow(direction);
  if (f.sealed || !may_try(f)) return false;
  if (!server_hello_seen_) return guess_suite(direction, r);
  if (suite_ == nullptr) return false;
  const bool loss = f.loss.any;
  const std::uint64_t span = r.offset - f.good_end;
  const std::uint64_t missing = !loss          ? 0
                                : f.loss.place ? std::min(span / smallest_record + 1, most_missing)
                                               : f.loss.damaged;
  std::array<Attempt, 8> list;
  std::size_t n = 0;
  if (loss && f.cipher.ready()) list[n++] = {f.epoch, 0, f.good_number};
  if (!suite_->tls13) {
    if (loss && f.epoch == Epoch::plain) list[n++] = {Epoch::traffic, 0, 0};
  } else if (f.epoch != Epoch::traffic) {
    const bool end_unseen = loss || !f.cipher.ready() || f.messages.lost();
    if (f.epoch == Epoch::plain) list[n++] = {Epoch::handshake, 0, 0};
    if (end_unseen) list[n++] = {Epoch::traffic, 0, 0};
  } else {
    for (std::uint32_t updates = 1; loss && updates <= most_updates; ++updates)
      list[n++] = {Epoch::traffic, updates, 0};
  }
  return attempt(direction, r, {list.data(), n}, missing);
}

/// The ServerHello is missing, but there are secrets of TLS 1.3, and few suites for their length.
bool Engine::guess_suite(int direction, const RawRecord& r) {
  if (!hello_seen_ && !partial_hello_.empty()) client_hello(std::exchange(partial_hello_, {}));
  Flow& f = flow(direction);
  const TlsSecrets* s = secrets();
  if (s == nullptr || r.bytes[0] != application_data) return false;
  const std::uint8_t size = std::max({s->client_traffic.size, s->server_traffic.size, s->client_handshake.size});
  const std::uint64_t span = r.offset - f.good_end;
  const std::uint64_t missing = f.loss.any ? std::min(span / smallest_record + 1, most_missing) : 0;
  info_.version = tls13;
  static constexpr Attempt both[] = {{Epoch::handshake, 0, 0}, {Epoch::traffic, 0, 0}};
  const auto fits = [&](std::uint16_t id) {
    suite_ = find_suite(id);
    return attempt(direction, r, both, missing);
  };
  const bool found = size == 32   ? std::any_of(std::begin(suites_of_32), std::end(suites_of_32), fits)
                     : size == 48 ? std::any_of(std::begin(suites_of_48), std::end(suites_of_48), fits)
                                  : false;
  if (!found) {
    suite_ = nullptr;
    info_.version = 0;
    return false;
  }
  server_hello_seen_ = true;
  info_.suite = suite_->id;
  if (Flow& other = flow(1 - direction); other.epoch == Epoch::plain) {
    other.epoch = Epoch::handshake;
    (void)set_keys(1 - direction, Epoch::handshake);
  }
  return true;
}

/// Looks like a record of a handshake that isn't encrypted.
bool Engine::plausible_plain(const RawRecord& r) const noexcept {
  const Bytes b = r.bytes.subspan(header_size);
  switch (r.bytes[0]) {
    case change_cipher_spec:
      return b.size() == 1 && b[0] == 1;
    case alert:
      return b.size() == 2 && (b[0] == 1 || b[0] == 2);
    case handshake: {
      if (b.size() < 4 || b[1] != 0) return false;
      const std::size_t size = 4 + (b[2] << 8 | b[3]);
      const bool known = b[0] == Message::client_hello || b[0] == Message::server_hello ||
                         b[0] == Message::new_session_ticket ||
                         (b[0] >= Message::certificate && b[0] <= Message::client_key_exchange);
      return known && (size <= b.size() || b[0] == Message::certificate);
    }
    default:
      return false;
  }
}

bool Engine::try_record(int direction, const RawRecord& r) {
  Flow& f = flow(direction);
  if (f.epoch == Epoch::plain) {
    if ((info_.version == tls12 || r.bytes[0] == application_data) && recover(direction, r)) return true;
    if (!plausible_plain(r)) return false;
    plain_record(direction, r);
    return true;
  }
  if (recover(direction, r)) return true;
  if (++f.failures >= hopeless_after && !may_try(f)) seal(direction, TlsSealed::lost, r.offset, r.now);
  return false;
}

bool Engine::on_lost_place(int direction, Bytes, Stamp now) {
  Flow& f = flow(direction);
  if (f.good_end == 0 && !f.loss.any && f.stream.next_offset() == f.stream.waiting().size()) {
    const TlsSealed why = is_client(direction) ? TlsSealed::noHandshake : TlsSealed::noAnswer;
    for (const int d : {direction, 1 - direction}) seal(d, why, d == direction ? 0 : flow(d).stream.received(), now);
    return false;
  }
  if (!f.loss.any) f.loss.shown = now;
  f.loss.any = f.loss.place = true;
  f.messages.lose();
  return true;
}

/// A whole record that doesn't open, whatever was tried.
void Engine::failed(int direction, const RawRecord& r) {
  Flow& f = flow(direction);
  TlsInfo::Flow& i = facts(direction);
  if (!f.cipher.ready() && !secret_for(direction, Epoch::traffic).known()) {
    seal(direction, why_no_keys(), r.offset, r.now);
    return;
  }
  if (is_client(direction) && early_data_ && !f.opened_any && !f.loss.any) {  // 0-RTT data, accepted or not
    i.early_data += r.bytes.size() - header_size;
    f.good_end = r.offset + r.bytes.size();
    return;
  }
  ++i.failed_records;
  i.sealed += r.bytes.size();
  ++f.failures;
  if (!f.loss.any) {
    f.loss.any = true;
    f.loss.shown = r.now;
    f.loss.wire += r.bytes.size();
  }
  ++f.loss.damaged;
  ++f.number;
  f.messages.lose();
  const std::uint64_t end = r.offset + r.bytes.size();
  if (!f.opened_any && f.failures >= wrong_after && !f.loss.place) {
    seal(direction, TlsSealed::wrongSecret, end, r.now);
  } else if (f.failures >= hopeless_after && !may_try(f)) {
    seal(direction, TlsSealed::lost, end, r.now);
  }
}

/// Records follow again: tells what is missing before this one. Numbers are compared where the keys have stayed.
void Engine::settle(int direction, const RawRecord& r, Epoch before, bool same_keys, std::uint64_t number) {
  Flow& f = flow(direction);
  const Flow::Loss loss = f.loss;
  f.loss = {};
  if (!loss.any) return;
  TlsGap g{direction, f.inner, 0, Extent::exact, loss.wire, loss.cut, loss.shown};
  if (f.epoch == Epoch::traffic) {
    const std::uint64_t span = r.offset - f.good_end;
    const std::uint64_t records = same_keys ? number - f.good_number : number;
    const std::uint64_t protection = records * f.cipher.overhead();
    const std::uint64_t finished = suite_->tls13 ? 0 : 1;  // TLS 1.2: the first record is no data
    const bool data_before = same_keys && before == Epoch::traffic && f.good_number >= finished;
    if (data_before && f.cipher.aead() && protection <= span) {
      g.bytes = span - protection;
      g.extent = Extent::likely;
    } else if (data_before || number > finished || (same_keys && before == Epoch::traffic && records > finished)) {
      g.bytes = std::max<std::uint64_t>(span > protection ? span - protection : 0, 1);
      g.extent = Extent::unknown;
    } else if (!same_keys && before == Epoch::traffic) {
      g.bytes = std::max<std::uint64_t>(span, 1);  // behind a key update
      g.extent = Extent::unknown;
    }
    if (loss.place) ++facts(direction).found_again;
  }
  f.inner += g.bytes;
  if (g.wire > 0 || g.bytes > 0) handler_.on_tls_gap(g, r.now);
}

/// Nothing follows that could be opened.
void Engine::give_up_loss(int direction, Stamp now) {
  Flow& f = flow(direction);
  const Flow::Loss loss = f.loss;
  f.loss = {};
  if (loss.wire == 0 || !info_.opened()) return;
  TlsGap g{direction, f.inner, 0, Extent::exact, loss.wire, loss.cut, loss.shown};
  if (f.epoch == Epoch::traffic) {
    g.bytes = std::max<std::uint64_t>(loss.wire, 1);
    g.extent = Extent::unknown;
  }
  f.inner += g.bytes;
  handler_.on_tls_gap(g, now);
}

}  // namespace kparse::tls
