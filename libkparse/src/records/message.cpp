// SPDX-License-Identifier: MIT
#include "records/message.h"

#include "kparse/crc.h"

namespace kparse {

namespace {

/// A four-byte length, any negative one meaning null, and so many bytes.
Error read_sized(Bytes body, std::size_t& at, std::uint64_t base, Bytes& out) noexcept {
  const std::size_t left = body.size() - at;
  Error e{.code = Code::truncated, .limit = Limit::record, .offset = base + at, .need = 4, .have = left};
  if (left < 4) return e;
  const auto length = load_be<std::int32_t>(body.data() + at);
  at += 4;
  if (length < 0) return {};
  const auto size = static_cast<std::size_t>(length);
  if (size > left - 4) {
    e.offset += 4;
    e.need = size;
    e.have = left - 4;
    return e;
  }
  out = body.subspan(at, size);
  at += size;
  return {};
}

}  // namespace

bool crc_fits(Bytes body) noexcept { return crc32(body.subspan(4)) == load_be<std::uint32_t>(body.data()); }

Error read_message(Bytes body, std::uint64_t base, Message& out) noexcept {
  out.crc = load_be<std::uint32_t>(body.data());
  out.magic = body[4];
  out.attributes = body[5];
  if (out.magic > 1) return {.code = Code::unknownMagic, .limit = Limit::record, .offset = base + 4, .have = out.magic};
  std::size_t at = 6;
  if (out.magic == 1) {
    if (body.size() < static_cast<std::size_t>(smallest_message1)) {
      return {
          .code = Code::badLength, .limit = Limit::record, .offset = base, .need = body.size(), .have = body.size()};
    }
    out.timestamp = load_be<std::int64_t>(body.data() + at);
    at += 8;
  }
  if (const Error e = read_sized(body, at, base, out.key)) return e;
  if (const Error e = read_sized(body, at, base, out.value)) return e;
  out.surplus = body.size() - at;
  return {};
}

}  // namespace kparse
