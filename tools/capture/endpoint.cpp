// SPDX-License-Identifier: MIT
#include "capture/endpoint.h"

#include <arpa/inet.h>

namespace kparse::capture {

std::string Endpoint::address() const {
  char s[INET6_ADDRSTRLEN] = {};
  inet_ntop(v6 ? AF_INET6 : AF_INET, ip.data(), s, sizeof s);
  return s;
}

std::string Endpoint::text() const { return (v6 ? "[" + address() + "]" : address()) + ":" + std::to_string(port); }

}  // namespace kparse::capture
