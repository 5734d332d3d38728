// SPDX-License-Identifier: MIT
// Source: li-apache-kafka-clients (history of its branches: DefaultHeaderSerializer; DefaultSegmentSerializer,
// LargeMessageHeaderValue).
#include <algorithm>
#include <cstring>

#include "kparse/reader.h"
#include "kparse/wrappers.h"

namespace kparse {

namespace {

constexpr std::uint8_t version = 1, null_flag = 0x10;

bool read_item(Reader& r, bool int_keys, LinkedInHeaders::Item& out) noexcept {
  out = {};
  if (int_keys) {
    out.key = r.be<std::int32_t>();
    if (out.key < 0) return false;
  } else {
    const auto length = r.be<std::int8_t>();
    if (length < 1) return false;
    out.name = text(r.take(static_cast<std::uint64_t>(length)));
  }
  const auto length = r.be<std::int32_t>();
  if (!r.ok() || length < 0) return false;
  out.value = r.take(static_cast<std::uint64_t>(length));
  return r.ok();
}

/// How many headers the block has; -1: it isn't one of this form.
std::int32_t count_items(Bytes block, bool int_keys) noexcept {
  Reader r(block);
  std::int32_t n = 0;
  for (LinkedInHeaders::Item item; r.left() > 0; ++n) {
    if (!read_item(r, int_keys, item)) return -1;
  }
  return n;
}

std::uint32_t checksum(const std::uint8_t* uuid) noexcept {
  return static_cast<std::uint32_t>(load_be<std::uint64_t>(uuid) + load_be<std::uint64_t>(uuid + 8));
}

bool sound(const LinkedInSegment& s) noexcept { return s.number >= 0 && s.number < s.count; }

}  // namespace

bool LinkedInHeaders::next(Bytes& rest, Item& out) const noexcept {
  if (rest.empty()) return false;
  Reader r(rest);
  if (!read_item(r, int_keys, out)) return false;
  rest = rest.subspan(static_cast<std::size_t>(r.offset()));
  return true;
}

bool read_linkedin_headers(Bytes in, LinkedInHeaders& out) noexcept {
  constexpr std::size_t fixed = 13;
  if (in.size() < fixed || !std::equal(LinkedInHeaders::magic.begin(), LinkedInHeaders::magic.end(), in.begin()) ||
      (in[8] & ~null_flag) != version) {
    return false;
  }
  const auto length = load_be<std::int32_t>(in.data() + 9);
  if (length < 0 || static_cast<std::size_t>(length) > in.size() - fixed) return false;
  out = {};
  out.headers = in.subspan(fixed, static_cast<std::size_t>(length));
  out.count = count_items(out.headers, false);
  if (out.count < 0) {
    out.int_keys = true;
    out.count = count_items(out.headers, true);
  }
  const Bytes value = in.subspan(fixed + static_cast<std::size_t>(length));
  const bool null = in[8] & null_flag;
  if (!null) out.value = value;
  return out.count >= 0 && (!null || value.empty());
}

bool write_linkedin_headers(bool int_keys, std::span<const LinkedInHeaders::Item> items, Bytes value,
                            Writer& out) noexcept {
  for (const auto& i : items) {
    if (int_keys ? i.key < 0 : i.name.empty() || i.name.size() > 127) return false;
  }
  out.bytes(LinkedInHeaders::magic);
  out.be(static_cast<std::uint8_t>(value.data() ? version : version | null_flag));
  const std::size_t length = out.size();
  out.be(std::int32_t{0});
  for (const auto& i : items) {
    if (int_keys) {
      out.be(i.key);
    } else {
      out.be(static_cast<std::int8_t>(i.name.size()));
      out.text(i.name);
    }
    out.be(static_cast<std::int32_t>(i.value.size()));
    out.bytes(i.value);
  }
  out.patch_be(length, static_cast<std::int32_t>(out.size() - length - 4));
  out.bytes(value);
  return true;
}

bool read_linkedin_segment(Bytes value, LinkedInSegment& out) noexcept {
  constexpr std::size_t fixed = 33;
  if (value.size() < fixed || value[0] != 0) return false;
  const std::uint8_t* p = value.data();
  if (load_be<std::uint32_t>(p + 1) != checksum(p + 5)) return false;
  out = {};
  std::memcpy(out.uuid.data(), p + 5, out.uuid.size());
  out.number = load_be<std::int32_t>(p + 21);
  out.count = load_be<std::int32_t>(p + 25);
  out.total_size = load_be<std::int32_t>(p + 29);
  out.payload = value.subspan(fixed);
  return sound(out) && out.total_size >= 0 && static_cast<std::size_t>(out.total_size) >= out.payload.size();
}

void write_linkedin_segment(const LinkedInSegment& s, Writer& out) noexcept {
  out.be(std::uint8_t{0});
  out.be(checksum(s.uuid.data()));
  out.bytes(s.uuid);
  out.be(s.number);
  out.be(s.count);
  out.be(s.total_size);
  out.bytes(s.payload);
}

bool read_linkedin_lm(Bytes header, LinkedInSegment& out) noexcept {
  if (header.empty() || header[0] > 2 || header.size() != (header[0] == 0 ? 25u : 29u)) return false;
  const std::uint8_t* p = header.data();
  out = {};
  out.type = p[0];
  std::memcpy(out.uuid.data(), p + 9, 8);  // the low half comes first
  std::memcpy(out.uuid.data() + 8, p + 1, 8);
  out.number = load_be<std::int32_t>(p + 17);
  out.count = load_be<std::int32_t>(p + 21);
  if (out.type > 0) out.total_size = load_be<std::int32_t>(p + 25);
  return sound(out);
}

void write_linkedin_lm(const LinkedInSegment& s, Writer& out) noexcept {
  out.be(s.type);
  out.bytes(Bytes(s.uuid).subspan(8));
  out.bytes(Bytes(s.uuid).first(8));
  out.be(s.number);
  out.be(s.count);
  if (s.type > 0) out.be(s.total_size);
}

}  // namespace kparse
