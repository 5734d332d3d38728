// SPDX-License-Identifier: GPL-2.0-or-later
#include "kept_bytes.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <vector>

namespace kparse::dissector {
namespace {

using Frame = std::vector<std::uint8_t>;

std::size_t kept_bytes = 0;
std::vector<void*> blocks;

void* allocate(std::size_t size) {
  kept_bytes += size;
  return blocks.emplace_back(std::malloc(size));
}

struct KeptBytes : testing::Test {
  ByteStore store{allocate};

  KeptBytes() { kept_bytes = 0; }
  ~KeptBytes() override {
    for (void* b : blocks) std::free(b);
    blocks.clear();
  }
};

void put32(Frame& to, std::uint32_t v) {
  for (int shift : {24, 16, 8, 0}) to.push_back(static_cast<std::uint8_t>(v >> shift));
}

Frame noise(std::size_t n, unsigned seed) {
  Frame f(n);
  for (auto& b : f) b = static_cast<std::uint8_t>((seed = seed * 1103515245 + 12345) >> 16);
  return f;
}

/// baseOffset, batchLength, partitionLeaderEpoch, magic, crc, and the rest.
Frame batch(std::uint32_t offset, std::uint32_t crc, const Frame& rest) {
  Frame f;
  put32(f, 0);
  put32(f, offset);
  put32(f, static_cast<std::uint32_t>(9 + rest.size()));
  put32(f, offset + 7);
  f.push_back(2);
  put32(f, crc);
  f.insert(f.end(), rest.begin(), rest.end());
  return f;
}

/// A frame of a head, record sets, and a tail; the views of the sets.
struct Made {
  Frame data;
  std::vector<Bytes> sets;
  Made(std::size_t head, const std::vector<Frame>& record_sets, std::size_t tail) : data(noise(head, 1)) {
    std::vector<std::size_t> at;
    for (const Frame& s : record_sets) {
      at.push_back(data.size());
      data.insert(data.end(), s.begin(), s.end());
      data.push_back(0xAA);  // the next partition
    }
    const Frame end = noise(tail, 2);
    data.insert(data.end(), end.begin(), end.end());
    for (std::size_t i = 0; i < at.size(); ++i) sets.push_back(Bytes(data).subspan(at[i], record_sets[i].size()));
  }
};

/// What comes back, with its last bytes from the packet.
Frame read_back(const Kept& kept, const Frame& data) {
  Frame out(4 + data.size(), 0xEE);
  put_kept(kept, out.data());
  std::copy_n(data.end() - kept.here, kept.here, out.end() - kept.here);
  return out;
}

Frame whole(std::uint32_t size, const Frame& data) {
  Frame f;
  put32(f, size);
  f.insert(f.end(), data.begin(), data.end());
  return f;
}

TEST_F(KeptBytes, GivesBackWhatItWasGiven) {
  for (std::uint32_t here : {0u, 1u, 40u, 100u}) {
    const Frame data = noise(100, 3);
    EXPECT_EQ(read_back(*store.keep(123, data, {}, here), data), whole(123, data)) << here;
  }
}

TEST_F(KeptBytes, NothingAfterTheSizeField) { EXPECT_EQ(read_back(*store.keep(50, {}, {}, 0), {}), whole(50, {})); }

TEST_F(KeptBytes, TheSameBatchIsKeptOnce) {
  const Frame rest = noise(50'000, 4);
  const Made produced(30, {batch(0, 99, rest)}, 3), fetched(60, {batch(4711, 99, rest)}, 8);
  const Kept* first = store.keep(1, produced.data, produced.sets, 0);
  EXPECT_GT(kept_bytes, 50'000u);
  kept_bytes = 0;
  const Kept* second = store.keep(2, fetched.data, fetched.sets, 0);
  EXPECT_LT(kept_bytes, 500u);
  EXPECT_EQ(read_back(*first, produced.data), whole(1, produced.data));
  EXPECT_EQ(read_back(*second, fetched.data), whole(2, fetched.data));
}

TEST_F(KeptBytes, OfABatchThatThePacketEndsTheRestIsKeptWithTheNextOne) {
  const Frame rest = noise(50'000, 5);
  const Made produced(30, {batch(0, 99, rest)}, 0), fetched(60, {batch(4711, 99, rest)}, 2000);
  const Kept* first = store.keep(1, produced.data, produced.sets, 1448);
  kept_bytes = 0;
  const Kept* second = store.keep(2, fetched.data, fetched.sets, 500);
  EXPECT_LT(kept_bytes, 4'000u);
  EXPECT_EQ(read_back(*first, produced.data), whole(1, produced.data));
  EXPECT_EQ(read_back(*second, fetched.data), whole(2, fetched.data));
}

TEST_F(KeptBytes, SeveralBatchesAndPartitionsInAnyOrder) {
  const Frame a = batch(0, 1, noise(9'000, 6)), b = batch(10, 2, noise(8'000, 7)), c = batch(20, 3, noise(300, 8));
  Frame ab = a, cb = c;
  ab.insert(ab.end(), b.begin(), b.end());
  cb.insert(cb.end(), b.begin(), b.end());
  Made one(5, {ab, c}, 0), two(6, {cb, a}, 9);
  std::swap(two.sets[0], two.sets[1]);
  const Kept* first = store.keep(1, one.data, one.sets, 0);
  kept_bytes = 0;
  const Kept* second = store.keep(2, two.data, two.sets, 0);
  EXPECT_LT(kept_bytes, 1'500u);
  EXPECT_EQ(read_back(*first, one.data), whole(1, one.data));
  EXPECT_EQ(read_back(*second, two.data), whole(2, two.data));
}

TEST_F(KeptBytes, TheSameChecksumIsNotTheSameBatch) {
  const Made one(5, {batch(0, 77, noise(9'000, 9))}, 0), two(5, {batch(0, 77, noise(9'000, 10))}, 0);
  (void)store.keep(1, one.data, one.sets, 0);
  EXPECT_EQ(read_back(*store.keep(2, two.data, two.sets, 0), two.data), whole(2, two.data));
}

TEST_F(KeptBytes, CutBatchesAndFalseLengths) {
  Frame cut = batch(0, 5, noise(9'000, 11)), endless = cut, tiny = batch(0, 6, {});
  cut.resize(6'000);
  endless[8] = 0xFF;
  const Frame elsewhere = cut;
  Made made(5, {cut, endless, tiny}, 0);
  made.sets.push_back(elsewhere);  // joined from several frames: not a view of this one
  for (int i = 0; i < 2; ++i) EXPECT_EQ(read_back(*store.keep(1, made.data, made.sets, 0), made.data), whole(1, made.data));
}

}  // namespace
}  // namespace kparse::dissector
