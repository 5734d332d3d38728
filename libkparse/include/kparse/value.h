// SPDX-License-Identifier: MIT
// Values to be encoded, in whatever form the caller has them: a JSON document of any library, or his own structs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kparse/bytes.h"

namespace kparse {

/// One value, in the shapes that JSON knows, and bytes. A view: text, bytes and what `handle` stands for belong to
/// somebody else.
struct Value {
  enum class Kind : std::uint8_t { null, boolean, integer, real, string, bytes, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;               ///< numbers that are no integers of 64 bits
  Bytes data{};                  ///< of string (UTF-8) and bytes
  std::size_t size = 0;          ///< elements of an array, members of an object
  const void* handle = nullptr;  ///< array, object: the source's own, never looked at

  [[nodiscard]] static Value of_null() noexcept { return {}; }
  [[nodiscard]] static Value of(bool v) noexcept { return {.kind = Kind::boolean, .boolean = v}; }
  [[nodiscard]] static Value of(std::int64_t v) noexcept { return {.kind = Kind::integer, .integer = v}; }
  [[nodiscard]] static Value of(double v) noexcept { return {.kind = Kind::real, .real = v}; }
  [[nodiscard]] static Value of(std::string_view v) noexcept {
    return {.kind = Kind::string, .data = {reinterpret_cast<const std::uint8_t*>(v.data()), v.size()}};
  }
  [[nodiscard]] static Value of(Bytes v) noexcept { return {.kind = Kind::bytes, .data = v}; }
  [[nodiscard]] static Value array(const void* handle, std::size_t size) noexcept {
    return {.kind = Kind::array, .size = size, .handle = handle};
  }
  [[nodiscard]] static Value object(const void* handle, std::size_t size) noexcept {
    return {.kind = Kind::object, .size = size, .handle = handle};
  }
};

struct ValueMember {
  std::string_view name;
  Value value;
};

/// Opens arrays and objects. Asked for indexes below Value::size only, mostly in ascending order, some of them more
/// than once.
class ValueSource {
 public:
  virtual ~ValueSource() = default;
  [[nodiscard]] virtual Value element(const Value& array, std::size_t n) const noexcept = 0;
  [[nodiscard]] virtual ValueMember member(const Value& object, std::size_t n) const noexcept = 0;
};

}  // namespace kparse
