// SPDX-License-Identifier: MIT
// Writes a record batch with headers, reads it back, and handles headers as Kafka's own API does: write_headers
#include <cstdio>
#include <optional>
#include <string_view>

#include "kparse/headers.h"
#include "kparse/record_walk.h"
#include "kparse/record_writer.h"

namespace {

kparse::Bytes bytes(std::string_view s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }

void print(const char* what, const kparse::Headers& headers) {
  std::printf("  %s:", what);
  for (const kparse::RecordHeader& h : headers) {
    std::printf(" %.*s=", static_cast<int>(h.name.size()), h.name.data());
    if (!h.value.data()) {
      std::printf("null");
      continue;
    }
    std::printf("\"%.*s\"", static_cast<int>(h.value.size()), reinterpret_cast<const char*>(h.value.data()));
  }
  std::printf("\n");
}

struct Reader : kparse::RecordSink {
  void record(const kparse::Batch&, const kparse::Record& r) noexcept {
    std::printf("record %lld, %zu bytes of headers\n", static_cast<long long>(r.offset), r.headers.size());
    kparse::Headers headers(r);  // a view of the batch's bytes: nothing is copied, nothing read yet
    print("in order, names may repeat", headers);
    if (const std::optional<kparse::RecordHeader> last = headers.last_header("tag"))
      std::printf("  the last tag: \"%.*s\"\n", static_cast<int>(last->value.size()),
                  reinterpret_cast<const char*>(last->value.data()));

    (void)headers.remove("tag");
    (void)headers.add("seen-by", bytes("sample"));
    headers.close();
    print("changed, the batch is not", headers);
    const kparse::HeadersStatus status = headers.add("late", bytes("x"));
    std::printf("  after close(): %.*s\n", static_cast<int>(message_of(status).size()), message_of(status).data());
  }
  void end_batch(const kparse::Batch& batch, const kparse::Error& error) noexcept {
    std::printf("%d record, codec %.*s, CRC %s, %s\n", batch.count, static_cast<int>(name_of(batch.codec).size()),
                name_of(batch.codec).data(), batch.crc_valid ? "right" : "wrong",
                error ? "with an error" : "read to its end");
  }
};

}  // namespace

int main() {
  const kparse::RecordHeader headers[] = {
      {"traceparent", bytes("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")},
      {"tag", bytes("new")},
      {"tag", bytes("urgent")},
      {"nothing", {}}};
  kparse::RecordWriter writer;  // keeps its memory from batch to batch
  kparse::Scratch scratch;
  kparse::Writer set;
  writer.begin({.codec = kparse::Codec::zstd, .base_offset = 100});
  writer.add({.timestamp = 1'475'280'000'000, .key = bytes("k1"), .value = bytes("v1"), .headers = headers});
  if (writer.finish(scratch, set)) return 1;

  Reader reader;
  kparse::read_records(set.view(), {}, scratch, reader);
  return 0;
}
