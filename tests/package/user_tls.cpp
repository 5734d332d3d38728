// SPDX-License-Identifier: MIT
// The library that opens TLS, which is installed beside the other one.
#include <cstdio>

#include <kparse/tls.h>

int main() {
  kparse::KeyLog log;
  kparse::TlsScratch scratch;
  kparse::TlsHandler handler;
  kparse::TlsDecryptor decryptor(log, scratch, handler);
  static constexpr std::uint8_t alert[] = {21, 3, 3, 0, 2, 2, 40};  // handshake_failure, where a hello should be
  decryptor.data(0, 0, alert, {}, {});
  decryptor.finish({});
  std::printf("%s %s\n", decryptor.info().alert.c_str(), kparse::tls_suite_text(0x1301).c_str());
}
