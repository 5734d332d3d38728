// SPDX-License-Identifier: MIT
// The protobuf wire format, as far as reading fields one after another goes.
#pragma once

#include <bit>
#include <cstring>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/varint.h"

namespace kparse {

/// One field. Numbers are in `number` whatever their wire type; `data` is what is counted by a length.
struct ProtoField {
  std::uint32_t id = 0;
  std::uint8_t wire = 0;
  std::uint64_t number = 0;
  Bytes data;

  [[nodiscard]] double as_double() const noexcept { return std::bit_cast<double>(number); }
  [[nodiscard]] std::int64_t as_int() const noexcept { return static_cast<std::int64_t>(number); }
  [[nodiscard]] std::string_view as_text() const noexcept { return text(data); }
};

/// Each call moves on by one byte or more, so a loop over it ends.
class ProtoReader {
 public:
  explicit ProtoReader(Bytes b) noexcept : at_(b.data()), end_(b.data() + b.size()) {}
  /// False at the end, or where the bytes are no protobuf: failed() tells.
  bool next(ProtoField& out) noexcept {
    if (at_ == end_) return false;
    std::uint64_t key = 0;
    if (!number(key)) return fail();
    out.id = static_cast<std::uint32_t>(key >> 3);
    out.wire = key & 7;
    out.number = 0;
    out.data = {};
    switch (out.wire) {
      case 0:
        return number(out.number) || fail();
      case 1:
        return fixed<std::uint64_t>(out.number) || fail();
      case 5:
        return fixed<std::uint32_t>(out.number) || fail();
      case 2: {
        std::uint64_t size = 0;
        if (!number(size) || size > static_cast<std::uint64_t>(end_ - at_)) return fail();
        out.data = {at_, static_cast<std::size_t>(size)};
        at_ += size;
        return true;
      }
      default:
        return fail();
    }
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  bool number(std::uint64_t& out) noexcept {
    const std::uint8_t* next = read_uvarlong(at_, end_, out);
    if (next) at_ = next;
    return next != nullptr;
  }
  template <class T>
  bool fixed(std::uint64_t& out) noexcept {
    T v;
    if (static_cast<std::size_t>(end_ - at_) < sizeof v) return false;
    std::memcpy(&v, at_, sizeof v);
    at_ += sizeof v;
    out = v;
    return true;
  }
  bool fail() noexcept {
    failed_ = true;
    at_ = end_;
    return false;
  }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool failed_ = false;
};

}  // namespace kparse
