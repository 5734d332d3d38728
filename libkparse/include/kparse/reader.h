// SPDX-License-Identifier: MIT
// A cursor over bytes of unknown honesty: each read is checked, and after the first that fails all others do.
#pragma once

#include <cstdint>

#include "kparse/bytes.h"
#include "kparse/error.h"
#include "kparse/varint.h"

namespace kparse {

/// Reads give zero or an empty view after an error: look at ok() where it matters, at the latest at the end.
/// Trivially copyable: a copy is a bookmark. Views point into the bytes given.
class Reader {
 public:
  /// `limit` is what errors name as the length that they ran into.
  explicit Reader(Bytes all, Limit limit = Limit::frame) noexcept
      : begin_(all.data()), at_(all.data()), end_(all.data() + all.size()), limit_(limit) {}

  [[nodiscard]] bool ok() const noexcept { return !error_; }
  [[nodiscard]] const Error& error() const noexcept { return error_; }
  [[nodiscard]] const std::uint8_t* at() const noexcept { return at_; }
  [[nodiscard]] std::uint64_t left() const noexcept { return static_cast<std::uint64_t>(end_ - at_); }
  [[nodiscard]] std::uint64_t offset() const noexcept { return static_cast<std::uint64_t>(at_ - begin_); }
  [[nodiscard]] Bytes since(const std::uint8_t* start) const noexcept {
    return {start, static_cast<std::size_t>(at_ - start)};
  }

  /// Always false. The first error stays.
  bool fail(Code code, std::uint64_t need, std::uint64_t have, NodeId node = no_node) noexcept {
    if (!error_) error_ = {.code = code, .limit = limit_, .node = node, .offset = offset(), .need = need, .have = have};
    end_ = at_;
    return false;
  }

  /// True when `n` bytes are there.
  [[nodiscard]] bool need(std::uint64_t n, NodeId node = no_node) noexcept {
    if (n <= left()) [[likely]]
      return true;
    return fail(Code::truncated, n, left(), node);
  }

  /// Big-endian integer or, for one byte, the byte.
  template <class T>
  T be(NodeId node = no_node) noexcept {
    if (!need(sizeof(T), node)) return T{};
    const T v = load_be<T>(at_);
    at_ += sizeof(T);
    return v;
  }

  /// `n` bytes as they are.
  Bytes take(std::uint64_t n, NodeId node = no_node) noexcept {
    if (!need(n, node)) return {};
    const Bytes b(at_, static_cast<std::size_t>(n));
    at_ += n;
    return b;
  }
  bool skip(std::uint64_t n, NodeId node = no_node) noexcept {
    if (!need(n, node)) return false;
    at_ += n;
    return true;
  }

  std::uint32_t uvarint(NodeId node = no_node) noexcept {
    std::uint32_t v = 0;
    const std::uint8_t* next = read_uvarint(at_, end_, v);
    if (!next) {
      const Code why = varint_error(at_, end_, max_varint_bytes);
      fail(why, why == Code::truncated ? left() + 1 : max_varint_bytes, left(), node);
      return 0;
    }
    at_ = next;
    return v;
  }

  /// Ends at `end` for a while (inside the bytes left); give the former end back to leave().
  [[nodiscard]] const std::uint8_t* enter(std::uint64_t size) noexcept {
    const std::uint8_t* outer = end_;
    end_ = at_ + size;
    return outer;
  }
  /// Goes to `at`, which an entered part began or ended at, and forgets what went wrong inside.
  void leave(const std::uint8_t* at, const std::uint8_t* outer_end) noexcept {
    error_ = {};
    at_ = at;
    end_ = outer_end;
  }

 private:
  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  Limit limit_;
  Error error_;
};

}  // namespace kparse
