// SPDX-License-Identifier: MIT
#include "kparse/tls_info.h"

#include <algorithm>
#include <iterator>

namespace kparse {
namespace {

struct Reason {
  std::string_view name, text;
};

constexpr Reason reasons[] = {
    {"no", ""},
    {"noSecret", "no secret for it in the key log"},
    {"noHandshake", "the start of the handshake was not captured"},
    {"noAnswer", "the server did not answer in TLS"},
    {"plainClient", "a plain-text client on a TLS port"},
    {"badVersion", "a version other than TLS 1.2 and 1.3"},
    {"badSuite", "a cipher suite that can't be opened"},
    {"wrongSecret", "the secret in the key log does not fit"},
    {"lost", "not understood any more after lost bytes"},
    {"renegotiation", "renegotiation is not supported"},
    {"refused", "the handshake failed"},
};
static_assert(std::size(reasons) == static_cast<std::size_t>(TlsSealed::refused) + 1);

struct Suite {
  std::uint16_t id;
  std::string_view name;
};

/// What Java, OpenSSL, Go and Schannel offer, ascending. Source: IANA's TLS Cipher Suites registry.
constexpr Suite suites[] = {
    {0x0004, "TLS_RSA_WITH_RC4_128_MD5"},
    {0x0005, "TLS_RSA_WITH_RC4_128_SHA"},
    {0x000a, "TLS_RSA_WITH_3DES_EDE_CBC_SHA"},
    {0x0016, "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA"},
    {0x002f, "TLS_RSA_WITH_AES_128_CBC_SHA"},
    {0x0032, "TLS_DHE_DSS_WITH_AES_128_CBC_SHA"},
    {0x0033, "TLS_DHE_RSA_WITH_AES_128_CBC_SHA"},
    {0x0034, "TLS_DH_anon_WITH_AES_128_CBC_SHA"},
    {0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA"},
    {0x0038, "TLS_DHE_DSS_WITH_AES_256_CBC_SHA"},
    {0x0039, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA"},
    {0x003a, "TLS_DH_anon_WITH_AES_256_CBC_SHA"},
    {0x003b, "TLS_RSA_WITH_NULL_SHA256"},
    {0x003c, "TLS_RSA_WITH_AES_128_CBC_SHA256"},
    {0x003d, "TLS_RSA_WITH_AES_256_CBC_SHA256"},
    {0x0040, "TLS_DHE_DSS_WITH_AES_128_CBC_SHA256"},
    {0x0067, "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256"},
    {0x006a, "TLS_DHE_DSS_WITH_AES_256_CBC_SHA256"},
    {0x006b, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256"},
    {0x008c, "TLS_PSK_WITH_AES_128_CBC_SHA"},
    {0x008d, "TLS_PSK_WITH_AES_256_CBC_SHA"},
    {0x009c, "TLS_RSA_WITH_AES_128_GCM_SHA256"},
    {0x009d, "TLS_RSA_WITH_AES_256_GCM_SHA384"},
    {0x009e, "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256"},
    {0x009f, "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384"},
    {0x00a2, "TLS_DHE_DSS_WITH_AES_128_GCM_SHA256"},
    {0x00a3, "TLS_DHE_DSS_WITH_AES_256_GCM_SHA384"},
    {0x00a6, "TLS_DH_anon_WITH_AES_128_GCM_SHA256"},
    {0x00a7, "TLS_DH_anon_WITH_AES_256_GCM_SHA384"},
    {0x00a8, "TLS_PSK_WITH_AES_128_GCM_SHA256"},
    {0x00a9, "TLS_PSK_WITH_AES_256_GCM_SHA384"},
    {0x00ff, "TLS_EMPTY_RENEGOTIATION_INFO_SCSV"},
    {0x1301, "TLS_AES_128_GCM_SHA256"},
    {0x1302, "TLS_AES_256_GCM_SHA384"},
    {0x1303, "TLS_CHACHA20_POLY1305_SHA256"},
    {0x1304, "TLS_AES_128_CCM_SHA256"},
    {0x1305, "TLS_AES_128_CCM_8_SHA256"},
    {0xc004, "TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA"},
    {0xc005, "TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA"},
    {0xc007, "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA"},
    {0xc008, "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA"},
    {0xc009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"},
    {0xc00a, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"},
    {0xc00e, "TLS_ECDH_RSA_WITH_AES_128_CBC_SHA"},
    {0xc00f, "TLS_ECDH_RSA_WITH_AES_256_CBC_SHA"},
    {0xc011, "TLS_ECDHE_RSA_WITH_RC4_128_SHA"},
    {0xc012, "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA"},
    {0xc013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"},
    {0xc014, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"},
    {0xc018, "TLS_ECDH_anon_WITH_AES_128_CBC_SHA"},
    {0xc019, "TLS_ECDH_anon_WITH_AES_256_CBC_SHA"},
    {0xc023, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"},
    {0xc024, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"},
    {0xc025, "TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA256"},
    {0xc026, "TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA384"},
    {0xc027, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"},
    {0xc028, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"},
    {0xc029, "TLS_ECDH_RSA_WITH_AES_128_CBC_SHA256"},
    {0xc02a, "TLS_ECDH_RSA_WITH_AES_256_CBC_SHA384"},
    {0xc02b, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
    {0xc02c, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"},
    {0xc02d, "TLS_ECDH_ECDSA_WITH_AES_128_GCM_SHA256"},
    {0xc02e, "TLS_ECDH_ECDSA_WITH_AES_256_GCM_SHA384"},
    {0xc02f, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
    {0xc030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"},
    {0xc031, "TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256"},
    {0xc032, "TLS_ECDH_RSA_WITH_AES_256_GCM_SHA384"},
    {0xc035, "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA"},
    {0xc036, "TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA"},
    {0xc09c, "TLS_RSA_WITH_AES_128_CCM"},
    {0xc09d, "TLS_RSA_WITH_AES_256_CCM"},
    {0xc09e, "TLS_DHE_RSA_WITH_AES_128_CCM"},
    {0xc09f, "TLS_DHE_RSA_WITH_AES_256_CCM"},
    {0xc0ac, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM"},
    {0xc0ad, "TLS_ECDHE_ECDSA_WITH_AES_256_CCM"},
    {0xcca8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"},
    {0xcca9, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"},
    {0xccaa, "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256"},
    {0xccab, "TLS_PSK_WITH_CHACHA20_POLY1305_SHA256"},
    {0xccac, "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256"},
};
static_assert(std::is_sorted(std::begin(suites), std::end(suites),
                             [](const Suite& a, const Suite& b) { return a.id < b.id; }));

std::string hex16(std::uint16_t v) {
  constexpr char digits[] = "0123456789abcdef";
  return {'0', 'x', digits[v >> 12], digits[v >> 8 & 15], digits[v >> 4 & 15], digits[v & 15]};
}

}  // namespace

std::string_view name_of(TlsSealed s) noexcept { return reasons[static_cast<std::size_t>(s)].name; }
std::string_view reason_of(TlsSealed s) noexcept { return reasons[static_cast<std::size_t>(s)].text; }

std::string tls_version_text(std::uint16_t v) {
  switch (v) {
    case 0:
      return {};
    case 0x0300:
      return "SSL 3.0";
    case 0x0301:
      return "TLS 1.0";
    case 0x0302:
      return "TLS 1.1";
    case 0x0303:
      return "TLS 1.2";
    case 0x0304:
      return "TLS 1.3";
    default:
      return hex16(v);
  }
}

std::string tls_suite_text(std::uint16_t id) {
  const Suite* s = std::lower_bound(std::begin(suites), std::end(suites), id,
                                    [](const Suite& a, std::uint16_t b) { return a.id < b; });
  return s != std::end(suites) && s->id == id ? std::string(s->name) : hex16(id);
}

}  // namespace kparse
