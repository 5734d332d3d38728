// SPDX-License-Identifier: MIT
#include "kparse/framer.h"

#include <algorithm>
#include <limits>

#include "frame/stream_buffer.h"

namespace kparse {

using frame::Stamps;
using frame::StreamBuffer;

namespace {
constexpr std::uint32_t suspicious = 16u << 20;  // text and TLS read as sizes are larger
constexpr std::uint32_t far = 64u << 10;  // a wrong size that leads no farther costs less than doubting right ones
constexpr std::size_t head_bytes = 32;  // enough for the fixed part of a header and the beginning of a client id
}  // namespace

struct Framer::State {
  enum class Phase : std::uint8_t {
    collecting,  // the buffer, or the next byte, begins with a size field
    skipping,    // inside a damaged frame whose end is known
    seeking,
  };

  Side side;
  FramerHost& host;
  std::uint32_t max_frame;
  std::uint64_t next;  // offset of the next byte to come
  Phase phase;
  bool checked = false;      // the host has seen the head of the frame that is being collected
  std::uint64_t skip = 0;    // skipping: bytes left
  std::uint64_t passed = 0;  // seeking: bytes dropped so far
  bool exact = true;         // offsets are
  bool fresh = true;         // nothing has been lost yet: a frame at once is no resynchronisation
  StreamBuffer buffer;
  std::uint64_t lost_at = 0;

  bool size_ok(std::uint32_t size) const noexcept { return size <= max_frame; }

  void lose_place(std::uint64_t offset, Bytes rest, Stamp now) noexcept {
    lost_at = offset;
    phase = Phase::seeking;
    passed = 0;
    checked = false;
    host.on_lost_place(side, rest, now);
  }

  /// Hands on the whole frames that `b` begins with; returns the bytes used. Stops at a frame that isn't whole, and
  /// where the place turns out to be wrong.
  template <class StampsAt>
  std::size_t parse(Bytes b, std::uint64_t offset, Stamp now, const StampsAt& stamps_at) noexcept {
    std::size_t at = 0;
    while (phase == Phase::collecting && b.size() - at >= 4) {
      const Bytes rest = b.subspan(at);
      const auto size = load_be<std::uint32_t>(rest.data());
      const std::size_t head = std::min<std::size_t>(size, head_bytes);
      if (!size_ok(size)) {
        lose_place(offset + at, rest, now);
        break;
      }
      const Bytes begin = rest.first(std::min(rest.size(), 4 + head));
      const bool enough = begin.size() == 4 + head;
      if (!enough && size < suspicious) break;
      if (!checked && !host.plausible(side, begin)) {
        lose_place(offset + at, rest, now);
        break;
      }
      checked = enough;
      if (rest.size() - 4 < size) break;
      const std::uint64_t start = offset + at;
      Frame f;
      f.from = side;
      f.offset = start;
      f.offset_exact = exact;
      f.size = size;
      f.data = rest.subspan(4, size);
      f.first = stamps_at(start).carried;
      const Stamps& end = stamps_at(start + 3 + size);
      f.last = end.carried;
      f.completed = end.now;
      checked = false;
      if (!host.on_frame(f)) {
        lose_place(start, rest, now);
        passed = 1;
        return at + 1;
      }
      at += 4 + static_cast<std::size_t>(size);
    }
    return at;
  }

  /// How many bytes bring the frame in the buffer one step on. Never 0 while collecting.
  std::size_t wanted() const noexcept {
    const Bytes b = buffer.view();
    if (b.size() < 4) return 4 - b.size();
    const auto size = load_be<std::uint32_t>(b.data());
    const std::size_t head = 4 + std::min<std::size_t>(size, head_bytes);
    return (b.size() < head ? head : 4 + static_cast<std::size_t>(size)) - b.size();
  }

  void parse_buffer(Stamp now) noexcept {
    buffer.drop(parse(buffer.view(), buffer.offset(), now,
                      [this](std::uint64_t o) -> const Stamps& { return buffer.stamps(o); }));
  }

  void search(Stamp now, bool last) noexcept {
    while (phase == Phase::seeking && !buffer.empty()) {
      const Sought r = host.seek(side, buffer.view(), last);
      buffer.drop(r.drop);
      passed += r.drop;
      if (!r.found || buffer.empty()) return;
      take_place(now);
    }
  }

  /// The host has found a frame at the front of the buffer.
  void take_place(Stamp now) noexcept {
    // Whoever seeks judges by what Kafka takes, not by this framer's limit.
    if (const Bytes b = buffer.view(); b.size() >= 4 && !size_ok(load_be<std::uint32_t>(b.data()))) {
      buffer.drop(1);
      ++passed;
      return;
    }
    phase = Phase::collecting;
    if (!fresh || passed > 0) host.on_found_place(side, passed, now);
    fresh = false;
    passed = 0;
    // The host has judged this frame already, by more than its head.
    checked = true;
    parse_buffer(now);
  }

  void keep(std::uint64_t offset, Bytes b, const Stamps& stamps, bool edges) noexcept {
    if (buffer.append(offset, b, stamps, edges)) return;
    // No memory: what was there can't be finished. The rest of the frame is skipped like lost bytes.
    give_up(Code::noMemory, stamps.now);
    if (phase == Phase::skipping) advance(b.size());
  }

