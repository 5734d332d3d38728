// SPDX-License-Identifier: MIT
// Counts the records of a record set by the names of their headers: count_headers FILE
// A record set is what a `records` field holds, and what a log segment of a broker is: batch after batch.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "kparse/record_walk.h"

namespace {

/// Hears of every batch and record. What it doesn't define does nothing.
struct Counter : kparse::RecordSink {
  std::uint64_t records = 0, batches = 0, bad_batches = 0;
  std::map<std::string, std::uint64_t, std::less<>> names;

  void record(const kparse::Batch& batch, const kparse::Record& record) noexcept {
    if (batch.control) return;
    ++records;
    kparse::HeaderReader headers(record);
    for (kparse::RecordHeader header; headers.next(header);) ++names[std::string(header.name)];
  }
  void end_batch(const kparse::Batch& batch, const kparse::Error& error) noexcept {
    ++batches;
    if (error || (batch.crc_checked && !batch.crc_valid)) ++bad_batches;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: count_headers FILE\n"), 2;
  std::ifstream file(argv[1], std::ios::binary);
  if (!file) return std::fprintf(stderr, "count_headers: %s: cannot be read\n", argv[1]), 3;
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};

  Counter counter;
  kparse::Scratch scratch;  // decompressed bytes: grows to the largest batch, bounded by RecordOptions::max_batch
  kparse::read_records({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, {}, scratch, counter);

  std::printf("%llu records in %llu batches, %llu bad\n", static_cast<unsigned long long>(counter.records),
              static_cast<unsigned long long>(counter.batches), static_cast<unsigned long long>(counter.bad_batches));
  for (const auto& [name, count] : counter.names)
    std::printf("%8llu %s\n", static_cast<unsigned long long>(count), name.c_str());
  return counter.bad_batches == 0 ? 0 : 1;
}
