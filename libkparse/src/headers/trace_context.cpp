// SPDX-License-Identifier: MIT
#include "headers/trace_context.h"

#include <cstddef>
#include <cstring>

#include "kparse/carriers.h"

namespace kparse {

namespace {

// Sixteen at a time, without a branch: compilers make vector code of it.
bool all_hex(const std::uint8_t* at) noexcept {
  std::uint8_t wrong = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint8_t digit = static_cast<std::uint8_t>(at[i] - '0') > 9;
    const std::uint8_t letter = static_cast<std::uint8_t>(at[i] - 'a') > 5;
    wrong = static_cast<std::uint8_t>(wrong | (digit & letter));
  }
  return wrong == 0;
}

bool zeros(const std::uint8_t* at, std::size_t pieces) noexcept {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    std::uint64_t piece = 0;
    std::memcpy(&piece, at + i * 8, 8);
    any |= piece ^ 0x3030303030303030u;
  }
  return any == 0;
}

bool hex(std::uint8_t c) noexcept { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool is_hex(std::string_view s, std::size_t least, std::size_t most) noexcept {
  if (s.size() < least || s.size() > most) return false;
  for (const char c : s) {
    const auto b = static_cast<std::uint8_t>(c);
    if (!hex(b) && !(b >= 'A' && b <= 'F')) return false;
  }
  return true;
}

/// Up to the next separator, which is taken away.
std::string_view part(std::string_view& rest, std::string_view separator) noexcept {
  const auto at = rest.find(separator);
  const std::string_view out = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + separator.size());
  return out;
}

}  // namespace

bool valid_traceparent(Bytes value) noexcept {
  if (value.size() < 55) return false;
  const std::uint8_t* v = value.data();
  if (v[2] != '-' || v[35] != '-' || v[52] != '-') return false;
  if (!all_hex(v + 3) || !all_hex(v + 19) || !all_hex(v + 36)) return false;
  if (!hex(v[0]) || !hex(v[1]) || !hex(v[53]) || !hex(v[54])) return false;
  if (v[0] == 'f' && v[1] == 'f') return false;
  if (zeros(v + 3, 4) || zeros(v + 36, 2)) return false;
  const bool version_00 = v[0] == '0' && v[1] == '0';
  return value.size() == 55 || (!version_00 && v[55] == '-');
}

bool is_b3_trace_id(std::string_view s) noexcept { return is_hex(s, 16, 16) || is_hex(s, 32, 32); }

bool read_b3(std::string_view s, TraceParts& out) noexcept {
  out = {};
  if (s == "0" || s == "1" || s == "d") {
    out.flags = s;
    return true;
  }
  const bool open = s.ends_with('-');
  out.trace = part(s, "-");
  out.span = part(s, "-");
  out.flags = part(s, "-");
  out.parent = part(s, "-");
  if (open || !s.empty() || !is_b3_trace_id(out.trace) || !is_hex(out.span, 16, 16)) return false;
  if (!out.flags.empty() && out.flags != "0" && out.flags != "1" && out.flags != "d") return false;
  return out.parent.empty() || is_hex(out.parent, 16, 16);
}

bool read_uber(std::string_view s, TraceParts& out) noexcept {
  const std::string_view colon =
      s.find(':') == std::string_view::npos ? (s.find("%3A") == std::string_view::npos ? "%3a" : "%3A") : ":";
  out = {};
  out.trace = part(s, colon);
  out.span = part(s, colon);
  out.parent = part(s, colon);
  out.flags = s;
  return is_hex(out.trace, 1, 32) && is_hex(out.span, 1, 16) && is_hex(out.parent, 1, 16) && is_hex(out.flags, 1, 2);
}

bool read_sw8(std::string_view s, std::array<std::string_view, 8>& out) noexcept {
  for (auto& p : out) p = part(s, "-");
  return s.empty() && (out[0] == "0" || out[0] == "1") && !out[1].empty() && !out[2].empty() && is_decimal(out[3]) &&
         !out[4].empty() && !out[7].empty();
}

bool is_elastic(Bytes b) noexcept { return b.size() == 29 && b[0] == 0 && b[1] == 0 && b[18] == 1 && b[27] == 2; }

bool is_decimal(std::string_view s) noexcept {
  if (s.empty() || s.size() > 20) return false;
  return s.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace kparse
