// SPDX-License-Identifier: MIT
// Reads of Kafka's plain encodings for payloads that are no schema messages. After an error they give nulls and zeros.
#pragma once

#include <string_view>

#include "dump/payloads.h"
#include "kparse/reader.h"

namespace kparse {

/// Text with an int16 length; data() == nullptr: null.
[[nodiscard]] inline std::string_view plain_text(Reader& in) noexcept {
  const auto size = in.be<std::int16_t>();
  return size < 0 ? std::string_view{} : text(in.take(static_cast<std::uint64_t>(size)));
}

/// Bytes with an int32 length; data() == nullptr: null.
[[nodiscard]] inline Bytes plain_bytes(Reader& in) noexcept {
  const auto size = in.be<std::int32_t>();
  return size < 0 ? Bytes{} : in.take(static_cast<std::uint64_t>(size));
}

/// An int32 count, 0 for null. Each element takes `smallest` bytes or more: a count that can't be is an error.
[[nodiscard]] inline std::uint32_t plain_count(Reader& in, std::uint64_t smallest) noexcept {
  const auto count = in.be<std::int32_t>();
  if (count < 0 || !in.ok()) return 0;
  const auto n = static_cast<std::uint32_t>(count);
  if (n > in.left() / smallest) in.fail(Code::badCount, n, in.left());
  return in.ok() ? n : 0;
}

inline void write_text(JsonWriter& out, std::string_view v) noexcept {
  if (!v.data()) return out.null();
  (void)out.string(v);
}

inline void member(JsonWriter& out, std::string_view name, std::int64_t v) noexcept {
  out.key(name);
  out.integer(v);
}
inline void member(JsonWriter& out, std::string_view name, std::string_view v) noexcept {
  out.key(name);
  write_text(out, v);
}

/// Reads a number and writes it, unless it isn't there.
template <class T>
void number_member(JsonWriter& out, Reader& in, std::string_view name) noexcept {
  const T v = in.be<T>();
  if (in.ok()) member(out, name, v);
}
inline void text_member(JsonWriter& out, Reader& in, std::string_view name) noexcept {
  const std::string_view v = plain_text(in);
  if (in.ok()) member(out, name, v);
}

inline PayloadResult result_of(const Reader& in, bool any) noexcept {
  return {.any = any, .rest = in.ok() ? in.left() : 0, .error = in.error()};
}

}  // namespace kparse
