// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdlib>

#include "frame/seek.h"

namespace kparse::frame {

namespace {

constexpr std::uint32_t largest = 256u << 20;
constexpr std::size_t least = 8;  // size and correlation id
constexpr std::size_t window_limit = 256u << 10;
constexpr std::size_t far = 64u << 10, far_behind_gap = 16u << 20;  // bytes that an answer lacks
constexpr std::size_t sound_enough = 4096;
constexpr std::int64_t largest_step = 32;

bool begins_response(const std::uint8_t* p) noexcept {
  const auto size = load_be<std::uint32_t>(p);
  return size >= 4 && size <= largest;
}

std::int32_t id_of(Bytes from) noexcept { return load_be<std::int32_t>(from.data() + 4); }

/// What ends a Fetch answer leads to the next one, too: the size of the records before the upper half of their first offset,
/// which reads as id 0; and the size of the last batch before its leader epoch. Source: DefaultRecordBatch of Kafka.
bool is_record_data(Bytes from) noexcept {
  const std::uint64_t size = load_be<std::uint32_t>(from.data());
  if (id_of(from) == 0 && from.size() > 20) {
    const std::uint64_t length = load_be<std::uint32_t>(from.data() + 12);
    if (from[20] <= 2 && length >= 14 && length + 12 <= size) return true;
  }
  if (from.size() < 53 || size < 49 || from[8] != 2 || load_be<std::uint16_t>(from.data() + 13) >= 256) return false;
  const std::int64_t last = load_be<std::int32_t>(from.data() + 15), count = load_be<std::int32_t>(from.data() + 49);
  return last >= 0 && count > 0 && count <= last + 1;
}

/// Does a whole answer to an awaited request begin anywhere in `b`?
bool holds_response(Bytes b, const Tracker& tracker, Budget& budget) noexcept {
  for (std::size_t at = 0; at + least <= b.size(); ++at) {
    const Bytes from = b.subspan(at);
    if (!begins_response(from.data()) || !tracker.awaits(id_of(from))) continue;
    const auto size = load_be<std::uint32_t>(from.data());
    if (size > from.size() - 4 || size < 32 || !budget.spend(size)) continue;
    if (tracker.fits(id_of(from), from.subspan(least, size - 4), size - 4) == Tracker::Fits::exactly) return true;
  }
  return false;
}

}  // namespace

bool plausible_neighbour(Bytes from, std::int32_t id) noexcept {
  if (from.size() < least || !begins_response(from.data())) return false;
  const std::int32_t other = id_of(from);
  if (other < -1) return false;
  return std::abs(static_cast<std::int64_t>(other) - id) <= 256 || other >= sasl_ids ||
         (id >= sasl_ids && other < 65536);
}

bool response_header(Bytes from) noexcept {
  return from.size() >= least && begins_response(from.data()) && id_of(from) >= -1;
}

namespace {

/// The same of a header of which only the first bytes are there, or none.
bool plausible_beginning(Bytes rest, std::int32_t id) noexcept {
  const auto bits = static_cast<std::uint32_t>(id);
  std::array<std::uint8_t, least> header{0, 0, 0, least};
  for (std::size_t n = 0; n < 4; ++n) header[4 + n] = static_cast<std::uint8_t>(bits >> (24 - 8 * n));
  std::copy_n(rest.begin(), std::min(rest.size(), least), header.begin());
  return plausible_neighbour(header, id);
}

}  // namespace

Verdict ResponseSeeker::judge(Bytes b, bool last, const Tracker& tracker, Edge edge) noexcept {
  const auto size = load_be<std::uint32_t>(b.data());
  const std::size_t full = 4 + static_cast<std::size_t>(size);
  const std::int32_t id = id_of(b);
  const Bytes after_id = b.subspan(least, std::min<std::size_t>(b.size(), full) - least);
  if (!budget_.spend(64 + after_id.size())) return Verdict::no;
  std::size_t sound = 0;
  const Tracker::Fits fits = tracker.fits(id, after_id, size - 4, &sound);
  if (b.size() < full) {
    if (fits == Tracker::Fits::no) return Verdict::no;
    if (last) {
      // Numbers inside a lost answer look like this, zeros above all: a size that leads far would swallow what comes after.
      const std::size_t missing = full - b.size();
      const bool near = missing <= (edge == Edge::gap ? far_behind_gap : far) || sound >= sound_enough;
      const bool vouched = fits == Tracker::Fits::so_far && near &&
                           (edge == Edge::gap ? sound >= 8 && after_id.size() >= 16 : sound >= 24 && after_id.size() >= 64);
      return vouched && !holds_response(after_id, tracker, budget_) ? Verdict::yes : Verdict::no;
    }
    need_ = next_look(b.size(), full);
    return Verdict::wait;
  }
  if (fits == Tracker::Fits::exactly && size >= 32) return Verdict::yes;
  const Bytes rest = b.subspan(full);
  const bool sure = fits == Tracker::Fits::exactly && edge != Edge::none;  // needn't wait for the next one
  if (rest.size() < least && !last && !sure) {
    need_ = full + least;
    return Verdict::wait;
  }
  const bool followed = rest.size() >= least && begins_response(rest.data());
  if (fits == Tracker::Fits::exactly)
    return plausible_beginning(rest, id) || (followed && tracker.awaits(id_of(rest))) ? Verdict::yes : Verdict::no;
  // A rough fit counts if a sound one follows.
  if (fits == Tracker::Fits::no || !followed || id_of(rest) == id || !tracker.awaits(id_of(rest))) return Verdict::no;
  const std::size_t next = 4 + static_cast<std::size_t>(load_be<std::uint32_t>(rest.data()));
  if (rest.size() < next) {
    if (last || full + next > window_limit / 2) return Verdict::no;
    need_ = full + next;
    return Verdict::wait;
  }
  return tracker.fits(id_of(rest), rest.subspan(least, next - least), next - least) == Tracker::Fits::exactly
             ? Verdict::yes
             : Verdict::no;
}

bool ResponseSeeker::holds_answer(Bytes frame, const Tracker& tracker) noexcept {
  budget_.earn(frame.size());
  return holds_response(frame, tracker, budget_);
}

Verdict ResponseSeeker::chain(Bytes b, bool last) noexcept {
  std::size_t at = 0;
  std::int32_t id = 0;
  std::int64_t step = 1;
  for (int n = 0; n < 3; ++n) {
    if (b.size() - at < least) {
      if (last) return n >= 2 && at == b.size() ? Verdict::yes : Verdict::no;
      need_ = at + least;
      return Verdict::wait;
    }
    const Bytes from = b.subspan(at);
    if (!begins_response(from.data()) || id_of(from) < 0 || (n == 0 && is_record_data(from))) return Verdict::no;
    // Numbers that happen to lie there go any way. Answers come in the order of their requests, which clients count by
    // one, or those to all brokers together.
    const std::int64_t step_before = step;
    if (n > 0) {
      if (!plausible_neighbour(from, id)) return Verdict::no;
      step = static_cast<std::int64_t>(id_of(from)) - id;
      if ((step < 1 || step > largest_step) && id < sasl_ids) return Verdict::no;
      // What comes before two answers that were counted by one, and wasn't, is the end of a lost one.
      if (n == 2 && step == 1 && step_before > 1) return Verdict::no;
    }
    id = id_of(from);
    const std::size_t full = 4 + static_cast<std::size_t>(load_be<std::uint32_t>(from.data()));
    // Without anything that vouches for it a large size isn't waited for.
    if (from.size() < full && (last || at + full > window_limit / 2)) return n >= 2 ? Verdict::yes : Verdict::no;
    if (from.size() < full) {
      if (n >= 2) return Verdict::yes;
      need_ = at + full + least;
      return Verdict::wait;
    }
    at += full;
  }
  return Verdict::yes;
}

/// Do answers fill what is there between two gaps, to the byte? Their requests may be known later.
bool ResponseSeeker::tiled(Bytes window, std::int32_t id) const noexcept {
  while (!window.empty()) {
    if (!plausible_neighbour(window, id) || is_record_data(window)) return false;
    id = id_of(window);
    const std::size_t full = 4 + static_cast<std::size_t>(load_be<std::uint32_t>(window.data()));
    if (full > window.size()) return false;
    window = window.subspan(full);
  }
  return true;
}

Sought ResponseSeeker::found(Bytes window, std::size_t at) noexcept {
  // Answers to requests that nobody has seen may stand before it: sizes that lead here exactly are hardly chance.
  std::size_t from = 0;
  const std::int32_t id = id_of(window.subspan(at));
  while (from < at && at - from >= least && plausible_neighbour(window.subspan(from), id))
    from += 4 + static_cast<std::size_t>(load_be<std::uint32_t>(window.data() + from));
  const std::size_t begin = from == at ? 0 : at;
  scanned_ = need_ = seen_ = 0;
  return {begin, true};
}

Sought ResponseSeeker::seek(Bytes window, bool last, const Tracker& tracker, bool alone, Edge edge) noexcept {
  budget_.earn(window.size() > seen_ ? window.size() - seen_ : 0);
  seen_ = window.size();
  if (requests_ != tracker.requests()) {
    requests_ = tracker.requests();
    if (scanned_ > 0 && budget_.spend(scanned_)) {
      scanned_ = 0;
      need_ = 0;
    }
  }
  if (need_ > window.size() && !last) return {};
  need_ = 0;
  if (last && edge == Edge::gap && tracker.requests() > 0 && tiled(window, tracker.newest_id())) return found(window, 0);
  for (; scanned_ + least <= window.size(); ++scanned_) {
    const std::uint8_t* p = window.data() + scanned_;
    if (!begins_response(p)) continue;
    const Bytes from = window.subspan(scanned_);
    Verdict v = tracker.awaits(id_of(from)) ? judge(from, last, tracker, scanned_ == 0 ? edge : Edge::none) : Verdict::no;
    if (v == Verdict::no && alone) v = budget_.spend(32) ? chain(from, last) : Verdict::no;
    if (v == Verdict::yes) return found(window, scanned_);
    if (v == Verdict::wait) {
      need_ += scanned_;
      return {};
    }
  }
  std::size_t drop = last ? window.size() : 0;
  if (!last && window.size() > window_limit) drop = std::min(scanned_, window.size() - window_limit / 2);
  scanned_ -= std::min(scanned_, drop);
  seen_ -= std::min(seen_, drop);
  if (last) scanned_ = seen_ = 0;
  return {drop, false};
}

}  // namespace kparse::frame
