// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "dump/utf8.h"
#include "kparse/json.h"

namespace kparse {
namespace {

/// 0: written as it is; 'u': \u00XX; 1: begins a sequence of several bytes; else the letter after the backslash.
constexpr std::array<char, 256> escapes = [] {
  std::array<char, 256> e{};
  for (std::size_t n = 0; n < 0x20; ++n) e[n] = 'u';
  for (std::size_t n = 0x80; n < 256; ++n) e[n] = 1;
  e['"'] = '"';
  e['\\'] = '\\';
  e['\b'] = 'b';
  e['\f'] = 'f';
  e['\n'] = 'n';
  e['\r'] = 'r';
  e['\t'] = 't';
  e[0x7f] = 'u';
  return e;
}();

/// What escape() does with most bytes: as they are, or after a backslash.
constexpr std::array<std::uint8_t, 256> behind_slash = [] {
  std::array<std::uint8_t, 256> e{};
  e['"'] = e['\\'] = 1;
  return e;
}();

/// Bit n: byte n of a block.
struct Block {
  unsigned slash;  ///< is written behind a backslash
  unsigned hard;   ///< is neither written as it is nor so
};

constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7;

/// All eight are written as they are.
bool plain(std::uint64_t v) noexcept {
  const std::uint64_t quote = v ^ (ones * '"'), slash = v ^ (ones * '\\'), del = v ^ (ones * 0x7f);
  return (((v - ones * 0x20) | (quote - ones) | (slash - ones) | (del - ones) | v) & tops) == 0;
}

template <class T>
T load(const char* at) noexcept {
  T v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

#if defined(__SSE2__)
constexpr std::size_t block_size = 16;

Block look_at(const char* at) noexcept {
  const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  // Signed: bytes from 0x80 on are below 0x20 too.
  const __m128i hard = _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(0x20)), _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7f)));
  const __m128i slash = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
  return {static_cast<unsigned>(_mm_movemask_epi8(slash)), static_cast<unsigned>(_mm_movemask_epi8(hard))};
}
#else
constexpr std::size_t block_size = 8;

Block look_at(const char* at) noexcept {
  Block b{};
  if (plain(load<std::uint64_t>(at))) return b;
  for (unsigned n = 0; n < block_size; ++n) {
    const auto byte = static_cast<std::uint8_t>(at[n]);
    b.slash |= unsigned{behind_slash[byte]} << n;
    b.hard |= unsigned{escapes[byte] != 0 && !behind_slash[byte]} << n;
  }
  return b;
}
#endif

/// Of fewer bytes than a block: true, and they are written, if all are written as they are. Few but not none: two loads
/// that overlap see them all.
bool plain_rest(const char* text, std::size_t size, char* to) noexcept {
  if (size >= 8) {
    const auto a = load<std::uint64_t>(text), b = load<std::uint64_t>(text + size - 8);
    if (!plain(a) || !plain(b)) return false;
    std::memcpy(to, &a, 8);
    std::memcpy(to + size - 8, &b, 8);
    return true;
  }
  if (size < 4) return false;
  const auto a = load<std::uint32_t>(text), b = load<std::uint32_t>(text + size - 4);
  if (!plain(std::uint64_t{a} << 32 | b)) return false;
  std::memcpy(to, &a, 4);
  std::memcpy(to + size - 4, &b, 4);
  return true;
}

