// SPDX-License-Identifier: MIT
// The slow twin of detail::read_record: finds out what is wrong, and where.
#include "kparse/record_walk.h"

namespace kparse::detail {

namespace {

class Finder {
 public:
  Finder(const std::uint8_t* begin, const std::uint8_t* at, const std::uint8_t* end, std::uint64_t base) noexcept
      : begin_(begin), at_(at), end_(end), base_(base) {}

  [[nodiscard]] Error find() noexcept {
    std::int32_t length = 0;
    if (!varint(length)) return error_;
    if (length < 0) return fail(Code::badLength, static_cast<std::uint64_t>(std::int64_t{length}));
    if (length > end_ - at_) return fail(Code::truncated, static_cast<std::uint64_t>(length));
    end_ = at_ + length;
    limit_ = Limit::record;
    if (at_ == end_) return fail(Code::truncated, 1);
    ++at_;
    std::int64_t timestamp = 0;
    std::int32_t n = 0;
    if (!varlong(timestamp) || !varint(n) || !sized(true) || !sized(true) || !varint(n)) return error_;
    if (n < 0 || n > end_ - at_) return fail(Code::badCount, static_cast<std::uint64_t>(std::int64_t{n}));
    limit_ = Limit::header;
    for (; n > 0; --n) {
      if (!sized(false) || !sized(true)) return error_;
    }
    limit_ = Limit::record;
    return fail(Code::surplus, 0);
  }

 private:
  Error fail(Code code, std::uint64_t need) noexcept {
    error_ = {.code = code,
              .limit = limit_,
              .offset = base_ + static_cast<std::uint64_t>(at_ - begin_),
              .need = need,
              .have = static_cast<std::uint64_t>(end_ - at_)};
    return error_;
  }
  bool varint(std::int32_t& out) noexcept {
    if (const auto* next = read_varint(at_, end_, out)) return at_ = next, true;
    const Code code = varint_error(at_, end_, max_varint_bytes);
    fail(code, code == Code::truncated ? static_cast<std::uint64_t>(end_ - at_) + 1 : 0);
    return false;
  }
  bool varlong(std::int64_t& out) noexcept {
    if (const auto* next = read_varlong(at_, end_, out)) return at_ = next, true;
    const Code code = varint_error(at_, end_, max_varlong_bytes);
    fail(code, code == Code::truncated ? static_cast<std::uint64_t>(end_ - at_) + 1 : 0);
    return false;
  }
  bool sized(bool nullable) noexcept {
    std::int32_t length = 0;
    if (!varint(length)) return false;
    if (length < 0 && !nullable) return fail(Code::badLength, static_cast<std::uint64_t>(std::int64_t{length})), false;
    if (length > end_ - at_) return fail(Code::truncated, static_cast<std::uint64_t>(length)), false;
    if (length > 0) at_ += length;
    return true;
  }

  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::uint64_t base_;
  Limit limit_ = Limit::batch;
  Error error_;
};

}  // namespace

Error record_error(Bytes data, std::uint64_t at, std::uint64_t base) noexcept {
  return Finder(data.data(), data.data() + at, data.data() + data.size(), base).find();
}

}  // namespace kparse::detail
