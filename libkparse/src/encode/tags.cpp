// SPDX-License-Identifier: MIT
// The tagged section at the end of a struct: known and unknown fields in ascending order of tag, each with its size.
// Source: KIP-482, RawTaggedFieldWriter.
#include <algorithm>
#include <limits>
#include <utility>

#include "encode/encoder.h"
#include "encode/scalar.h"

namespace kparse {
namespace {

constexpr std::size_t max_size = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t no_more = std::numeric_limits<std::int32_t>::max();  // Kafka's writer refuses this one and above

}  // namespace

/// "$tags", being written.
struct Encoder::Impl::RawTags {
  Value list = Value::array(nullptr, 0);
  std::size_t next = 0;
  std::int64_t last = -1;
};

bool Encoder::Impl::raw_tags(NodeId n, RawTags& raw, std::int64_t end) noexcept {
  for (; raw.next < raw.list.size; ++raw.next) {
    const Value entry = source.element(raw.list, raw.next);
    if (entry.kind != Value::Kind::object) return fail(Code::badTags, n, entry);
    Value number, data;
    for (std::size_t i = 0; i < entry.size; ++i) {
      const ValueMember m = source.member(entry, i);
      if (m.name == "tag") number = m.value;
      if (m.name == "data") data = m.value;
    }
    const auto tag = integer_of(number);
    const bool is_text = data.kind == Value::Kind::string;
    if (!tag || (!is_text && data.kind != Value::Kind::bytes)) return fail(Code::badTags, n, entry);
    if (*tag <= raw.last || *tag >= no_more) return fail(Code::tagOrder, n, entry, *tag);
    if (*tag == end) return fail(Code::tagKnown, n, entry, *tag);
    if (*tag > end) return true;
    const auto decoded = is_text ? base64_size(kparse::text(data.data)) : data.data.size();
    if (!decoded) return fail(Code::badBase64, n, data);
    if (*decoded > max_size) return fail(Code::tooLong, n, data, static_cast<std::int64_t>(*decoded));
    raw.last = *tag;
    out_->uvarint(static_cast<std::uint32_t>(*tag));
    out_->uvarint(static_cast<std::uint32_t>(*decoded));
    if (!is_text) {
      out_->bytes(data.data);
    } else if (!base64(n, kparse::text(data.data), *decoded)) {
      return false;
    }
  }
  return true;
}

bool Encoder::Impl::tag(NodeId structure, std::uint32_t number, NodeId n, const Value& v) noexcept {
  out_->uvarint(number);
  const std::size_t at = out_->reserve_uvarint();
  if (!field_of(n, v, true)) return false;
  const std::size_t size = out_->size() - at - 1;
  if (size > max_size) return fail(Code::tooLong, structure, v, static_cast<std::int64_t>(size));
  out_->patch_uvarint(at, static_cast<std::uint32_t>(size));
  return true;
}

bool Encoder::Impl::tag_section(NodeId n, const FieldList& list, const Value& object) noexcept {
  RawTags raw;
  if (list.tags != FieldList::none) {
    raw.list = source.member(object, list.tags).value;
    if (raw.list.kind != Value::Kind::array) return fail(Code::badTags, n, raw.list);
    if (raw.list.size > 0 && !flexible_) return fail(Code::tagsNotAllowed, n, raw.list);
  }
  if (!flexible_) return true;

  std::array<std::pair<std::int16_t, std::size_t>, FieldList::max> known;  // tag, place in the list
  std::size_t all = 0;
  for (std::size_t i = 0; i < list.count; ++i)
    if (const Field& f = field(list.node[i]); f.tagged.has(version_)) known[all++] = {f.tag, i};
  std::sort(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(all));

  const std::size_t at = out_->reserve_uvarint();
  std::uint32_t written = 0;
  for (std::size_t k = 0; k < all; ++k) {
    const auto [number, i] = known[k];
    if (!raw_tags(n, raw, number)) return false;
    if (list.member[i] == FieldList::none) continue;
    const Value v = source.member(object, list.member[i]).value;
    if (!differs_from_default(source, list.node[i], v)) continue;
    if (!tag(n, static_cast<std::uint32_t>(number), list.node[i], v)) return false;
    ++written;
  }
  if (!raw_tags(n, raw, no_more)) return false;
  if (raw.list.size > max_size) return fail(Code::tooLong, n, raw.list, static_cast<std::int64_t>(raw.list.size));
  out_->patch_uvarint(at, written + static_cast<std::uint32_t>(raw.list.size));
  return true;
}

}  // namespace kparse
