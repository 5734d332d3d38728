// SPDX-License-Identifier: MIT
// Kafka's codecs, one call for any of them. Used for record batches, message sets and pushed telemetry.
// Source: KIP-57 (LZ4 frame), KIP-110 (zstd), RFC 1952, snappy-java's SnappyOutputStream; how lenient Kafka's readers
// are was measured with kafka-clients 4.4.0.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "kparse/bytes.h"
#include "kparse/error.h"
#include "kparse/writer.h"

namespace kparse {

enum class Codec : std::uint8_t { none, gzip, snappy, lz4, zstd };
[[nodiscard]] std::string_view name_of(Codec) noexcept;  ///< as in Kafka's configs

/// Output buffer and codec contexts, reused from call to call. One per thread; about 100 KB once in use, besides the
/// largest output of late.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(Scratch&&) noexcept;
  Scratch& operator=(Scratch&&) noexcept;
  struct Impl;
  Impl& impl() noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

struct DecompressLimits {
  std::uint64_t max_out = 256u << 20;   ///< bytes of output; past it: tooLarge
  std::uint32_t max_ratio = 2000;       ///< output / input; past it: tooDense
  std::uint64_t ratio_from = 1u << 20;  ///< outputs up to this size may have any ratio: they are no danger
};

struct Decompressed {
  Bytes data;  ///< in the scratch (Codec::none: the input): valid until its next use
  /// `offset`: of the input byte where reading stopped (as near as the codec tells). `data` is then what came before
  /// it, unchecked by what the codec checks at its end; empty for tooLarge and tooDense.
  Error error;
  bool xerial = false;                     ///< snappy in xerial framing (else one raw block)
  std::int32_t xerial_version = 0;         ///< of its first header, as read big-endian; 1 is usual,
  std::int32_t xerial_compatible = 0;      ///< 0x01000000 a known bug of other writers (Redpanda)
  bool lz4_wrong_header_checksum = false;  ///< taken all the same (Lz4Header::lenient)
};

enum class Lz4Header : std::uint8_t {
  checked,  ///< a wrong header checksum is an error: magic 1 and 2
  lenient,  ///< it isn't: magic 0, where Kafka writes a wrong one
};

/// Opens the whole of `in`. Memory grows with the output, never by a claim that the input's size doesn't back.
///
/// gzip: all members, each with CRC-32 and size checked; what follows the last and is no member is ignored.
/// snappy: xerial framing (any version fields, headers repeated, no chunk at all) or one raw block, told apart by 8
/// bytes. lz4: the first frame, with block and content checksums; what follows it is ignored; no dictionaries. zstd:
/// all frames, skippable ones too; windows up to 128 MiB; no dictionaries. Input of no bytes is an error (truncated)
/// for every codec but none.
[[nodiscard]] Decompressed decompress(Codec, Bytes in, Scratch&, const DecompressLimits& = {},
                                      Lz4Header = Lz4Header::checked) noexcept;

struct CompressOptions {
  bool xerial = true;  ///< snappy: in snappy-java's framing, as Java's clients write it; else one raw block
  std::uint32_t xerial_block = 32u << 10;  ///< largest block, uncompressed; 0 counts as 1
  std::int32_t xerial_version = 1;         ///< what the two fields of the framing's header say
  std::int32_t xerial_compatible = 1;
  Lz4Header lz4_header = Lz4Header::checked;  ///< lenient: with the wrong header checksum that magic 0 has
};

/// Appends the compressed form of `in` to `out`: one gzip member; xerial or raw snappy; one LZ4 frame of independent
/// 64 KiB blocks without checksums, as Kafka's clients write it; one zstd frame of level 3 without content size. Empty
/// input gives an empty stream, which for xerial is the header alone. Errors: tooLarge (the codec's own limit, at least
/// 2^31 - 1 bytes), noMemory, unknownCodec; nothing is appended then.
[[nodiscard]] Error compress(Codec, Bytes in, Scratch&, Writer& out, const CompressOptions& = {}) noexcept;

}  // namespace kparse
