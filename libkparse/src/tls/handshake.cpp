// SPDX-License-Identifier: MIT
#include "tls/handshake.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "tls/crypto.h"
#include "tls/cursor.h"

namespace kparse::tls {
namespace {

enum Extension : std::uint16_t {
  server_name = 0,
  supported_groups = 10,
  ec_point_formats = 11,
  alpn = 16,
  encrypt_then_mac = 22,
  extended_master_secret = 23,
  session_ticket = 35,
  pre_shared_key = 41,
  early_data = 42,
  supported_versions = 43,
};

constexpr std::size_t max_text = 255;

/// RFC 8446, 4.1.3.
constexpr TlsRandom retry_random{0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c,
                                 0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb,
                                 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};

/// RFC 8701: values that mean nothing and differ each time.
constexpr bool grease(std::uint16_t v) noexcept { return (v & 0x0f0f) == 0x0a0a && v >> 8 == (v & 0xff); }

void append(std::string& list, std::uint16_t v) {
  if (!list.empty() && list.back() != ',') list += '-';
  list += std::to_string(v);
}

std::string text_of(Bytes b) { return std::string(text(b.first(std::min(b.size(), max_text)))); }

std::string first_protocol(Bytes extension) {
  Cursor list(Cursor(extension).counted(2));
  return text_of(list.counted(1));
}

void copy(Bytes from, TlsRandom& to) noexcept {
  if (from.size() == to.size()) std::copy(from.begin(), from.end(), to.begin());
}

struct AlertName {
  std::uint8_t code;
  std::string_view name;
};
/// IANA's TLS Alerts registry.
constexpr AlertName alerts[] = {
    {0, "close_notify"},
    {10, "unexpected_message"},
    {20, "bad_record_mac"},
    {21, "decryption_failed"},
    {22, "record_overflow"},
    {30, "decompression_failure"},
    {40, "handshake_failure"},
    {41, "no_certificate"},
    {42, "bad_certificate"},
    {43, "unsupported_certificate"},
    {44, "certificate_revoked"},
    {45, "certificate_expired"},
    {46, "certificate_unknown"},
    {47, "illegal_parameter"},
    {48, "unknown_ca"},
    {49, "access_denied"},
    {50, "decode_error"},
    {51, "decrypt_error"},
    {70, "protocol_version"},
    {71, "insufficient_security"},
    {80, "internal_error"},
    {86, "inappropriate_fallback"},
    {90, "user_canceled"},
    {100, "no_renegotiation"},
    {109, "missing_extension"},
    {110, "unsupported_extension"},
    {111, "certificate_unobtainable"},
    {112, "unrecognized_name"},
    {113, "bad_certificate_status_response"},
    {115, "unknown_psk_identity"},
    {116, "certificate_required"},
    {120, "no_application_protocol"},
};

}  // namespace

bool read_client_hello(Bytes body, ClientHello& h) {
  Cursor c(body);
  const std::uint16_t version = c.u16();
  copy(c.take(32), h.random);
  h.session_id = c.counted(1);
  Cursor suites(c.counted(2));
  c.counted(1);
  if (!c.ok()) return false;

  std::string print = std::to_string(version) + ',', extensions, groups, formats;
  while (!suites.done() && suites.ok())
    if (const std::uint16_t s = suites.u16(); suites.ok() && !grease(s)) append(print, s);
  Cursor list(c.done() ? Bytes() : c.counted(2));
  while (!list.done() && list.ok()) {
    const std::uint16_t type = list.u16();
    const Bytes data = list.counted(2);
    if (!list.ok()) break;
    if (!grease(type)) append(extensions, type);
    Cursor e(data);
    switch (type) {
      case server_name: {
        Cursor names(e.counted(2));
        if (names.u8() == 0) h.sni = text_of(names.counted(2));
        break;
      }
      case supported_groups: {
        Cursor all(e.counted(2));
        while (!all.done() && all.ok())
          if (const std::uint16_t g = all.u16(); all.ok() && !grease(g)) append(groups, g);
        break;
      }
      case ec_point_formats:
        for (const std::uint8_t f : e.counted(1)) append(formats, f);
        break;
      case session_ticket:
        h.ticket = data;
        break;
      case early_data:
        h.early_data = true;
        break;
      default:
        break;
    }
  }
  h.fingerprint = md5_hex(print + ',' + extensions + ',' + groups + ',' + formats);
  return c.ok() && list.ok();
}

bool read_server_hello(Bytes body, ServerHello& h) {
  Cursor c(body);
  h.version = c.u16();
  copy(c.take(32), h.random);
  h.session_id = c.counted(1);
  h.suite = c.u16();
  c.u8();
  if (!c.ok()) return false;
  h.retry = h.random == retry_random;
  Cursor list(c.done() ? Bytes() : c.counted(2));
  while (!list.done() && list.ok()) {
    const std::uint16_t type = list.u16();
    const Bytes data = list.counted(2);
    if (!list.ok()) break;
    switch (type) {
      case supported_versions:
        if (data.size() == 2) h.version = load_be<std::uint16_t>(data.data());
        break;
      case alpn:
        h.alpn = first_protocol(data);
        break;
      case encrypt_then_mac:
        h.encrypt_then_mac = true;
        break;
      case extended_master_secret:
        h.extended_master_secret = true;
        break;
      case pre_shared_key:
        h.psk = true;
        break;
      default:
        break;
    }
  }
  return c.ok() && list.ok();
}

std::string read_encrypted_extensions(Bytes body) {
  Cursor list(Cursor(body).counted(2));
  while (!list.done() && list.ok()) {
    const std::uint16_t type = list.u16();
    const Bytes data = list.counted(2);
    if (list.ok() && type == alpn) return first_protocol(data);
  }
  return {};
}

Bytes read_ticket(Bytes body) noexcept {
  Cursor c(body);
  c.number(4);
  return c.counted(2);
}

Bytes read_encrypted_premaster(Bytes body) noexcept { return Cursor(body).counted(2); }

std::string alert_text(std::uint8_t code) {
  const auto* a =
      std::find_if(std::begin(alerts), std::end(alerts), [code](const AlertName& x) { return x.code == code; });
  return a != std::end(alerts) ? std::string(a->name) : "alert " + std::to_string(code);
}

}  // namespace kparse::tls
