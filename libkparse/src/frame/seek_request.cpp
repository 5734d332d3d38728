// SPDX-License-Identifier: MIT
#include <algorithm>

#include "frame/fit.h"
#include "frame/head.h"
#include "frame/seek.h"

namespace kparse::frame {

namespace {

constexpr std::uint32_t largest_request = 104'857'600;  // socket.request.max.bytes
constexpr std::size_t least = 4 + 10;                   // a header with a null client id

/// The first 12 bytes of a request, cheap. Nearly all places fail at the first compare.
bool begins_request(const std::uint8_t* p) noexcept {
  if (p[0] > largest_request >> 24 || p[4] != 0 || p[6] != 0) return false;
  const auto size = load_be<std::uint32_t>(p);
  if (size < 8 || size > largest_request) return false;
  const Api* api = find_api(load_be<std::int16_t>(p + 4));
  if (!api) return false;
  const int version = load_be<std::int16_t>(p + 6);
  return api->request->versions.has(version) || (api->key == 18 && version <= 32);
}

/// Does a whole request for sure begin anywhere in `b`?
bool holds_request(Bytes b, Budget& budget) noexcept {
  for (std::size_t at = 0; at + least <= b.size(); ++at) {
    if (!begins_request(b.data() + at)) continue;
    const auto size = load_be<std::uint32_t>(b.data() + at);
    if (size > b.size() - at - 4 || !budget.spend(size)) continue;
    const Bytes data = b.subspan(at + 4, size);
    const RequestHead h = read_request_head(data, size);
    if (!h.client_id.empty() && fit_request(h, data, size) == Fit::exact) return true;
  }
  return false;
}

}  // namespace

Verdict RequestSeeker::judge(Bytes b, bool last, std::string_view client_id) noexcept {
  const auto size = load_be<std::uint32_t>(b.data());
  const std::size_t full = 4 + static_cast<std::size_t>(size);
  const bool whole = b.size() >= full;
  const Bytes data = b.subspan(4, std::min<std::size_t>(b.size() - 4, size));
  const RequestHead h = read_request_head(data, size);
  const Fit fits = budget_.spend(64 + data.size()) ? fit_request(h, data, size) : Fit::bad;
  if (fits == Fit::bad) return Verdict::no;
  const bool known_name = h.client_id_whole && h.client_id.size() >= 2 && h.client_id == client_id;
  if (!whole) {
    if (last) {
      // Damaged. Its name or a long stretch of sound body vouches for it, and its size for where the next one begins.
      const std::size_t sound = h.state == RequestHead::State::whole ? data.size() - h.length : 0;
      if (!known_name && (h.client_id.size() < 2 || sound < 4096)) return Verdict::no;
      evidence_ = sound >= 64 ? Evidence::strong : Evidence::weak;
      return holds_request(b.subspan(1), budget_) ? Verdict::no : Verdict::yes;
    }
    need_ = next_look(b.size(), full);
    return Verdict::wait;
  }
  evidence_ = Evidence::strong;
  if (!h.client_id.empty() && (fits == Fit::exact || known_name)) return Verdict::yes;
  if (size >= 64 && fits == Fit::exact) return Verdict::yes;
  // Partitions of a Fetch look like this: an offset, 1 MiB as ListGroups version 0, the next partition, no client id.
  if (fits != Fit::exact && h.client_id.empty()) return Verdict::no;
  evidence_ = Evidence::weak;
  const Bytes rest = b.subspan(full);
  if (rest.size() >= least) return begins_request(rest.data()) ? Verdict::yes : Verdict::no;
  if (last) return rest.empty() ? Verdict::yes : Verdict::no;
  need_ = full + least;
  return Verdict::wait;
}

Sought RequestSeeker::seek(Bytes window, bool last, std::string_view client_id) noexcept {
  budget_.earn(window.size() > seen_ ? window.size() - seen_ : 0);
  const auto answer = [&](std::size_t drop, bool found) {
    seen_ = window.size() - drop;
    return Sought{drop, found};
  };
  if (need_ > window.size() && !last) return answer(0, false);
  need_ = 0;
  std::size_t at = 0;
  for (; at + least <= window.size(); ++at) {
    if (!begins_request(window.data() + at)) continue;
    switch (judge(window.subspan(at), last, client_id)) {
      case Verdict::no:
        break;
      case Verdict::wait:
        return answer(at, false);
      case Verdict::yes:
        return answer(at, true);
    }
  }
  return answer(last ? window.size() : at, false);
}

}  // namespace kparse::frame
