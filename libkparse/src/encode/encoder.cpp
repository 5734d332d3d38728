// SPDX-License-Identifier: MIT
#include "encode/encoder.h"

#include <bit>
#include <limits>
#include <utility>

#include "encode/scalar.h"
#include "kparse/walker.h"

namespace kparse {
namespace {

constexpr std::string_view redacted = "(redacted)";
constexpr std::size_t max_count = std::numeric_limits<std::int32_t>::max();

}  // namespace

void Encoder::Impl::start(const Message& m, int version, Writer& out) noexcept {
  error = {};
  all_ignored = 0;
  out_ = &out;
  version_ = version;
  flexible_ = m.flexible.has(version);
  depth_ = 0;
  index_.fill(FieldPlace::no_index);
  if (!m.versions.has(version)) fail(Code::unknownVersion, m.root);
}

bool Encoder::Impl::fail(Code code, NodeId n, const Value& got, std::int64_t number) noexcept {
  error = {.code = code,
           .place = place(n),
           .got = got.kind,
           .version = static_cast<std::int16_t>(version_),
           .number = number};
  return false;
}

void Encoder::Impl::ignore(NodeId n, std::string_view name, bool known) noexcept {
  if (all_ignored < max_ignored) ignored[all_ignored] = {.place = place(n), .name = name, .known = known};
  ++all_ignored;
}

bool Encoder::Impl::structure(NodeId n, const Value& v) noexcept {
  if (v.kind != Value::Kind::object) return fail(Code::wrongType, n, v);
  FieldList list(n);
  match(source, v, list, [&](std::string_view name) { ignore(n, name, false); });
  if (++depth_ >= FieldPlace::max_depth) return fail(Code::wrongType, n, v);
  for (std::size_t i = 0; i < list.count; ++i) {
    const NodeId at = list.node[i];
    const Field& f = field(at);
    const bool here = f.versions.has(version_);
    if (here && f.tagged.has(version_)) continue;
    if (list.member[i] == FieldList::none) {
      if (here) return fail(Code::missing, at);
      continue;
    }
    const Value given = source.member(v, list.member[i]).value;
    if (here) {
      if (!field_of(at, given, false)) return false;
    } else if (differs_from_default(source, at, given)) {
      if (!f.ignorable) return fail(Code::notInVersion, at, given);
      ignore(at, f.name, true);
    }
  }
  const bool whole = tag_section(n, list, v);
  --depth_;
  return whole;
}

bool Encoder::Impl::field_of(NodeId n, const Value& v, bool tagged) noexcept {
  if (v.kind == Value::Kind::null) return null(n, v, tagged);
  const Field& f = field(n);
  if (f.array) return array(n, v);
  if (f.type == Type::structure && f.nullable.has(version_)) out_->be(std::int8_t{1});  // in a tag a varint: the same
  return single(n, v);
}

bool Encoder::Impl::null(NodeId n, const Value& v, bool tagged) noexcept {
  const Field& f = field(n);
  if (!f.nullable.has(version_)) return fail(Code::nullNotAllowed, n, v);
  const bool one = !f.array;
  if (one && f.type == Type::structure) {
    out_->be(static_cast<std::int8_t>(tagged ? 0 : -1));
  } else if (flexible_ && !f.fixed) {
    out_->uvarint(0);
  } else if (one && f.type == Type::string) {
    out_->be(std::int16_t{-1});
  } else {
    out_->be(std::int32_t{-1});
  }
  return true;
}

void Encoder::Impl::count(bool compact, std::size_t n) noexcept {
  if (compact) {
    out_->uvarint(static_cast<std::uint32_t>(n) + 1);
  } else {
    out_->be(static_cast<std::int32_t>(n));
  }
}

bool Encoder::Impl::array(NodeId n, const Value& v) noexcept {
  if (v.kind != Value::Kind::array) return fail(Code::wrongType, n, v);
  if (v.size > max_count) return fail(Code::tooLong, n, v, static_cast<std::int64_t>(v.size));
  count(flexible_, v.size);
  for (std::size_t i = 0; i < v.size; ++i) {
    index_[depth_] = static_cast<std::uint32_t>(i);
    const Value element = source.element(v, i);
    if (element.kind == Value::Kind::null) return fail(Code::nullNotAllowed, n, element);
    if (!single(n, element)) return false;
  }
  index_[depth_] = FieldPlace::no_index;
  return true;
}

bool Encoder::Impl::single(NodeId n, const Value& v) noexcept {
  if (v.kind == Value::Kind::string && kparse::text(v.data) == redacted) return fail(Code::redacted, n, v);
  switch (field(n).type) {
    case Type::structure:
      return structure(n, v);
    case Type::boolean:
      if (v.kind != Value::Kind::boolean) return fail(Code::wrongType, n, v);
      out_->be(static_cast<std::uint8_t>(v.boolean ? 1 : 0));
      return true;
    case Type::float64: {
      const auto real = float_of(v);
      if (!real) return fail(Code::wrongType, n, v);
      out_->be(std::bit_cast<std::uint64_t>(*real));
      return true;
    }
    case Type::uuid:
      return uuid(n, v);
    case Type::string:
      return string(n, v);
    case Type::bytes:
    case Type::records:
      return blob(n, v);
    default:
      return integer(n, v);
  }
}

bool Encoder::Impl::integer(NodeId n, const Value& v) noexcept {
  const Type type = field(n).type;
  const auto number = integer_of(v);
  if (!number) return fail(Code::wrongType, n, v);
  const IntegerRange range = range_of(type);
  if (*number < range.lo || *number > range.hi) return fail(Code::outOfRange, n, v, *number);
  if (type == Type::int8) {
    out_->be(static_cast<std::int8_t>(*number));
  } else if (type == Type::int16 || type == Type::uint16) {
    out_->be(static_cast<std::int16_t>(*number));
  } else if (type == Type::int64) {
    out_->be(*number);
  } else {
    out_->be(static_cast<std::int32_t>(*number));
  }
  return true;
}

bool Encoder::Impl::uuid(NodeId n, const Value& v) noexcept {
  std::uint8_t id[16];
  if (v.kind == Value::Kind::bytes) {
    if (v.data.size() != sizeof id) return fail(Code::badUuid, n, v);
    out_->bytes(v.data);
    return true;
  }
  if (v.kind != Value::Kind::string) return fail(Code::wrongType, n, v);
  if (!uuid_decode(kparse::text(v.data), id)) return fail(Code::badUuid, n, v);
  out_->bytes(id);
  return true;
}

bool Encoder::Impl::string(NodeId n, const Value& v) noexcept {
  if (v.kind != Value::Kind::string) return fail(Code::wrongType, n, v);
  if (v.data.size() > max_string) return fail(Code::tooLong, n, v, static_cast<std::int64_t>(v.data.size()));
  if (flexible_ && !field(n).fixed) {
    count(true, v.data.size());
  } else {
    out_->be(static_cast<std::int16_t>(v.data.size()));
  }
  out_->bytes(v.data);
  return true;
}

bool Encoder::Impl::blob(NodeId n, const Value& v) noexcept {
  std::size_t size = v.data.size();
  if (v.kind == Value::Kind::string) {
    const auto decoded = base64_size(kparse::text(v.data));
    if (!decoded) return fail(Code::badBase64, n, v);
    size = *decoded;
  } else if (v.kind != Value::Kind::bytes) {
    return fail(Code::wrongType, n, v);
  }
  if (size > max_count) return fail(Code::tooLong, n, v, static_cast<std::int64_t>(size));
  count(flexible_ && !field(n).fixed, size);
  if (v.kind == Value::Kind::string) return base64(n, kparse::text(v.data), size);
  out_->bytes(v.data);
  return true;
}

bool Encoder::Impl::base64(NodeId n, std::string_view encoded, std::size_t size) noexcept {
  if (size == 0) return true;
  std::uint8_t* to = out_->extend(size);
  if (!to) return fail(Code::noMemory, n);
  return base64_decode(encoded, to) || fail(Code::badBase64, n, Value::of(encoded));
}

Encoder::Encoder(const ValueSource& source) : impl_(std::make_unique<Impl>(source)) {}
Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;

EncodeError Encoder::message(const Message& m, int version, const Value& value, Writer& out) noexcept {
  const std::size_t before = out.size();
  impl_->start(m, version, out);
  if (!impl_->error && impl_->structure(m.root, value) && !out.ok())
    impl_->error = {.code = EncodeError::Code::noMemory, .version = static_cast<std::int16_t>(version)};
  if (impl_->error) out.truncate(before);
  return impl_->error;
}

std::span<const Ignored> Encoder::ignored() const noexcept {
  return {impl_->ignored.data(), static_cast<std::size_t>(std::min<std::uint64_t>(impl_->all_ignored, max_ignored))};
}

std::uint64_t Encoder::all_ignored() const noexcept { return impl_->all_ignored; }

}  // namespace kparse
