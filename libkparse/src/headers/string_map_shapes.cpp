// SPDX-License-Identifier: MIT
#include "headers/string_map_shapes.h"

#include <algorithm>
#include <cstring>

#include "headers/json_scan.h"
#include "headers/plain_text.h"
#include "kparse/wrappers.h"

namespace kparse {

namespace {

bool printable_names(StringMap map) noexcept {
  for (StringMapEntry e; map.next(e);) {
    if (e.name.empty() || !is_printable(e.name)) return false;
  }
  return true;
}

}  // namespace

bool is_avro_map(Bytes v) noexcept {
  // Most values fail here: a count from 2, then the length of a name, both as zigzag in one byte, and the closing 0.
  if (v.size() < 6 || v[0] < 4 || v[0] > 0x7e || v[0] % 2 != 0 || v[1] < 2 || v[1] % 2 != 0 || v.back() != 0)
    return false;
  const StringMap map(v);
  return map.form() == MapForm::avro && map.size() >= 2 && printable_names(map);
}

bool is_pairs(Bytes v) noexcept {
  constexpr std::size_t longest_name = 64;
  const void* const equals = std::memchr(v.data(), '=', std::min(v.size(), longest_name));
  if (!equals || !std::memchr(v.data(), '&', v.size())) return false;
  const StringMap map(v);
  return map.form() == MapForm::pairs && map.size() >= 2;
}

bool is_json_map(Bytes v) noexcept {
  if (v.empty() || v[0] != '{') return false;
  const StringMap map(v);
  return map.form() == MapForm::json && map.size() >= 1;
}

bool wraps_string_map(Bytes v) noexcept {
  if (!text(v).starts_with("{\"headers\"")) return false;
  JsonMembers members(v);
  JsonMember headers, wrapped, more;
  if (!members.next(headers) || headers.name != "headers" || !members.next(wrapped)) return false;
  if (members.next(more) || !members.ok()) return false;
  return is_json_map({reinterpret_cast<const std::uint8_t*>(headers.value.data()), headers.value.size()});
}

}  // namespace kparse
