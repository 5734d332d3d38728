// SPDX-License-Identifier: MIT
// What a script says, as a tree that remembers its lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kparse/value.h"

namespace kparse::craft {

/// Why a script can't be followed. `line` counts from 1; 0: the file as a whole.
class ScriptError final : public std::exception {
 public:
  ScriptError(int line, std::string reason) : line_(line), reason_(std::move(reason)) {}
  [[nodiscard]] int line() const noexcept { return line_; }
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  [[nodiscard]] const char* what() const noexcept override { return reason_.c_str(); }

 private:
  int line_;
  std::string reason_;
};

struct Item {
  enum class Kind : std::uint8_t { null, boolean, integer, real, text, bytes, list, map };

  Kind kind = Kind::null;
  int line = 0;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text{};              ///< text, bytes; of other scalars: as they were written
  std::vector<Item> items{};       ///< elements of a list, values of a map
  std::vector<std::string> names{};///< of a map's values

  [[nodiscard]] static Item of_bytes(Bytes, int line);
  [[nodiscard]] static Item of_integer(std::int64_t, int line);
  [[nodiscard]] static Item of_text(std::string, int line);
  [[nodiscard]] static Item of_list(int line) { return {.kind = Kind::list, .line = line}; }

  [[nodiscard]] bool is(Kind k) const noexcept { return kind == k; }
  [[nodiscard]] bool scalar() const noexcept { return kind != Kind::list && kind != Kind::map; }
  /// Of a map; nullptr: no such member.
  [[nodiscard]] const Item* find(std::string_view name) const noexcept;
  [[nodiscard]] Item* find(std::string_view name) noexcept;
  void add(std::string name, Item value);
  void remove(std::size_t n);
  /// Throws for a member that is none of `known`.
  void only(std::initializer_list<std::string_view> known, std::string_view of) const;
};

/// Items as values for the library's encoder.
class ItemSource final : public ValueSource {
 public:
  [[nodiscard]] static Value value(const Item&) noexcept;
  [[nodiscard]] Value element(const Value& array, std::size_t n) const noexcept override;
  [[nodiscard]] ValueMember member(const Value& object, std::size_t n) const noexcept override;
};

/// The line of the deepest item that `path` ("topics[0].partitions[3].index") leads to.
[[nodiscard]] int line_of(const Item&, std::string_view path) noexcept;

// Scalars of a certain kind; each throws what is wrong, with the line.
[[nodiscard]] std::int64_t as_integer(const Item&, std::int64_t low, std::int64_t high);
[[nodiscard]] bool as_boolean(const Item&);
[[nodiscard]] double as_share(const Item&);  ///< 0 to 1
[[nodiscard]] const std::string& as_text(const Item&);
/// "10ms", "1.5s", "20us", "300ns", or 0: nanoseconds.
[[nodiscard]] std::int64_t as_duration(const Item&);

}  // namespace kparse::craft
