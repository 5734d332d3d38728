// SPDX-License-Identifier: MIT
// The inside of a TLS connection: from the bytes of both directions, and a key log, to what the applications said.
// TLS 1.2 and 1.3 (RFC 5246, 8446). Needs OpenSSL's libcrypto, so it is a library of its own: link kparse::tls.
#pragma once

#include <cstdint>
#include <memory>

#include "kparse/bytes.h"
#include "kparse/extent.h"
#include "kparse/key_log.h"
#include "kparse/stamp.h"
#include "kparse/tls_info.h"

namespace kparse {

/// Could a direction's first bytes be a ClientHello or ServerHello?
enum class TlsStart : std::uint8_t {
  no,
  maybe,  ///< too few bytes to tell: at most 11
  yes,
};
[[nodiscard]] TlsStart tls_start(Bytes first_bytes) noexcept;

/// Inner bytes that are missing.
struct TlsGap {
  int direction = 0;
  std::uint64_t offset = 0;         ///< in the inner stream
  std::uint64_t bytes = 0;          ///< of the inner stream; 0: only handshake was lost
  Extent extent = Extent::unknown;  ///< of `bytes`
  std::uint64_t wire = 0;           ///< bytes that the capture lacks, or that could not be authenticated
  bool cut = false;                 ///< by the snapshot length
  Stamp shown;                      ///< the first packet that tells of them
};

/// Told in stream order for each direction; data and gaps tile the inner stream from offset 0. Views live until the
/// call returns.
class TlsHandler {
 public:
  virtual ~TlsHandler() = default;
  /// Which direction comes from the client: with the first hello, before all else.
  virtual void on_tls_client(int /*direction*/) {}
  /// The key log has nothing for this connection. True: it has grown, ask it again.
  virtual bool on_tls_secret_missing(const TlsRandom&) { return false; }
  /// Application data, authenticated. `carried`: the packet with the ciphertext of these bytes; `now`: the one that
  /// made the record whole.
  virtual void on_tls_data(int /*direction*/, std::uint64_t /*offset*/, Bytes, Stamp /*carried*/, Stamp /*now*/) {}
  virtual void on_tls_gap(const TlsGap&, Stamp /*now*/) {}
  /// Nothing was opened, and nothing will be: info() says why.
  virtual void on_tls_sealed(Stamp) {}
};

/// Where records are opened; one for all decryptors of a thread. 20 KiB.
class TlsScratch {
 public:
  TlsScratch();
  ~TlsScratch();
  TlsScratch(const TlsScratch&) = delete;
  TlsScratch& operator=(const TlsScratch&) = delete;
  [[nodiscard]] std::uint8_t* data() noexcept { return data_.get(); }

 private:
  std::unique_ptr<std::uint8_t[]> data_;
};

/// Not thread-safe; one per TCP connection. Memory: about 6 KiB, plus a record that is not yet whole (18 KiB) and a
/// handshake message (64 KiB) a direction while there is one. A record whose authentication fails is never handed on.
/// After lost bytes the number of the next record is found by trying: at most 64 times the work of opening what was
/// seen.
class TlsDecryptor {
 public:
  /// All three must outlive it. The key log also learns from it: sessions that later connections resume.
  TlsDecryptor(KeyLog&, TlsScratch&, TlsHandler&);
  ~TlsDecryptor();
  TlsDecryptor(const TlsDecryptor&) = delete;
  TlsDecryptor& operator=(const TlsDecryptor&) = delete;

  /// In-order bytes of direction 0 or 1 from its first byte on, and what is missing of them; as for Connection.
  void data(int direction, std::uint64_t offset, Bytes, Stamp carried, Stamp now) noexcept;
  void gap(int direction, std::uint64_t offset, std::uint64_t bytes, bool cut, Stamp shown, Stamp now) noexcept;
  void end(int direction, Stamp now) noexcept;
  void finish(Stamp now) noexcept;

  /// What is known so far.
  [[nodiscard]] const TlsInfo& info() const noexcept;
  /// nullptr: no ClientHello was seen.
  [[nodiscard]] const TlsRandom* client_random() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kparse
