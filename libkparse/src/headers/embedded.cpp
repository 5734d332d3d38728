// SPDX-License-Identifier: MIT
// Source: Spring Cloud Stream's EmbeddedHeaderUtils; Spring XD's EmbeddedHeadersMessageConverter.
#include <limits>

#include "kparse/reader.h"
#include "kparse/wrappers.h"

namespace kparse {

namespace {

/// One header at the reader; false: it isn't whole.
bool read_item(Reader& r, EmbeddedHeaders::Form form, EmbeddedHeaders::Item& out) noexcept {
  out.name = text(r.take(r.be<std::uint8_t>()));
  const std::int64_t length = form == EmbeddedHeaders::Form::stream ? r.be<std::int32_t>() : r.be<std::uint8_t>();
  if (!r.ok() || length < 0) return false;
  out.value = text(r.take(static_cast<std::uint64_t>(length)));
  return r.ok();
}

}  // namespace

bool EmbeddedHeaders::next(Bytes& rest, Item& out) const noexcept {
  if (rest.empty()) return false;
  Reader r(rest);
  if (!read_item(r, form, out)) return false;
  rest = rest.subspan(static_cast<std::size_t>(r.offset()));
  return true;
}

bool read_embedded_headers(Bytes in, EmbeddedHeaders::Form form, EmbeddedHeaders& out) noexcept {
  Reader r(in);
  if (form == EmbeddedHeaders::Form::stream && r.be<std::uint8_t>() != 0xff) return false;
  out = {};
  out.form = form;
  out.count = r.be<std::uint8_t>();
  if (form == EmbeddedHeaders::Form::xd && out.count == 0xff) return false;
  const std::uint8_t* const begin = r.at();
  EmbeddedHeaders::Item item;
  for (int i = 0; i < out.count; ++i) {
    if (!read_item(r, form, item)) return false;
  }
  if (!r.ok()) return false;
  out.headers = r.since(begin);
  out.payload = r.take(r.left());
  return true;
}

bool write_embedded_headers(EmbeddedHeaders::Form form, std::span<const EmbeddedHeaders::Item> items, Bytes payload,
                            Writer& out) noexcept {
  const bool stream = form == EmbeddedHeaders::Form::stream;
  const std::size_t longest = stream ? std::size_t{std::numeric_limits<std::int32_t>::max()} : 255;
  if (items.size() > (stream ? 255u : 254u)) return false;
  for (const auto& i : items) {
    if (i.name.size() > 255 || i.value.size() > longest) return false;
  }
  if (stream) out.be(std::uint8_t{0xff});
  out.be(static_cast<std::uint8_t>(items.size()));
  for (const auto& i : items) {
    out.be(static_cast<std::uint8_t>(i.name.size()));
    out.text(i.name);
    if (stream) {
      out.be(static_cast<std::int32_t>(i.value.size()));
    } else {
      out.be(static_cast<std::uint8_t>(i.value.size()));
    }
    out.text(i.value);
  }
  out.bytes(payload);
  return true;
}

}  // namespace kparse
