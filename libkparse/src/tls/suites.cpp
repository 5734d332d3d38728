// SPDX-License-Identifier: MIT
#include "tls/suites.h"

#include <algorithm>
#include <iterator>

namespace kparse::tls {
namespace {

constexpr auto gcm = Suite::Kind::gcm, chacha = Suite::Kind::chacha, cbc = Suite::Kind::cbc;
constexpr auto sha1 = Hash::sha1, sha256 = Hash::sha256, sha384 = Hash::sha384;

/// Ascending by number. Names: wire/tls_info.cpp.
constexpr Suite suites[] = {
    {0x002f, false, cbc, 16, sha256, sha1, true},
    {0x0032, false, cbc, 16, sha256, sha1},
    {0x0033, false, cbc, 16, sha256, sha1},
    {0x0034, false, cbc, 16, sha256, sha1},
    {0x0035, false, cbc, 32, sha256, sha1, true},
    {0x0038, false, cbc, 32, sha256, sha1},
    {0x0039, false, cbc, 32, sha256, sha1},
    {0x003a, false, cbc, 32, sha256, sha1},
    {0x003c, false, cbc, 16, sha256, sha256, true},
    {0x003d, false, cbc, 32, sha256, sha256, true},
    {0x0040, false, cbc, 16, sha256, sha256},
    {0x0067, false, cbc, 16, sha256, sha256},
    {0x006a, false, cbc, 32, sha256, sha256},
    {0x006b, false, cbc, 32, sha256, sha256},
    {0x008c, false, cbc, 16, sha256, sha1},
    {0x008d, false, cbc, 32, sha256, sha1},
    {0x009c, false, gcm, 16, sha256, sha256, true},
    {0x009d, false, gcm, 32, sha384, sha256, true},
    {0x009e, false, gcm, 16, sha256},
    {0x009f, false, gcm, 32, sha384},
    {0x00a2, false, gcm, 16, sha256},
    {0x00a3, false, gcm, 32, sha384},
    {0x00a6, false, gcm, 16, sha256},
    {0x00a7, false, gcm, 32, sha384},
    {0x00a8, false, gcm, 16, sha256},
    {0x00a9, false, gcm, 32, sha384},
    {0x1301, true, gcm, 16, sha256},
    {0x1302, true, gcm, 32, sha384},
    {0x1303, true, chacha, 32, sha256},
    {0xc004, false, cbc, 16, sha256, sha1},
    {0xc005, false, cbc, 32, sha256, sha1},
    {0xc009, false, cbc, 16, sha256, sha1},
    {0xc00a, false, cbc, 32, sha256, sha1},
    {0xc00e, false, cbc, 16, sha256, sha1},
    {0xc00f, false, cbc, 32, sha256, sha1},
    {0xc013, false, cbc, 16, sha256, sha1},
    {0xc014, false, cbc, 32, sha256, sha1},
    {0xc018, false, cbc, 16, sha256, sha1},
    {0xc019, false, cbc, 32, sha256, sha1},
    {0xc023, false, cbc, 16, sha256, sha256},
    {0xc024, false, cbc, 32, sha384, sha384},
    {0xc025, false, cbc, 16, sha256, sha256},
    {0xc026, false, cbc, 32, sha384, sha384},
    {0xc027, false, cbc, 16, sha256, sha256},
    {0xc028, false, cbc, 32, sha384, sha384},
    {0xc029, false, cbc, 16, sha256, sha256},
    {0xc02a, false, cbc, 32, sha384, sha384},
    {0xc02b, false, gcm, 16, sha256},
    {0xc02c, false, gcm, 32, sha384},
    {0xc02d, false, gcm, 16, sha256},
    {0xc02e, false, gcm, 32, sha384},
    {0xc02f, false, gcm, 16, sha256},
    {0xc030, false, gcm, 32, sha384},
    {0xc031, false, gcm, 16, sha256},
    {0xc032, false, gcm, 32, sha384},
    {0xc035, false, cbc, 16, sha256, sha1},
    {0xc036, false, cbc, 32, sha256, sha1},
    {0xcca8, false, chacha, 32, sha256},
    {0xcca9, false, chacha, 32, sha256},
    {0xccaa, false, chacha, 32, sha256},
    {0xccab, false, chacha, 32, sha256},
    {0xccac, false, chacha, 32, sha256},
};
static_assert(std::is_sorted(std::begin(suites), std::end(suites),
                             [](const Suite& a, const Suite& b) { return a.id < b.id; }));

}  // namespace

const Suite* find_suite(std::uint16_t id) noexcept {
  const Suite* s = std::lower_bound(std::begin(suites), std::end(suites), id,
                                    [](const Suite& a, std::uint16_t b) { return a.id < b; });
  return s != std::end(suites) && s->id == id ? s : nullptr;
}

}  // namespace kparse::tls
