# SPDX-License-Identifier: MIT
# A library of its own: who doesn't open TLS needs no OpenSSL, and the Wireshark plugin must not have it (GPL-2).
kparse_layer(tls APART
  SOURCES certificate.cpp crypto.cpp decryptor.cpp engine.cpp engine_handshake.cpp engine_keys.cpp engine_recover.cpp
    handshake.cpp key_log.cpp record_cipher.cpp record_stream.cpp suites.cpp
  USES wire
  LIBRARIES OpenSSL::Crypto
)
