// SPDX-License-Identifier: MIT
// Record sets without what people wrote into them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "extract/names.h"
#include "kparse/compress.h"
#include "kparse/draft_headers.h"
#include "kparse/records.h"
#include "kparse/writer.h"

namespace kparse::cli {

struct RedactLimits {
  std::uint64_t max_batch = 256u << 20;
  std::uint32_t max_ratio = 2000;
  std::optional<DraftProfile> draft;
};

/// Keys, values and header values become other bytes of the same length; null stays null, and the keys and values of
/// transaction markers stay. Compressed batches are opened, and compressed again with the same codec: these get another
/// length. Checksums are mended, wrong ones stay wrong: of such a batch only what looks like a number where a number
/// belongs is believed. What can't be read as records becomes filling altogether.
class RecordRedactor {
 public:
  /// `names`: nullptr where header names stay.
  RecordRedactor(const RedactLimits& limits, Pseudonyms* names) : limits_(limits), names_(names) {}

  /// Appends the whole set.
  void redact(Bytes set, Writer& out);

  /// Batches that were compressed again, and batches that could not be opened.
  [[nodiscard]] std::uint64_t recompressed() const noexcept { return recompressed_; }
  [[nodiscard]] std::uint64_t closed() const noexcept { return closed_; }

 private:
  void batch(Bytes entry, const Batch&, Writer& out);
  void message(Bytes entry, const Batch&, Writer& out);
  void draft(std::uint8_t* entry, std::size_t size);
  /// Of magic 2, uncompressed.
  void records(std::uint8_t* at, std::uint8_t* end, const Batch&, bool trusted);
  /// Of magic 0 and 1, without a codec of their own.
  void messages(std::uint8_t* at, std::uint8_t* end);
  /// The rest of a message after attributes and timestamp: key and value.
  void key_and_value(std::uint8_t* at, std::uint8_t* end, bool trusted);
  /// An entry that is not understood, at the end of `out`.
  void closed(Bytes entry, Writer& out);
  void fill(std::uint8_t* at, std::uint8_t* end) noexcept;
  void fill(Bytes) noexcept;
  /// Opens `payload`, has `inside` change it, and compresses it again to `out`. False: nothing was written.
  template <class F>
  bool reopened(Bytes payload, const Batch&, F inside, Writer& out);

  RedactLimits limits_;
  Pseudonyms* names_;
  Scratch scratch_;
  Writer opened_;
  bool dense_ = false;
  std::uint32_t noise_ = 1;
  std::uint64_t recompressed_ = 0, closed_ = 0;
};

}  // namespace kparse::cli
