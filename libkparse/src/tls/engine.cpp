// SPDX-License-Identifier: MIT
#include "tls/engine.h"

#include <algorithm>

namespace kparse::tls {
namespace {
constexpr std::uint8_t fatal = 2, close_notify = 0, user_canceled = 90;
}

void Engine::client_is(int direction) {
  if (client_ >= 0) return;
  client_ = direction;
  handler_.on_tls_client(direction);
}

void Engine::data(int direction, std::uint64_t offset, Bytes b, Stamp carried, Stamp now) {
  Flow& f = flow(direction);
  f.seen += b.size();
  if (f.sealed) {
    facts(direction).sealed += b.size();
    return;
  }
  f.stream.data(offset, b, carried, now);
  if (client_ < 0) look_at_start(direction);
}

void Engine::gap(int direction, std::uint64_t, std::uint64_t bytes, bool cut, Stamp shown, Stamp now) {
  Flow& f = flow(direction);
  if (f.sealed) return;
  if (!hello_seen_) look_at_start(direction);
  f.stream.gap(bytes, now);
  if (!f.loss.any) f.loss.shown = shown;
  f.loss.any = true;
  f.loss.place = f.loss.place || f.stream.searching();
  f.loss.wire += bytes;
  f.loss.cut = f.loss.cut || cut;
  f.messages.lose();
  if (f.epoch == Epoch::plain) transcript_whole_ = false;
}

void Engine::end(int direction, Stamp now) {
  Flow& f = flow(direction);
  f.stream.end(now);
  give_up_loss(direction, now);
}

void Engine::finish(Stamp now) {
  for (const int d : {0, 1}) {
    end(d, now);
    if (client_ < 0 || flow(d).sealed) continue;
    if (!info_.alert.empty() && !info_.opened()) {
      facts(d).why = TlsSealed::refused;
    } else if (!server_hello_seen_ && !info_.opened()) {
      facts(d).why = !hello_seen_ ? TlsSealed::noHandshake : TlsSealed::noAnswer;
    } else if (facts(d).sealed > 0 && facts(d).why == TlsSealed::no) {
      facts(d).why = TlsSealed::lost;
    }
  }
  if (!info_.opened()) tell_sealed(now);
}

void Engine::abandon() noexcept {
  for (const int d : {0, 1}) {
    flow(d).sealed = true;
    facts(d).why = TlsSealed::lost;
  }
}

void Engine::tell_sealed(Stamp now) {
  if (told_sealed_) return;
  told_sealed_ = true;
  handler_.on_tls_sealed(now);
}

/// `from`: where the bytes begin that stay closed.
void Engine::seal(int direction, TlsSealed why, std::uint64_t from, Stamp now) {
  Flow& f = flow(direction);
  if (f.sealed) return;
  give_up_loss(direction, now);
  f.sealed = true;
  f.stream.stop();
  f.cipher.clear();
  TlsInfo::Flow& i = facts(direction);
  i.why = why;
  const std::uint64_t end = f.stream.received();
  i.sealed += end > from ? end - from : 0;
  if (flow(1 - direction).sealed && !info_.opened()) tell_sealed(now);
}

void Engine::on_record(int direction, const RawRecord& r) {
  const Flow& f = flow(direction);
  if (f.epoch == Epoch::plain) {
    plain_record(direction, r);
  } else {
    sealed_record(direction, r);
  }
}

/// Nothing was to be decrypted.
void Engine::plain_record(int direction, const RawRecord& r) {
  Flow& f = flow(direction);
  const Bytes body = r.bytes.subspan(header_size);
  const std::uint8_t type = r.bytes[0];
  const bool encrypted =
      type == handshake && f.changed_cipher && !plausible_plain(r);  // not so after a HelloRetryRequest
  if (type == application_data || encrypted) {
    if (recover(direction, r) || f.sealed) return;
    // 0-RTT: keys that nobody logs for a stream that begins again.
    if (is_client(direction) && early_data_ && !server_hello_seen_) {
      facts(direction).early_data += body.size();
      f.good_end = r.offset + r.bytes.size();
      return;
    }
    seal(direction, why_no_keys(), r.offset, r.now);
    return;
  }
  if (f.loss.any) settle(direction, r, Epoch::plain, true, 0);
  f.good_end = r.offset + r.bytes.size();
  if (type == handshake) {
    messages(direction, body, false);
  } else if (type == alert) {
    note_alert(direction, body);
  } else if (type == change_cipher_spec) {
    f.changed_cipher = true;
    if (info_.version != 0 && info_.version != tls13) begin_encryption(direction, r);
  }
}

void Engine::sealed_record(int direction, const RawRecord& r) {
  Flow& f = flow(direction);
  const Bytes body = r.bytes.subspan(header_size);
  if (suite_->tls13 && r.bytes[0] != application_data) {
    // Middleboxes' ChangeCipherSpec, and alerts of a peer that has no keys yet (RFC 8446, D.4 and 6).
    if (r.bytes[0] == alert) note_alert(direction, body);
    if (!f.loss.any) f.good_end = r.offset + r.bytes.size();
    return;
  }
  if (f.cipher.ready()) {
    const Opened o = f.cipher.open(f.number, r.bytes, scratch_.data());
    if (o.ok) {
      if (f.loss.any) settle(direction, r, f.epoch, true, f.number);
      good(direction, r, o);
      return;
    }
    f.work += r.bytes.size();
  }
  if (!recover(direction, r)) failed(direction, r);
}

/// The record has the number that the flow expects.
void Engine::good(int direction, const RawRecord& r, const Opened& o) {
  Flow& f = flow(direction);
  ++f.number;
  f.opened_any = true;
  f.good_number = f.number;
  f.good_end = r.offset + r.bytes.size();
  f.failures = 0;
  take(direction, r, o);
}

void Engine::take(int direction, const RawRecord& r, const Opened& o) {
  switch (o.type) {
    case application_data:
      hand_on(direction, r, o);
      break;
    case handshake:
      messages(direction, o.content, true);
      break;
    case alert:
      note_alert(direction, o.content);
      break;
    case change_cipher_spec:
      if (!suite_->tls13) seal(direction, TlsSealed::renegotiation, r.offset + r.bytes.size(), r.now);
      break;
    default:
      break;
  }
}

void Engine::hand_on(int direction, const RawRecord& r, const Opened& o) {
  if (o.content.empty()) return;
  Flow& f = flow(direction);
  facts(direction).opened += o.content.size();
  const std::size_t begin = r.base + o.at;  // of the content, in what the pieces count
  std::size_t done = 0;
  for (std::size_t i = 0; i < r.piece_count && done < o.content.size(); ++i) {
    const bool last = i + 1 == r.piece_count;
    const std::size_t next = last ? begin + o.content.size() : r.pieces[i + 1].at;
    if (next <= begin + done) continue;
    const std::size_t n = std::min(next - begin, o.content.size()) - done;
    handler_.on_tls_data(direction, f.inner, o.content.subspan(done, n), r.pieces[i].by, r.now);
    f.inner += n;
    done += n;
  }
}

void Engine::note_alert(int direction, Bytes b) {
  if (b.size() != 2 || !info_.alert.empty()) return;
  // In TLS 1.3 the level means nothing (RFC 8446, 6).
  const bool ends_it = info_.version == tls13 ? b[1] != close_notify && b[1] != user_canceled : b[0] == fatal;
  if (!ends_it) return;
  info_.alert = alert_text(b[1]);
  info_.alert_from_server = !is_client(direction);
}

void Engine::on_damaged(int direction, Bytes front) {
  Flow& f = flow(direction);
  ++f.loss.damaged;
  if (f.epoch != Epoch::plain) {
    ++f.number;
  } else if (front[0] == handshake && !f.changed_cipher) {  // whole messages of it are as good as any
    messages(direction, front.subspan(header_size), false);
  }
}

}  // namespace kparse::tls