  /// The rest of a long frame is lost. A size field that is wrong (TCP's checksum doesn't find every damage) would swallow
  /// all that comes after: true where what is there denies it. If another frame is among that, it takes this one's place.
  bool size_denied(Stamp now) noexcept {
    const Bytes b = buffer.view();
    if (phase != Phase::collecting || b.size() < 4) return false;
    if (load_be<std::uint32_t>(b.data()) < b.size() + far || host.begins_frame(side, b)) return false;
    const Sought r = host.seek(side, b.subspan(1), true);
    if (!r.found) return true;
    lose_place(buffer.offset(), b, now);
    passed = 1 + r.drop;
    buffer.drop(passed);
    take_place(now);
    search(now, true);
    return false;
  }

  /// The frame in the buffer will never be whole: hands on what is there.
  void give_up(Code code, Stamp now) noexcept {
    const bool denied = size_denied(now);
    const Bytes b = buffer.view();
    if (phase != Phase::collecting || b.empty()) {
      passed += b.size();
      buffer.clear();
      return;
    }
    const bool sized = b.size() >= 4;
    const std::uint32_t size = sized ? load_be<std::uint32_t>(b.data()) : 0;
    if (!sized || !size_ok(size)) {
      phase = Phase::seeking;
      passed = b.size();
    } else if (!checked && !host.plausible(side, b)) {
      lose_place(buffer.offset(), b, now);
      passed = b.size();
    } else {
      Frame f;
      f.from = side;
      f.offset = buffer.offset();
      f.offset_exact = exact;
      f.size = size;
      f.data = b.subspan(4);
      f.error.code = code;
      f.error.limit = Limit::capture;
      f.error.need = size;
      f.error.have = b.size() - 4;
      f.error.offset = b.size() - 4;
      f.first = buffer.stamps(f.offset).carried;
      f.last = buffer.stamps(f.offset + b.size() - 1).carried;
      f.completed = now;
      phase = denied ? Phase::seeking : Phase::skipping;
      passed = 0;
      skip = 4 + static_cast<std::uint64_t>(size) - b.size();
      (void)host.on_frame(f);
    }
    checked = false;
    buffer.clear();
  }

  void advance(std::uint64_t n) noexcept {  // skipping; n <= skip
    skip -= n;
    if (skip == 0) phase = Phase::collecting;
  }
};

Framer::Framer(Side side, FramerHost& host, std::uint64_t offset, bool known, std::uint32_t max_frame)
    : s_(new State{side,
                   host,
                   max_frame,
                   offset,
                   known ? State::Phase::collecting : State::Phase::seeking,
                   false,
                   0,
                   0,
                   true,
                   !known,
                   {},
                   0}) {}
Framer::~Framer() = default;
Framer::Framer(Framer&&) noexcept = default;
Framer& Framer::operator=(Framer&&) noexcept = default;

bool Framer::seeking() const noexcept { return s_->phase == State::Phase::seeking; }
std::uint64_t Framer::next_offset() const noexcept { return s_->next; }
std::uint64_t Framer::lost_at() const noexcept { return s_->lost_at; }

void Framer::data(std::uint64_t offset, Bytes b, Stamp carried, Stamp now) noexcept {
  State& s = *s_;
  if (offset > s.next) gap(s.next, offset - s.next, false, now);
  if (offset < s.next) {
    const std::uint64_t known = s.next - offset;
    if (known >= b.size()) return;
    b = b.subspan(static_cast<std::size_t>(known));
    offset = s.next;
  }
  s.next = offset + b.size();
  const Stamps stamps{carried, now};
  const auto same = [&stamps](std::uint64_t) -> const Stamps& { return stamps; };
  while (!b.empty()) {
    std::size_t used = 0;
    if (s.phase == State::Phase::skipping) {
      used = static_cast<std::size_t>(std::min<std::uint64_t>(s.skip, b.size()));
      s.advance(used);
    } else if (s.phase == State::Phase::seeking) {
      used = b.size();
      s.keep(offset, b, stamps, false);
      s.search(now, false);
    } else if (!s.buffer.empty()) {
      used = std::min(s.wanted(), b.size());
      s.keep(offset, b.first(used), stamps, true);
      if (s.phase == State::Phase::collecting) s.parse_buffer(now);
      if (s.phase == State::Phase::seeking) s.search(now, false);
    } else {
      used = s.parse(b, offset, now, same);
      if (s.phase == State::Phase::collecting && used < b.size()) {
        s.keep(offset + used, b.subspan(used), stamps, true);
        used = b.size();
      }
    }
    b = b.subspan(used);
    offset += used;
  }
}

void Framer::gap(std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp now, Extent extent) noexcept {
  State& s = *s_;
  if (offset < s.next) {
    if (s.next - offset >= bytes) return;
    bytes -= s.next - offset;
  } else {
    bytes += offset - s.next;  // what the caller left out is lost as well
  }
  if (bytes == 0) return;
  s.next += bytes;
  s.search(now, true);
  s.give_up(cut ? Code::cut : Code::lost, now);
  s.exact = s.exact && extent == Extent::exact;
  if (s.phase == State::Phase::skipping && bytes <= s.skip && extent != Extent::unknown) {
    s.advance(bytes);
    return;
  }
  if (s.phase != State::Phase::seeking) s.passed = 0;
  s.phase = State::Phase::seeking;
  s.skip = 0;
  s.fresh = false;
}

void Framer::end(Stamp now) noexcept {
  s_->search(now, true);
  s_->give_up(Code::cut, now);
}

void Framer::settle(Stamp now) noexcept { s_->search(now, true); }

void Framer::search_again(Stamp now) noexcept { s_->search(now, false); }

}  // namespace kparse
