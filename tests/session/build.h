// SPDX-License-Identifier: MIT
// Hand-made message bodies, and the exchanges that have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "kparse/bytes.h"
#include "kparse/connection.h"

namespace kparse::test {

/// Appends values in Kafka's encodings; `c` in a name means compact.
class Build {
 public:
  Build& i8(int v) { return be(static_cast<std::uint8_t>(v)); }
  Build& i16(int v) { return be(static_cast<std::uint16_t>(v)); }
  Build& i32(std::int64_t v) { return be(static_cast<std::uint32_t>(v)); }
  Build& i64(std::int64_t v) { return be(static_cast<std::uint64_t>(v)); }
  Build& str(std::string_view s) {
    i16(static_cast<int>(s.size()));
    return raw(s);
  }
  Build& cstr(std::string_view s) {
    uvarint(static_cast<std::uint32_t>(s.size() + 1));
    return raw(s);
  }
  Build& blob(const std::vector<std::uint8_t>& b) {
    i32(static_cast<std::int64_t>(b.size()));
    return raw(b);
  }
  Build& blob(std::string_view s) {
    i32(static_cast<std::int64_t>(s.size()));
    return raw(s);
  }
  Build& cblob(const std::vector<std::uint8_t>& b) {
    uvarint(static_cast<std::uint32_t>(b.size() + 1));
    return raw(b);
  }
  Build& carray(std::uint32_t n) { return uvarint(n + 1); }
  Build& no_tags() { return i8(0); }
  /// An id of 16 equal bytes.
  Build& id(std::uint8_t b) {
    out_.insert(out_.end(), 16, b);
    return *this;
  }
  Build& uvarint(std::uint32_t v) {
    for (; v >= 0x80; v >>= 7) out_.push_back(static_cast<std::uint8_t>(v | 0x80));
    out_.push_back(static_cast<std::uint8_t>(v));
    return *this;
  }
  Build& varint(std::int32_t v) {
    return uvarint((static_cast<std::uint32_t>(v) << 1) ^ static_cast<std::uint32_t>(v >> 31));
  }
  Build& raw(std::string_view s) {
    out_.insert(out_.end(), s.begin(), s.end());
    return *this;
  }
  Build& raw(const std::vector<std::uint8_t>& b) {
    out_.insert(out_.end(), b.begin(), b.end());
    return *this;
  }

  [[nodiscard]] const std::vector<std::uint8_t>& done() const { return out_; }

 private:
  template <class T>
  Build& be(T v) {
    for (int shift = static_cast<int>(sizeof(T)) * 8 - 8; shift >= 0; shift -= 8)
      out_.push_back(static_cast<std::uint8_t>(v >> shift));
    return *this;
  }
  std::vector<std::uint8_t> out_;
};

/// An uncompressed batch of magic 2 with one record for each value (keys null, no headers). The CRC is wrong.
inline std::vector<std::uint8_t> batch(std::int64_t base_offset, const std::vector<std::string>& values) {
  Build records;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Build r;
    r.i8(0).varint(0).varint(static_cast<std::int32_t>(i)).varint(-1).varint(static_cast<std::int32_t>(values[i].size()));
    r.raw(values[i]).varint(0);
    records.varint(static_cast<std::int32_t>(r.done().size())).raw(r.done());
  }
  const auto n = static_cast<std::int64_t>(values.size());
  Build b;
  b.i64(base_offset).i32(static_cast<std::int64_t>(49 + records.done().size())).i32(-1).i8(2).i32(0).i16(0);
  b.i32(n - 1).i64(1700000000000).i64(1700000000000).i64(-1).i16(-1).i32(-1).i32(n).raw(records.done());
  return b.done();
}

/// As a tracker tells them. `api` must be one.
inline Request request_of(std::string_view api, int version, const std::vector<std::uint8_t>& body, std::uint64_t serial) {
  Request r;
  r.api = find_api(api);
  EXPECT_NE(r.api, nullptr) << api;
  if (!r.api) return r;
  r.api_key = r.api->key;
  r.version = static_cast<std::int16_t>(version);
  r.known = r.api->request->versions.has(version);
  r.body = body;
  r.serial = serial;
  return r;
}
inline Response response_of(std::string_view api, int version, const std::vector<std::uint8_t>& body, std::uint64_t serial) {
  Response r;
  r.matched = true;
  r.api = find_api(api);
  EXPECT_NE(r.api, nullptr) << api;
  if (!r.api) return r;
  r.api_key = r.api->key;
  r.version = r.request_version = static_cast<std::int16_t>(version);
  r.known = r.api->response->versions.has(version);
  r.body = body;
  r.serial = serial;
  return r;
}

}  // namespace kparse::test