/// Writes what is easy of text[0, size), twice as many bytes at most, and up to a block more; returns how many it took.
std::size_t easy_run(const char* text, std::size_t size, char*& out) noexcept {
  std::size_t at = 0;
  char* to = out;
  const auto byte_wise = [&](std::size_t stop) {  // no branch: quotes in JSON are everywhere
    for (; at < stop; ++at) {
      *to = '\\';
      to += behind_slash[static_cast<std::uint8_t>(text[at])];
      *to++ = text[at];
    }
  };
  while (at + block_size <= size) {
    const Block b = look_at(text + at);
    std::memcpy(to, text + at, block_size);
    if ((b.slash | b.hard) == 0) {
      to += block_size;
      at += block_size;
      continue;
    }
    const unsigned easy = b.hard == 0 ? block_size : static_cast<unsigned>(std::countr_zero(b.hard));
    if (at + 2 * block_size <= size) {
      // A block from each backslash on: what is too much of it is written over by what follows.
      std::size_t from = at;
      for (unsigned left = b.slash & ((1u << easy) - 1); left != 0; left &= left - 1) {
        const std::size_t slash = at + static_cast<unsigned>(std::countr_zero(left));
        to += slash - from;
        *to++ = '\\';
        std::memcpy(to, text + slash, block_size);
        from = slash;
      }
      at += easy;
      to += at - from;
    } else {
      byte_wise(at + easy);
    }
    if (easy < block_size) {
      out = to;
      return at;
    }
  }
  if (plain_rest(text + at, size - at, to)) {
    out = to + (size - at);
    return size;
  }
  std::size_t stop = at;
  while (stop < size && (escapes[static_cast<std::uint8_t>(text[stop])] == 0 || behind_slash[static_cast<std::uint8_t>(text[stop])]))
    ++stop;
  byte_wise(stop);
  out = to;
  return at;
}

}  // namespace

template <bool printable_only>
bool JsonWriter::escape(std::string_view text) noexcept {
  constexpr std::size_t piece_size = 16 * 1024;   // so that room is asked for seldom, and not much too much
  bool valid = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t piece = std::min(piece_size, text.size() - at);
    if (!room(2 * piece + block_size)) return valid;
    char* out = data_ + size_;
    const std::size_t took = easy_run(text.data() + at, piece, out);
    size_ = static_cast<std::size_t>(out - data_);
    at += took;
    if (took == piece) continue;
    const auto b = static_cast<std::uint8_t>(text[at]);
    if (escapes[b] == 1) {
      const Utf8Piece sequence = utf8_piece(text, at);
      if (printable_only && (!sequence.valid || sequence.code < 0xa0)) return false;
      append(sequence.valid ? text.substr(at, sequence.size) : "\xef\xbf\xbd");
      valid = valid && sequence.valid;
      at += sequence.size;
      continue;
    }
    if (printable_only) return false;
    if (escapes[b] == 'u') {
      const char code[6] = {'\\', 'u', '0', '0', "0123456789abcdef"[b >> 4], "0123456789abcdef"[b & 15]};
      append({code, sizeof code});
    } else {
      const char code[2] = {'\\', escapes[b]};
      append({code, sizeof code});
    }
    ++at;
  }
  return valid;
}

bool JsonWriter::string(std::string_view text) noexcept {
  comma();
  put('"');
  const bool valid = escape<false>(text);
  put('"');
  return valid;
}

bool JsonWriter::printable_string(std::string_view text) noexcept {
  const std::size_t before = size_;
  comma();
  put('"');
  if (!escape<true>(text)) {
    truncate(before);
    return false;
  }
  put('"');
  return true;
}

void JsonWriter::joined_string(std::string_view a, std::string_view b) noexcept {
  comma();
  put('"');
  (void)escape<false>(a);
  (void)escape<false>(b);
  put('"');
}

void JsonWriter::utf16_string(Bytes b) noexcept {
  comma();
  put('"');
  for (std::size_t at = 0; at + 1 < b.size(); at += 2) {
    std::uint32_t code = load_be<std::uint16_t>(b.data() + at);
    const std::uint32_t next = at + 3 < b.size() ? load_be<std::uint16_t>(b.data() + at + 2) : 0;
    if (code >> 10 == 0x36 && next >> 10 == 0x37) {
      code = 0x10000 + ((code & 0x3ff) << 10 | (next & 0x3ff));
      at += 2;
    }
    char utf8[4];
    std::size_t size = 0;
    const auto tail = [&](int shift) { utf8[size++] = static_cast<char>(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80) {
      utf8[size++] = static_cast<char>(code);
    } else if (code < 0x800) {
      utf8[size++] = static_cast<char>(0xc0 | code >> 6);
      tail(0);
    } else if (code < 0x10000) {  // a lone surrogate too: escape() replaces it
      utf8[size++] = static_cast<char>(0xe0 | code >> 12);
      tail(6);
      tail(0);
    } else {
      utf8[size++] = static_cast<char>(0xf0 | code >> 18);
      tail(12);
      tail(6);
      tail(0);
    }
    (void)escape<false>({utf8, size});
  }
  put('"');
}

}  // namespace kparse
