// SPDX-License-Identifier: MIT
#include <limits>

#include "headers/draft.h"
#include "kparse/crc.h"
#include "kparse/draft_headers.h"

namespace kparse {

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::int32_t>::max();

void sized(DraftForm form, Bytes v, Writer& out) noexcept {
  write_draft_int(form, v.data() ? static_cast<std::int32_t>(v.size()) : -1, out);
  if (v.data()) out.bytes(v);
}

std::size_t begin(const DraftMessage& m, std::uint8_t attributes, Writer& out) noexcept {
  const std::size_t at = out.size();
  out.be(m.offset);
  out.be(std::uint64_t{0});  // size, CRC
  out.be(std::uint8_t{2});
  out.be(attributes);
  out.be(m.timestamp);
  return at;
}

bool end(std::size_t at, Writer& out) noexcept {
  const std::uint64_t size = out.size() - at - 12;
  if (!out.ok() || size > largest) {
    out.truncate(at);
    return false;
  }
  out.patch_be(at + 8, static_cast<std::int32_t>(size));
  out.patch_be(at + 12, crc32(out.view().subspan(at + 16)));
  return true;
}

/// Headers and their count; false: too large.
bool block(std::span<const IntHeader> headers, DraftForm form, Writer& out) noexcept {
  Writer inner;
  write_draft_int(form, static_cast<std::int32_t>(headers.size()), inner);
  for (const IntHeader& h : headers) {
    if (h.value.size() > largest) return false;
    write_draft_int(form, h.key, inner);
    sized(form, h.value, inner);
  }
  if (!inner.ok() || inner.size() > largest) return false;
  write_draft_int(form, static_cast<std::int32_t>(inner.size()), out);
  out.bytes(inner.view());
  return true;
}

}  // namespace

bool write_draft_message(const DraftMessage& m, std::span<const IntHeader> headers, DraftProfile profile,
                         DraftForm form, Writer& out) noexcept {
  if (m.key.size() > largest || m.value.size() > largest || headers.size() > largest) return false;
  const bool literal = profile == DraftProfile::kip82_compact_literal;
  const bool compact = literal || profile == DraftProfile::kip82_compact;
  if (profile == DraftProfile::kip82_map || profile == DraftProfile::kip82_map_always) return false;
  if (profile == DraftProfile::kip82_int32) form = DraftForm::int32;
  if (form == DraftForm::none) form = profile == DraftProfile::kip82_any ? DraftForm::int32 : DraftForm::messagepack;
  if (form == DraftForm::int32 && (compact || profile == DraftProfile::kip82_varint)) return false;
  if (literal && headers.empty() && m.key.data()) return false;

  const DraftForm lengths = compact ? form : DraftForm::int32;
  auto attributes = static_cast<std::uint8_t>(m.attributes & 0x0f);
  if (!headers.empty()) attributes |= DraftMessage::headers_present;
  const bool bit5 = profile == DraftProfile::kip82_compact && !m.key.data();
  if (bit5) attributes |= DraftMessage::no_key;

  const std::size_t at = begin(m, attributes, out);
  if (!bit5 && !(literal && headers.empty())) sized(lengths, m.key, out);
  if (!headers.empty() && !block(headers, form, out)) {
    out.truncate(at);
    return false;
  }
  sized(lengths, m.value, out);
  return end(at, out);
}

bool write_draft_map_message(const DraftMessage& m, DraftProfile profile, Writer& out) noexcept {
  const bool always = profile == DraftProfile::kip82_map_always;
  if (!always && profile != DraftProfile::kip82_map) return false;
  if (m.key.size() > largest || m.value.size() > largest || m.headers.size() > largest) return false;
  const bool with = always || m.headers.data();
  auto attributes = static_cast<std::uint8_t>(m.attributes & 0x0f);
  if (with && !always) attributes |= DraftMessage::headers_present;
  const std::size_t at = begin(m, attributes, out);
  sized(DraftForm::int32, m.key, out);
  if (with) {
    out.be(static_cast<std::int32_t>(m.headers.size()));
    out.bytes(m.headers);
  }
  sized(DraftForm::int32, m.value, out);
  return end(at, out);
}

}  // namespace kparse
