// SPDX-License-Identifier: MIT
#include "craft/item.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace kparse::craft {

Item Item::of_bytes(Bytes b, int line) {
  return {.kind = Kind::bytes, .line = line, .text = std::string(kparse::text(b))};
}
Item Item::of_integer(std::int64_t v, int line) { return {.kind = Kind::integer, .line = line, .integer = v}; }
Item Item::of_text(std::string t, int line) { return {.kind = Kind::text, .line = line, .text = std::move(t)}; }

const Item* Item::find(std::string_view name) const noexcept {
  for (std::size_t n = 0; n < names.size(); ++n)
    if (names[n] == name) return &items[n];
  return nullptr;
}
Item* Item::find(std::string_view name) noexcept { return const_cast<Item*>(std::as_const(*this).find(name)); }

void Item::add(std::string name, Item value) {
  names.push_back(std::move(name));
  items.push_back(std::move(value));
}

void Item::remove(std::size_t n) {
  names.erase(names.begin() + static_cast<std::ptrdiff_t>(n));
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(n));
}

void Item::only(std::initializer_list<std::string_view> known, std::string_view of) const {
  if (!is(Kind::map)) throw ScriptError(line, fmt::format("{} is a map of names and values", of));
  for (std::size_t n = 0; n < names.size(); ++n)
    if (std::find(known.begin(), known.end(), names[n]) == known.end())
      throw ScriptError(items[n].line, fmt::format("{} has no '{}': {}", of, names[n], fmt::join(known, ", ")));
}

Value ItemSource::value(const Item& i) noexcept {
  switch (i.kind) {
    case Item::Kind::null:
      return Value::of_null();
    case Item::Kind::boolean:
      return Value::of(i.boolean);
    case Item::Kind::integer:
      return Value::of(i.integer);
    case Item::Kind::real:
      return Value::of(i.real);
    case Item::Kind::text:
      return Value::of(std::string_view(i.text));
    case Item::Kind::bytes:
      return Value::of(Bytes(reinterpret_cast<const std::uint8_t*>(i.text.data()), i.text.size()));
    case Item::Kind::list:
      return Value::array(&i, i.items.size());
    case Item::Kind::map:
      return Value::object(&i, i.items.size());
  }
  return Value::of_null();
}

Value ItemSource::element(const Value& array, std::size_t n) const noexcept {
  return value(static_cast<const Item*>(array.handle)->items[n]);
}

ValueMember ItemSource::member(const Value& object, std::size_t n) const noexcept {
  const auto* i = static_cast<const Item*>(object.handle);
  return {i->names[n], value(i->items[n])};
}

int line_of(const Item& root, std::string_view path) noexcept {
  const Item* at = &root;
  while (!path.empty()) {
    const Item* next = nullptr;
    if (path[0] == '[') {
      std::size_t n = 0;
      const auto end = std::min(path.find(']'), path.size());
      std::from_chars(path.data() + 1, path.data() + end, n);
      if (at->is(Item::Kind::list) && n < at->items.size()) next = &at->items[n];
      path.remove_prefix(std::min(end + 1, path.size()));
    } else {
      const auto end = std::min(path.find_first_of(".["), path.size());
      next = at->find(path.substr(0, end));
      path.remove_prefix(end);
    }
    if (!path.empty() && path[0] == '.') path.remove_prefix(1);
    if (next == nullptr) break;
    at = next;
  }
  return at->line;
}

std::int64_t as_integer(const Item& i, std::int64_t low, std::int64_t high) {
  if (!i.is(Item::Kind::integer)) throw ScriptError(i.line, "a whole number is needed");
  if (i.integer < low || i.integer > high)
    throw ScriptError(i.line, fmt::format("{} is not from {} to {}", i.integer, low, high));
  return i.integer;
}

bool as_boolean(const Item& i) {
  if (!i.is(Item::Kind::boolean)) throw ScriptError(i.line, "true or false is needed");
  return i.boolean;
}

double as_share(const Item& i) {
  const double v = i.is(Item::Kind::integer) ? static_cast<double>(i.integer) : i.is(Item::Kind::real) ? i.real : -1;
  if (!(v >= 0 && v <= 1)) throw ScriptError(i.line, "a number from 0 to 1 is needed");
  return v;
}

const std::string& as_text(const Item& i) {
  if (!i.is(Item::Kind::text)) throw ScriptError(i.line, "a text is needed");
  return i.text;
}

std::int64_t as_duration(const Item& i) {
  static constexpr struct {
    std::string_view name;
    double ns;
  } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 6e10}};
  if (i.is(Item::Kind::integer) && i.integer == 0) return 0;
  double v = -1;
  const char* const last = i.text.data() + i.text.size();
  const auto [end, error] = std::from_chars(i.text.data(), last, v);
  if (i.is(Item::Kind::text) && error == std::errc{})
    for (const auto& u : units)
      if (u.name == std::string_view(end, static_cast<std::size_t>(last - end)) && v >= 0 && v * u.ns < 9e17)
        return static_cast<std::int64_t>(std::llround(v * u.ns));
  throw ScriptError(i.line, "a time is needed: 10ms, 1.5s, 20us");
}

}  // namespace kparse::craft
