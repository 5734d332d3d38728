// SPDX-License-Identifier: MIT
#include "lint/odd_varints.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "kparse/varint.h"

namespace kparse::lint {
namespace {

class Reader {
 public:
  Reader(Bytes all, OddVarints& found) : at_(all.data()), end_(at_ + all.size()), found_(found) {}

  bool records(std::int32_t count) noexcept {
    for (record_ = 0; record_ < count; ++record_) {
      std::int32_t length = 0;
      if (!number(length, "a record's length") || length <= 0 || length > end_ - at_) return false;
      const std::uint8_t* const stop = at_ + length;
      const std::uint8_t* const all = std::exchange(end_, stop);
      ++at_;  // attributes
      if (!rest()) return false;
      at_ = stop;
      end_ = all;
    }
    return true;
  }

 private:
  bool rest() noexcept {
    std::int64_t time = 0;
    std::int32_t delta = 0, headers = 0;
    if (!number(time, "a record's timestamp delta") || !number(delta, "a record's offset delta") ||
        !sized("a record's key length") || !sized("a record's value length") ||
        !number(headers, "a record's number of headers"))
      return false;
    for (; headers > 0; --headers)
      if (!sized("a header's name length") || !sized("a header's value length")) return false;
    return true;
  }
  bool sized(const char* where) noexcept {
    std::int32_t length = 0;
    if (!number(length, where) || length > end_ - at_) return false;
    at_ += std::max(length, 0);
    return true;
  }
  template <class T>
  [[gnu::always_inline]] inline bool number(T& out, const char* where) noexcept {
    using U = std::make_unsigned_t<T>;
    if (at_ < end_ && *at_ < 0x80) [[likely]] {
      out = zigzag(static_cast<U>(*at_++));
      return true;
    }
    if (end_ - at_ >= 2 && at_[1] < 0x80 && at_[1] != 0) [[likely]] {
      out = zigzag(static_cast<U>((at_[0] & 0x7fu) | std::uint32_t{at_[1]} << 7));
      at_ += 2;
      return true;
    }
    return longer(out, where);
  }
  template <class T>
  [[gnu::noinline]] bool longer(T& out, const char* where) noexcept {
    const std::uint8_t* next = nullptr;
    if constexpr (sizeof(T) == 4) {
      next = read_varint(at_, end_, out);
    } else {
      next = read_varlong(at_, end_, out);
    }
    if (!next) return false;
    const Bytes bytes{at_, static_cast<std::size_t>(next - at_)};
    at_ = next;
    const bool too_big = sizeof(T) == 4 ? bytes.size() == 5 && bytes[4] > 0x0f : bytes.size() == 10 && bytes[9] > 0x01;
    if (bytes.back() == 0 && bytes.size() > 1) keep(found_.overlong, bytes, where);
    if (too_big) keep(found_.too_big, bytes, where);
    return true;
  }
  void keep(OddVarints::Found& f, Bytes bytes, const char* where) const noexcept {
    if (f.encoding.empty()) f = {bytes, where, record_};
  }

  const std::uint8_t *at_, *end_;
  OddVarints& found_;
  std::int32_t record_ = 0;
};

}  // namespace

OddVarints odd_varints(Bytes opened, std::int32_t count) noexcept {
  OddVarints found;
  (void)Reader(opened, found).records(std::min(count, OddVarints::records));
  return found;
}

}  // namespace kparse::lint
