// SPDX-License-Identifier: MIT
#include "kparse/tls.h"
#include "tls/engine.h"

namespace kparse {

using namespace tls;

struct TlsDecryptor::Impl {
  Engine engine;
};

TlsScratch::TlsScratch() : data_(std::make_unique<std::uint8_t[]>(max_record + 64)) {}
TlsScratch::~TlsScratch() = default;

TlsStart tls_start(Bytes b) noexcept {
  constexpr std::size_t enough = header_size + 6;
  // A record of type handshake, version 3.0 to 3.4; in it a hello of version 3.x.
  const auto fits = [b](std::size_t at, auto condition) { return b.size() <= at || condition(b[at]); };
  const bool hello = fits(0, [](std::uint8_t v) { return v == handshake; }) &&
                     fits(1, [](std::uint8_t v) { return v == 3; }) && fits(2, [](std::uint8_t v) { return v <= 4; }) &&
                     fits(3, [](std::uint8_t v) { return v <= 0x48; }) &&
                     fits(5, [](std::uint8_t v) { return v == Message::client_hello || v == Message::server_hello; }) &&
                     fits(6, [](std::uint8_t v) { return v == 0; }) && fits(9, [](std::uint8_t v) { return v == 3; }) &&
                     fits(10, [](std::uint8_t v) { return v <= 4; });
  if (!hello) return TlsStart::no;
  return b.size() < enough ? TlsStart::maybe : TlsStart::yes;
}

TlsDecryptor::TlsDecryptor(KeyLog& log, TlsScratch& scratch, TlsHandler& handler)
    : impl_(new Impl{Engine(log, scratch, handler)}) {}
TlsDecryptor::~TlsDecryptor() = default;

// Out of memory is the only thing that throws here: the conversation stays closed then.
void TlsDecryptor::data(int direction, std::uint64_t offset, Bytes b, Stamp carried, Stamp now) noexcept try {
  impl_->engine.data(direction, offset, b, carried, now);
} catch (...) {
  impl_->engine.abandon();
}
void TlsDecryptor::gap(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown,
                       Stamp now) noexcept try {
  impl_->engine.gap(direction, offset, bytes, cut, shown, now);
} catch (...) {
  impl_->engine.abandon();
}
void TlsDecryptor::end(int direction, Stamp now) noexcept try { impl_->engine.end(direction, now); } catch (...) {
  impl_->engine.abandon();
}
void TlsDecryptor::finish(Stamp now) noexcept try { impl_->engine.finish(now); } catch (...) {
  impl_->engine.abandon();
}
const TlsInfo& TlsDecryptor::info() const noexcept { return impl_->engine.info(); }
const TlsRandom* TlsDecryptor::client_random() const noexcept { return impl_->engine.client_random(); }

}  // namespace kparse
