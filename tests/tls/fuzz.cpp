// SPDX-License-Identifier: MIT
#include "fuzz.h"

#include <algorithm>
#include <string>

#include "kparse/tls.h"
#include "support.h"

namespace kparse::fuzz {

// The input is a program: a byte says what comes (direction, plain bytes, a record that is sealed right, a gap), the
// next ones how much.
void records(Bytes input) {
  if (input.empty()) return;
  static constexpr std::uint16_t suites[] = {0x1301, 0x1303, 0xc02f, 0xc027, 0xcca8, 0xc013};
  const std::uint16_t suite = suites[input[0] % 6];
  test::Peer peer({.suite = suite,
                   .tls13 = suite < 0x1400,
                   .encrypt_then_mac = (input[0] & 0x10) != 0,
                   .early_data = (input[0] & 0x20) != 0});
  KeyLog log;
  log.add_text(peer.key_log());
  test::Talk talk(log);
  if (input[0] & 0x80) peer.handshake([&talk](int side, const std::string& f) { talk.send(side, f); });
  if (input[0] & 0x40) talk.send(0, peer.client_hello());
  input = input.subspan(1);
  std::size_t spent = 0;
  while (input.size() >= 2 && spent < (1u << 20)) {
    const int side = input[0] & 1;
    const std::size_t n = std::min<std::size_t>(input[1], input.size() - 2);
    const Bytes some = input.subspan(2, n);
    if (!peer.has_keys(side)) peer.traffic_keys(side);
    switch (input[0] >> 1 & 7) {
      case 0:
      case 1:
        talk.send(side, text(some));
        break;
      case 2:
        talk.send(side, peer.seal(side, static_cast<std::uint8_t>(20 + input[1] % 5), text(some)));
        break;
      case 3:
        talk.lose(side, 1 + input[1] * std::size_t{97});
        break;
      case 4:
        talk.send(side, test::Peer::plain(22, text(some)));
        break;
      case 5:
        (void)peer.seal(side, 23, text(some));  // never sent
        talk.lose(side, n + 22);
        break;
      case 6:
        if (peer.options.tls13) {
          talk.send(side, peer.seal(side, 22, test::Peer::message(24, std::string_view("\0", 1))));
          peer.update_keys(side);
        } else {
          talk.send(side, test::Peer::change_cipher_spec());
        }
        break;
      default:
        talk.send(side, side == 0 ? peer.client_hello() : peer.server_hello());
        break;
    }
    input = input.subspan(2 + n);
    spent += 600;
  }
  talk.finish();
}

void key_log(Bytes input) {
  KeyLog log(100);
  log.add_text(text(input), [](std::uint64_t, std::string_view) {});
  TlsRandom random{};
  std::copy_n(input.begin(), std::min(input.size(), random.size()), random.begin());
  (void)log.find(random);
  (void)log.premaster_encrypted(input.first(std::min<std::size_t>(input.size(), 8)));
}

}  // namespace kparse::fuzz
