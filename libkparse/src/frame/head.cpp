// SPDX-License-Identifier: MIT
#include "frame/head.h"

#include <algorithm>

#include "kparse/varint.h"

namespace kparse::frame {

namespace {
bool shows(char c) noexcept { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; }
}  // namespace

bool printable(std::string_view s) noexcept { return std::all_of(s.begin(), s.end(), shows); }

bool textual(std::string_view s) noexcept {
  const auto shown = static_cast<std::size_t>(std::count_if(s.begin(), s.end(), shows));
  return (s.size() - shown) * 4 <= s.size() && s.find('\0') == s.npos;
}

std::size_t tagged_length(Bytes b, std::size_t limit, bool& cut) noexcept {
  cut = false;
  const std::uint8_t *at = b.data(), *const end = at + b.size();
  const auto fail = [&](const std::uint8_t* from) -> std::size_t {
    cut = b.size() < limit && varint_error(from, end, max_varint_bytes) == Code::truncated;
    return 0;
  };
  std::uint32_t count = 0;
  const std::uint8_t* p = read_uvarint(at, end, count);
  if (!p) return fail(at);
  for (; count > 0; --count) {
    std::uint32_t tag = 0, size = 0;
    const std::uint8_t* q = read_uvarint(p, end, tag);
    if (!q) return fail(p);
    const std::uint8_t* r = read_uvarint(q, end, size);
    if (!r) return fail(q);
    if (size > limit - static_cast<std::size_t>(r - at)) return 0;
    if (size > static_cast<std::size_t>(end - r)) {
      cut = true;
      return 0;
    }
    p = r + size;
  }
  return static_cast<std::size_t>(p - at);
}

RequestHead read_request_head(Bytes d, std::uint32_t size) noexcept {
  RequestHead h;
  if (size < 8) return h;
  h.state = RequestHead::State::cut;
  if (d.size() < 8) return h;
  h.fixed_part = true;
  h.key = load_be<std::int16_t>(d.data());
  h.version = load_be<std::int16_t>(d.data() + 2);
  h.correlation_id = load_be<std::int32_t>(d.data() + 4);
  h.api = find_api(h.key);
  h.known = h.api && h.api->request->versions.has(h.version);
  h.header_version = static_cast<std::int8_t>(h.api && h.version >= 0 ? request_header_version(*h.api, h.version) : 1);
  h.length = 8;
  if (h.header_version == 0) {
    h.state = RequestHead::State::whole;
    return h;
  }
  const auto bad = [&h] {
    h.state = RequestHead::State::bad;
    return h;
  };
  if (size < 10) return bad();
  if (d.size() < 10) return h;
  const auto length = load_be<std::int16_t>(d.data() + 8);
  if (length < -1 || length > static_cast<std::int64_t>(size) - 10) return bad();
  h.client_id_null = length < 0;
  const std::size_t n = length < 0 ? 0 : static_cast<std::size_t>(length);
  h.length = 10 + n;
  h.client_id = text(d.subspan(10, std::min(n, d.size() - 10)));
  if (d.size() < h.length) return h;
  h.client_id_whole = true;
  // Forks have APIs of their own: theirs look flexible when a tag count of 0 follows, as in decode_request_header.
  if (!h.api && h.length < size && d.size() > h.length && d[h.length] == 0) h.header_version = 2;
  if (h.header_version >= 2) {
    bool cut = false;
    const std::size_t tags = tagged_length(d.subspan(h.length), size - h.length, cut);
    if (tags == 0 && cut) return h;
    if (tags == 0 && h.known) return bad();
    if (tags == 0) h.header_version = 1;  // what a newer version looks like isn't known
    h.length += tags;
  }
  h.state = RequestHead::State::whole;
  return h;
}

}  // namespace kparse::frame
