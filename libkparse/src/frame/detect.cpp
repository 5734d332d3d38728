// SPDX-License-Identifier: MIT
#include "kparse/detect.h"

#include <algorithm>

namespace kparse {

namespace {

using namespace std::string_view_literals;

struct Beginning {
  std::string_view bytes, what;
};

/// As sizes all of these are beyond what a Kafka frame can have.
constexpr Beginning beginnings[] = {
    {"GET "sv, "HTTP"},
    {"POST "sv, "HTTP"},
    {"PUT "sv, "HTTP"},
    {"HEAD "sv, "HTTP"},
    {"DELETE "sv, "HTTP"},
    {"OPTIONS "sv, "HTTP"},
    {"PATCH "sv, "HTTP"},
    {"CONNECT "sv, "HTTP"},
    {"TRACE "sv, "HTTP"},
    {"HTTP/1."sv, "HTTP"},
    {"PRI * HTTP/2"sv, "HTTP"},
    {"SSH-"sv, "SSH"},
    {"EHLO "sv, "SMTP"},
    {"HELO "sv, "SMTP"},
    {"220 "sv, "SMTP"},
    {"220-"sv, "SMTP"},
    {"AMQP\0"sv, "AMQP"},
    {"AMQP\1"sv, "AMQP"},
    {"AMQP\3"sv, "AMQP"},
    {"+PONG\r\n"sv, "Redis"},
    {"+OK\r\n"sv, "Redis"},
    {"-ERR "sv, "Redis"},
    {"-NOAUTH"sv, "Redis"},
    {"PING\r\n"sv, "Redis"},
    {"INFO {"sv, "NATS"},
    {"CONNECT {"sv, "NATS"},
    {"\x13"
     "BitTorrent protocol"sv,
     "BitTorrent"},
    {"RTSP/1."sv, "RTSP"},
    {"DESCRIBE rtsp"sv, "RTSP"},
    {"INVITE sip"sv, "SIP"},
    {"SIP/2.0"sv, "SIP"},
    {"JRMI\0"sv, "Java RMI"},
    {"\xac\xed\0\x05"sv, "Java serialization"},
    {"RFB 00"sv, "VNC"},
    {"STATS\r\n"sv, "memcached"},
    {"stats\r\n"sv, "memcached"},
    {"* OK "sv, "IMAP"},
    {"+OK "sv, "POP3"},
    {"ruok"sv, "ZooKeeper"},
    {"imok"sv, "ZooKeeper"},
    {"srvr"sv, "ZooKeeper"},
    {"mntr"sv, "ZooKeeper"},
};

bool digits(Bytes b) noexcept {
  return std::all_of(b.begin(), b.end(), [](std::uint8_t c) { return c >= '0' && c <= '9'; });
}

/// RFC 8446, 5.1; RFC 5246, 6.2.1.
bool is_tls(Bytes b) noexcept {
  if (b.size() < 5 || b[0] < 20 || b[0] > 24 || b[1] != 3 || b[2] > 4) return false;
  const auto length = load_be<std::uint16_t>(b.data() + 3);
  if (length == 0 || length > 16384 + 2048) return false;
  if (b[0] == 22 && b.size() >= 6) return b[5] <= 24;  // a handshake type (or encrypted: any, but then in mid-stream)
  if (b[0] == 21) return length == 2 || length > 16;
  if (b[0] == 20) return length == 1;
  return true;
}

/// A RESP array of bulk strings: "*2\r\n$3\r\n".
bool is_redis(Bytes b) noexcept {
  if (b.size() < 4 || b[0] != '*') return false;
  std::size_t at = 1;
  while (at < b.size() && at < 8 && b[at] >= '0' && b[at] <= '9') ++at;
  return at > 1 && at + 2 < b.size() && b[at] == '\r' && b[at + 1] == '\n' && b[at + 2] == '$';
}

/// ConnectRequest: protocolVersion 0, lastZxidSeen, timeOut, sessionId, passwd (16 bytes), perhaps readOnly.
bool is_zookeeper(Bytes b) noexcept {
  if (b.size() < 8) return false;
  const auto size = load_be<std::uint32_t>(b.data());
  if (size < 36 || size > 45 || load_be<std::uint32_t>(b.data() + 4) != 0) return false;
  // ConnectResponse has no lastZxidSeen.
  const auto passwd = [&](std::size_t at) { return b.size() >= at + 4 && load_be<std::uint32_t>(b.data() + at) == 16; };
  return ((size == 44 || size == 45) && passwd(28)) || ((size == 36 || size == 37) && passwd(20));
}

/// StartupMessage 3.0, SSLRequest, GSSENCRequest, CancelRequest.
bool is_postgresql(Bytes b) noexcept {
  if (b.size() < 8) return false;
  const auto size = load_be<std::uint32_t>(b.data()), code = load_be<std::uint32_t>(b.data() + 4);
  if (code == 80877103 || code == 80877104) return size == 8;
  if (code == 80877102) return size == 16;
  return code == 0x00030000 && size >= 9 && size <= 10000 && b.size() >= 13 &&
         text(b.subspan(8)).substr(0, 4) == "user";
}

/// Protocol::HandshakeV10 of the server.
bool is_mysql(Bytes b) noexcept {
  return b.size() >= 12 && b[2] == 0 && b[3] == 0 && b[4] == 10 && b[5] >= '1' && b[5] <= '9' &&
         (b[6] == '.' || digits(b.subspan(6, 1)));
}

/// OP_MSG, OP_QUERY, OP_REPLY, little-endian.
bool is_mongodb(Bytes b) noexcept {
  if (b.size() < 24 || b[3] != 0) return false;
  const auto le = [&](std::size_t at) {
    return b[at] | b[at + 1] << 8 | b[at + 2] << 16 | static_cast<std::uint32_t>(b[at + 3]) << 24;
  };
  const auto size = le(0), op = le(12), flags = le(16);
  if (size < 26 || size > (48u << 20) || (size < b.size() && size < 64)) return false;
  if (op == 2013) return flags <= 0x1ffff && b[20] <= 1;
  if (op == 2004) return flags < 256 && b[20] >= 0x20 && b[20] < 0x7f;
  return op == 1 && flags < 16 && le(8) != 0;
}

/// RFC 1035, 4.2.2: length, then a header with one question and sane counts.
bool is_dns(Bytes b) noexcept {
  if (b.size() < 19) return false;
  const auto u16 = [&](std::size_t at) { return load_be<std::uint16_t>(b.data() + at); };
  const auto flags = u16(4);
  if (u16(0) < 17 || u16(6) != 1 || (flags & 0x7800) > 0x2800 || (flags & 0x0040) != 0) return false;
  const bool answer = (flags & 0x8000) != 0;
  if (!answer && (u16(8) != 0 || u16(10) != 0 || u16(12) > 2 || u16(0) + 2u != b.size())) return false;
  std::size_t at = 14;  // the name's labels
  while (at < b.size() && b[at] != 0 && b[at] <= 63) at += 1u + b[at];
  return at + 4 < b.size() && b[at] == 0 && (u16(at + 3) & 0x7fff) <= 255;
}

bool is_smb(Bytes b) noexcept {
  return b.size() >= 8 && b[0] == 0 && (b[4] == 0xff || b[4] == 0xfe) && b[5] == 'S' && b[6] == 'M' && b[7] == 'B';
}

bool is_mqtt(Bytes b) noexcept {
  return b.size() >= 8 && b[0] == 0x10 && b[2] == 0 && b[3] == 4 && text(b.subspan(4, 4)) == "MQTT";
}

bool is_ldap(Bytes b) noexcept {  // a BindRequest
  return b.size() >= 7 && b[0] == 0x30 && b[1] < 0x80 && b[2] == 2 && b[3] == 1 && b[5] == 0x60;
}

}  // namespace

Foreign name_foreign(Bytes b) noexcept {
  if (is_tls(b)) return {"TLS", b[0] != 22 || b.size() > 5};  // the type of the handshake tells more than its record
  const std::string_view s = text(b);
  for (const Beginning& x : beginnings)
    if (s.substr(0, x.bytes.size()) == x.bytes) return {x.what, true};
  if (is_redis(b)) return {"Redis", true};
  if (is_mqtt(b)) return {"MQTT", true};
  if (is_ldap(b)) return {"LDAP", true};
  if (is_mysql(b)) return {"MySQL", false};
  if (is_zookeeper(b)) return {"ZooKeeper", false};
  if (is_postgresql(b)) return {"PostgreSQL", false};
  if (is_mongodb(b)) return {"MongoDB", false};
  if (is_smb(b)) return {"SMB", false};
  if (is_dns(b)) return {"DNS", false};
  return {};
}

}  // namespace kparse
