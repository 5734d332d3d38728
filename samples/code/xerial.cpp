// SPDX-License-Identifier: MIT
// Snappy in xerial framing, as Java's clients write it, and raw, as librdkafka does: xerial
// The command does the same with files: kparse xerial encode, kparse xerial decode.
#include <cstdio>
#include <string>

#include "kparse/compress.h"

namespace {

kparse::Bytes bytes(const std::string& s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }

void show(const char* what, const std::string& content, const kparse::CompressOptions& how, kparse::Scratch& scratch) {
  kparse::Writer packed;
  if (compress(kparse::Codec::snappy, bytes(content), scratch, packed, how)) return;
  const std::size_t shown = content.size() > 100 ? 16 : packed.size();
  std::printf("%s: %zu bytes are", what, content.size());
  for (const std::uint8_t b : packed.view().first(shown)) std::printf(" %02x", b);
  std::printf("%s\n", shown < packed.size() ? " ..." : "");

  // One call reads either: the first eight bytes tell, and no raw block can begin with them.
  const kparse::Decompressed back = decompress(kparse::Codec::snappy, packed.view(), scratch);
  std::printf("  read back: %s, %s", back.xerial ? "framed" : "raw",
              !back.error && kparse::text(back.data) == content ? "the same" : "NOT the same");
  if (back.xerial) std::printf(", version %d, compatible %d", back.xerial_version, back.xerial_compatible);
  std::printf("\n");
}

}  // namespace

int main() {
  kparse::Scratch scratch;
  const std::string large(100'000, 'x');
  show("framed", "hello", {}, scratch);
  show("nothing", "", {}, scratch);  // the header alone
  show("blocks of 32 KiB", large, {}, scratch);
  show("blocks of 1 KiB, as Java's producer up to 0.10.2", large, {.xerial_block = 1024}, scratch);
  show("version fields little-endian, as Redpanda for a while", "hello",
       {.xerial_version = 0x01000000, .xerial_compatible = 0x01000000}, scratch);
  show("raw", "hello", {.xerial = false}, scratch);
  return 0;
}
