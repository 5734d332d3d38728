// SPDX-License-Identifier: MIT
#include "support.h"

namespace kparse::report {
namespace {

using Out = std::vector<std::uint8_t>;

template <class T>
void be(Out& out, T v) {
  for (int shift = static_cast<int>(sizeof(T)) * 8 - 8; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(v) >> shift));
}

void varint(Out& out, std::int64_t v) {
  std::uint64_t u = (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
  for (; u >= 0x80; u >>= 7) out.push_back(static_cast<std::uint8_t>(u | 0x80));
  out.push_back(static_cast<std::uint8_t>(u));
}

void nullable(Out& out, const std::optional<std::string>& v) {
  varint(out, v ? static_cast<std::int64_t>(v->size()) : -1);
  if (v) out.insert(out.end(), v->begin(), v->end());
}

}  // namespace

std::vector<std::uint8_t> batch(const std::vector<Made>& records, bool good_crc, std::int16_t attributes) {
  Out body;
  for (std::size_t i = 0; i < records.size(); ++i) {
    Out r;
    r.push_back(0);
    varint(r, 0);
    varint(r, static_cast<std::int64_t>(i));
    nullable(r, records[i].key);
    nullable(r, records[i].value);
    varint(r, static_cast<std::int64_t>(records[i].headers.size()));
    for (const Header& h : records[i].headers) {
      nullable(r, h.first);
      nullable(r, h.second);
    }
    varint(body, static_cast<std::int64_t>(r.size()));
    body.insert(body.end(), r.begin(), r.end());
  }
  Out checked;  // what the CRC covers
  be(checked, attributes);
  be(checked, static_cast<std::int32_t>(records.size()) - 1);
  be(checked, std::int64_t{1'700'000'000'000});
  be(checked, std::int64_t{1'700'000'000'000});
  be(checked, std::int64_t{-1});
  be(checked, std::int16_t{-1});
  be(checked, std::int32_t{-1});
  be(checked, static_cast<std::int32_t>(records.size()));
  checked.insert(checked.end(), body.begin(), body.end());
  Out out;
  be(out, std::int64_t{0});
  be(out, static_cast<std::int32_t>(checked.size() + 9));
  be(out, std::int32_t{-1});
  out.push_back(2);
  be(out, crc32c(bytes(checked)) ^ (good_crc ? 0u : 1u));
  out.insert(out.end(), checked.begin(), checked.end());
  return out;
}

Script::Talk Script::talk(std::uint64_t number, std::string server) {
  Talk t{.number = number,
         .client = "10.0.0." + std::to_string(number) + ":" + std::to_string(50000 + number),
         .server = std::move(server),
         .serial = 0,
         .info = {}};
  t.info.number = number;
  return t;
}

Request Script::make(Talk& t, const Call& c, Stamp when) {
  t.info.client = t.client;  // here, because a Talk may have been moved
  t.info.server = t.server;
  Request r;
  r.frame.size = c.size;
  r.frame.first = r.frame.last = when;
  r.api = find_api(c.key);
  r.api_key = c.key;
  r.version = c.version;
  r.known = r.api != nullptr;
  r.client_id = c.client_id;
  r.client_id_null = false;
  r.serial = t.serial++;
  r.answer_expected = c.answer;
  return r;
}

}  // namespace kparse::report
