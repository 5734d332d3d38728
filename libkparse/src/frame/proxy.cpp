// SPDX-License-Identifier: MIT
#include <arpa/inet.h>
#include <algorithm>
#include <charconv>

#include "kparse/detect.h"

namespace kparse {

namespace {

using namespace std::string_view_literals;
using State = ProxyHeader::State;

constexpr std::string_view signature1 = "PROXY "sv;
constexpr std::string_view signature2 = "\r\n\r\n\0\r\nQUIT\n"sv;
constexpr std::size_t longest1 = 107;

std::string endpoint(int family, const void* address, unsigned port) {
  char buffer[INET6_ADDRSTRLEN];
  if (!inet_ntop(family, address, buffer, sizeof buffer)) return {};
  const std::string host = family == AF_INET6 ? '[' + std::string(buffer) + ']' : std::string(buffer);
  return host + ':' + std::to_string(port);
}

/// "PROXY TCP4 192.0.2.1 192.0.2.2 56324 9092\r\n"
ProxyHeader version1(std::string_view s) {
  ProxyHeader h;
  const std::size_t end = s.substr(0, longest1).find("\r\n");
  if (end == std::string_view::npos) {
    h.state = s.size() < longest1 ? State::cut : State::none;
    return h;
  }
  h.state = State::whole;
  h.length = end + 2;
  std::string_view words[6];
  std::string_view rest = s.substr(0, end);
  for (std::string_view& w : words) {
    const std::size_t space = rest.find(' ');
    w = rest.substr(0, space);
    rest = space == std::string_view::npos ? std::string_view{} : rest.substr(space + 1);
  }
  const int family = words[1] == "TCP4" ? AF_INET : words[1] == "TCP6" ? AF_INET6 : AF_UNSPEC;
  unsigned port = 0;
  const auto [stop, error] = std::from_chars(words[4].data(), words[4].data() + words[4].size(), port);
  std::uint8_t address[16];
  if (family != AF_UNSPEC && error == std::errc{} && stop == words[4].data() + words[4].size() && port < 65536 &&
      inet_pton(family, std::string(words[2]).c_str(), address) == 1)
    h.client = endpoint(family, address, port);
  return h;
}

ProxyHeader version2(Bytes b) {
  ProxyHeader h;
  h.state = State::cut;
  if (b.size() < 16) return h;
  if (b[12] >> 4 != 2 || (b[12] & 15) > 1) {
    h.state = State::none;
    return h;
  }
  const std::size_t length = load_be<std::uint16_t>(b.data() + 14);
  if (b.size() < 16 + length) return h;
  h.state = State::whole;
  h.length = 16 + length;
  const std::uint8_t* at = b.data() + 16;
  const bool proxied = (b[12] & 15) == 1;
  if (proxied && b[13] >> 4 == 1 && length >= 12) h.client = endpoint(AF_INET, at, load_be<std::uint16_t>(at + 8));
  if (proxied && b[13] >> 4 == 2 && length >= 36) h.client = endpoint(AF_INET6, at, load_be<std::uint16_t>(at + 32));
  return h;
}

}  // namespace

ProxyHeader read_proxy_header(Bytes b) {
  const std::string_view s = text(b);
  const auto begins = [s](std::string_view signature) {
    const std::size_t n = std::min(s.size(), signature.size());
    return n > 0 && s.substr(0, n) == signature.substr(0, n);
  };
  if (begins(signature1)) return s.size() < signature1.size() ? ProxyHeader{State::cut, 0, {}} : version1(s);
  if (begins(signature2)) return s.size() < signature2.size() ? ProxyHeader{State::cut, 0, {}} : version2(b);
  return {};
}

}  // namespace kparse
