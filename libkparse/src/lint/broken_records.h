// SPDX-License-Identifier: MIT
// Where the records of a batch stop being records, and whose fault it is: one cause for each batch, so that the rules
// about records don't say the same in several ways.
#pragma once

#include <cstdint>

#include "kparse/record_walk.h"
#include "lint/batch_rule.h"

namespace kparse::lint {

struct Broken {
  enum class Fault : std::uint8_t {
    none,    ///< nothing is wrong, or it isn't in the records
    length,  ///< a record's length
    header,  ///< the count of its headers, or the length of a header's name
    cut,     ///< the decompressed content ends inside a record
    count,   ///< the header's number of records
  };
  enum class What : std::uint8_t { none, negative, too_long, fields_short, fields_long, header_count, name_length };
  Fault fault = Fault::none;
  What what = What::none;
  std::int32_t record = 0;  ///< the one that can't be read; of `count`: how many there are
  std::int64_t value = 0;   ///< the length or count that is wrong
  std::uint64_t have = 0;   ///< bytes that are there; of `count`: that are left
};

namespace broken {

[[nodiscard]] inline bool skip(const std::uint8_t*& at, const std::uint8_t* end) noexcept {
  Bytes b;
  const auto* const next = detail::read_nullable(at, end, b);
  return next ? (at = next, true) : false;
}

/// The fields before the headers; false: they don't fit.
[[nodiscard]] inline bool fields(const std::uint8_t*& at, const std::uint8_t* end) noexcept {
  std::int64_t time = 0;
  std::int32_t delta = 0;
  if (at == end) return false;
  const auto* next = read_varlong(at + 1, end, time);
  if (next) next = read_varint(next, end, delta);
  if (!next) return false;
  at = next;
  return skip(at, end) && skip(at, end);
}

/// The record in [at, end), without regard to its length. `b` gets what is wrong with its headers.
[[nodiscard]] inline bool whole(const std::uint8_t*& at, const std::uint8_t* end, Broken& b) noexcept {
  if (!fields(at, end)) return false;
  std::int32_t n = 0;
  const auto* next = read_varint(at, end, n);
  if (!next) return false;
  at = next;
  if (n < 0 || n > end - at) {
    b = {Broken::Fault::header, Broken::What::header_count, b.record, n, static_cast<std::uint64_t>(end - at)};
    return false;
  }
  for (; n > 0; --n) {
    std::int32_t length = 0;
    next = read_varint(at, end, length);
    if (!next) return false;
    if (length < 0 || length > end - next) {
      b = {Broken::Fault::header, Broken::What::name_length, b.record, length, static_cast<std::uint64_t>(end - next)};
      return false;
    }
    at = next + length;
    if (!skip(at, end)) return false;
  }
  return true;
}

[[nodiscard]] inline Broken in_record(const std::uint8_t* at, const std::uint8_t* end, std::int32_t record,
                                      bool packed) noexcept {
  Broken b{.fault = Broken::Fault::length, .record = record, .have = static_cast<std::uint64_t>(end - at)};
  std::int32_t length = 0;
  const auto* const next = read_varint(at, end, length);
  if (!next) {
    b.fault = packed && varint_error(at, end, max_varint_bytes) == Code::truncated ? Broken::Fault::cut : b.fault;
    b.what = Broken::What::too_long;
    return b;
  }
  b.value = length;
  b.have = static_cast<std::uint64_t>(end - next);
  at = next;
  if (length < 0) {
    b.what = Broken::What::negative;
    return b;
  }
  Broken headers{.record = record};
  if (length > end - at) {
    b.what = Broken::What::too_long;
    if (packed && !whole(at, end, headers)) b.fault = Broken::Fault::cut;
    return b;
  }
  const auto* const stop = at + length;
  const bool fits = whole(at, stop, headers);
  if (headers.fault != Broken::Fault::none) return headers;
  b.what = fits ? Broken::What::fields_short : Broken::What::fields_long;
  b.have = fits ? static_cast<std::uint64_t>(stop - at) : 0;
  return b;
}

[[nodiscard]] inline Broken in_batch(const BatchFacts& f, const Error& e) noexcept {
  const Batch& b = f.batch;
  if (e.limit == Limit::payload || e.code == Code::unknownCodec || e.code == Code::noMemory ||
      e.code == Code::tooLarge || e.code == Code::tooDense)
    return {};
  if (b.count < 0) return {.fault = Broken::Fault::count, .value = b.count, .have = b.payload.size()};
  const std::uint8_t* at = b.opened.data();
  const std::uint8_t* const end = at + b.opened.size();
  Record r;
  std::int64_t time = 0;
  std::int32_t delta = 0, n = 0;
  const auto step = [&]() noexcept {
    const auto* const next = at < end ? detail::read_record(at, end, r, time, delta) : nullptr;
    return next ? (at = next, ++n, true) : false;
  };
  while (n < b.count && step()) {
  }
  if (n < b.count && at < end) return in_record(at, end, n, b.codec != Codec::none);
  if (n == b.count) {  // bytes are left: more records, perhaps
    while (n < 0x7fffffff && step()) {
    }
    if (at == end && n == b.count) return {};
  }
  return {.fault = Broken::Fault::count, .record = n, .value = b.count, .have = static_cast<std::uint64_t>(end - at)};
}

[[nodiscard]] inline Broken in_messages(const BatchFacts& f, const Error& e) noexcept {
  Broken b{.record = f.records, .value = static_cast<std::int64_t>(e.need), .have = e.have};
  if (e.code == Code::truncated && e.limit == Limit::batch) {
    b.fault = Broken::Fault::cut;
  } else if (e.code == Code::badLength || (e.code == Code::truncated && e.limit == Limit::record)) {
    b.fault = Broken::Fault::length;
    b.what = Broken::What::too_long;
  } else if (e.code == Code::surplus && e.limit == Limit::record) {
    b.fault = Broken::Fault::length;
    b.what = Broken::What::fields_short;
  }
  return b;
}

}  // namespace broken

/// Reads the batch once more: for those with an error, or without records.
[[nodiscard]] inline Broken find_broken(const BatchFacts& f, const Error& e) noexcept {
  if (!sound(f.batch) || !f.opened) return {};
  if (f.batch.magic == 2) return broken::in_batch(f, e);
  return e ? broken::in_messages(f, e) : Broken{};
}

}  // namespace kparse::lint
