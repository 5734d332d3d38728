// SPDX-License-Identifier: MIT
// Random batches of every magic and codec: written, read, the same; and what is left of them when they are cut or when
// one byte is another.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "kparse/record_writer.h"
#include "support.h"

namespace kparse::test {
namespace {

struct Wanted {
  std::int64_t offset = 0, timestamp = 0;
  std::optional<Blob> key, value;
  std::vector<std::pair<std::string, std::optional<Blob>>> headers;
  bool operator==(const Wanted&) const = default;
};

struct Made {
  NewBatch batch;
  std::vector<Wanted> records;
  Blob bytes;
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  /// `most`: bytes of a key or value.
  Made make(std::uint64_t most) {
    Made m;
    NewBatch& b = m.batch;
    b.magic = static_cast<std::int8_t>(roll(4) == 0 ? roll(2) : 2);
    b.codec = static_cast<Codec>(roll(b.magic == 2 ? 5 : 4));
    b.base_offset = static_cast<std::int64_t>(random_() >> (16 + roll(40)));
    b.compression.xerial = roll(2) == 0;
    b.compression.xerial_block = 64u << roll(10);
    if (b.magic > 0 && roll(4) == 0) {
      b.timestamp_type = TimestampType::LogAppendTime;
      b.log_append_time = time();
    }
    if (b.magic == 2) {
      b.partition_leader_epoch = static_cast<std::int32_t>(random_());
      if (roll(2)) {
        b.producer_id = static_cast<std::int64_t>(random_() >> 1);
        b.producer_epoch = static_cast<std::int16_t>(random_());
        b.base_sequence = static_cast<std::int32_t>(random_() >> 33);
        b.transactional = roll(2) == 0;
      }
      if (roll(8) == 0) b.delete_horizon = time();
    }
    std::int64_t offset = b.base_offset;
    for (std::uint64_t n = 1 + roll(5); n > 0; --n) {
      Wanted w{.offset = offset, .timestamp = time(), .key = blob(most), .value = blob(most), .headers = {}};
      offset += 1 + static_cast<std::int64_t>(roll(3));
      if (b.magic == 2)
        for (std::uint64_t h = roll(4); h > 0; --h) {
          const Blob name = blob(20).value_or(Blob{});
          w.headers.emplace_back(std::string(name.begin(), name.end()), blob(30));
        }
      m.records.push_back(std::move(w));
    }
    write(m);
    return m;
  }

  std::uint64_t roll(std::uint64_t n) { return random_() % n; }

 private:
  std::int64_t time() { return static_cast<std::int64_t>(random_() >> (2 + roll(60))); }
  std::optional<Blob> blob(std::uint64_t most) {
    if (roll(6) == 0) return std::nullopt;
    Blob out(roll(most + 1));
    const bool dense = roll(2) == 0;
    for (auto& b : out) b = static_cast<std::uint8_t>(dense ? 'a' + roll(3) : random_());
    return out;
  }

  void write(Made& m) {
    const auto view_of = [](const std::optional<Blob>& b) {
      static const std::uint8_t empty = 0;
      return !b ? Bytes{} : b->empty() ? Bytes{&empty, 0} : Bytes(*b);
    };
    writer_.begin(m.batch);
    for (const Wanted& w : m.records) {
      std::vector<RecordHeader> headers;
      for (const auto& [name, value] : w.headers) headers.push_back({name, view_of(value)});
      writer_.add({.offset = w.offset,
                   .timestamp = w.timestamp,
                   .key = view_of(w.key),
                   .value = view_of(w.value),
                   .headers = headers});
    }
    Writer out;
    const Error e = writer_.finish(scratch_, out);
    EXPECT_FALSE(e) << name_of(e.code);
    m.bytes.assign(out.view().begin(), out.view().end());
  }

  std::mt19937_64 random_;
  RecordWriter writer_;
  Scratch scratch_;
};

std::string about(const Made& m) {
  return "magic " + std::to_string(m.batch.magic) + " " + std::string(name_of(m.batch.codec)) + " at " +
         std::to_string(m.batch.base_offset);
}

/// On the heap to its last byte, so that a sanitizer sees a read past the end.
Keeper read_exactly(Bytes set) {
  const auto block = std::make_unique<std::uint8_t[]>(set.size());
  std::copy(set.begin(), set.end(), block.get());
  return read_all({block.get(), set.size()});
}

std::vector<Wanted> records_of(const Keeper& k) {
  std::vector<Wanted> out;
  for (const KeptBatch& b : k.batches)
    for (const KeptRecord& r : b.records)
      out.push_back({r.record.offset, r.record.timestamp, r.key, r.value, r.headers});
  return out;
}

bool all_right(const Keeper& k) {
  if (k.complaint() || k.crc_bad() || k.left) return false;
  for (const KeptBatch& b : k.batches)
    if (b.batch.inner_crc_bad > 0) return false;
  return true;
}

TEST(RandomBatches, ComeBackAsTheyWere) {
  Maker make(11);
  for (int i = 0; i < 4000; ++i) {
    const Made m = make.make(i % 50 == 0 ? 60'000 : 300);
    const Keeper k = read_exactly(m.bytes);
    ASSERT_TRUE(all_right(k)) << about(m);
    std::vector<Wanted> wanted = m.records;
    for (Wanted& w : wanted) {
      if (m.batch.magic == 0) w.timestamp = -1;
      if (m.batch.timestamp_type == TimestampType::LogAppendTime) w.timestamp = m.batch.log_append_time;
    }
    ASSERT_EQ(records_of(k), wanted) << about(m);
    for (const KeptBatch& b : k.batches) {
      ASSERT_EQ(b.batch.codec, m.batch.codec);
      if (m.batch.magic < 2) continue;
      ASSERT_EQ(b.batch.base_offset, m.batch.base_offset);
      ASSERT_EQ(b.batch.partition_leader_epoch, m.batch.partition_leader_epoch);
      ASSERT_EQ(b.batch.producer_id, m.batch.producer_id);
      ASSERT_EQ(b.batch.producer_epoch, m.batch.producer_epoch);
      ASSERT_EQ(b.batch.base_sequence, m.batch.base_sequence);
      ASSERT_EQ(b.batch.transactional, m.batch.transactional);
      ASSERT_EQ(b.batch.has_delete_horizon, m.batch.delete_horizon.has_value());
      ASSERT_EQ(b.batch.count, static_cast<std::int32_t>(m.records.size()));
    }
  }
}

// A set that was cut holds whole batches, which are right, and says what is left.
TEST(RandomBatches, EveryPrefix) {
  Maker make(12);
  for (int i = 0; i < 150; ++i) {
    const Made m = make.make(40);
    const std::vector<Wanted> whole = records_of(read_exactly(m.bytes));
    for (std::size_t n = 0; n < m.bytes.size(); ++n) {
      const Keeper k = read_exactly(Bytes(m.bytes).first(n));
      ASSERT_FALSE(k.complaint() || k.crc_bad()) << about(m) << " cut to " << n;
      const std::vector<Wanted> some = records_of(k);
      ASSERT_LT(some.size(), whole.size());
      ASSERT_TRUE(std::equal(some.begin(), some.end(), whole.begin())) << about(m) << " cut to " << n;
      std::size_t read = k.left ? k.left->first : 0;
      for (const KeptBatch& b : k.batches) read += 12 + static_cast<std::size_t>(b.batch.batch_length);
      ASSERT_EQ(read, n);
    }
  }
}

/// But for their offsets, which no checksum covers.
std::vector<Wanted> without_offsets(std::vector<Wanted> records) {
  for (Wanted& w : records) w.offset = 0;
  return records;
}

// Any byte that is another is an error, a wrong CRC, or makes the batch longer than the set; but for the offset and the
// leader epoch, which no checksum covers, and there the records stay. (Of a compressed set of magic 1 the offset can't
// be below the last one inside.)
TEST(RandomBatches, EveryFlippedByte) {
  Maker make(13);
  std::size_t flips = 0;
  for (int i = 0; i < 300; ++i) {
    Made m = make.make(40);
    const Keeper whole = read_exactly(m.bytes);
    std::size_t at = 0;
    for (std::size_t k = 0; k < m.bytes.size(); ++k, ++flips) {
      if (at + 1 < whole.batches.size() && whole.batches[at + 1].batch.position <= k) ++at;
      const std::size_t in_batch = k - whole.batches[at].batch.position;
      const bool covered = in_batch >= 8 && !(m.batch.magic == 2 && in_batch >= 12 && in_batch < 16);
      const auto flip = static_cast<std::uint8_t>(1 + make.roll(255));
      m.bytes[k] ^= flip;
      const Keeper damaged = read_exactly(m.bytes);
      m.bytes[k] ^= flip;
      const std::string where = about(m) + " byte " + std::to_string(k) + " ^ " + std::to_string(flip);
      if (covered) {
        ASSERT_FALSE(all_right(damaged)) << where;
      } else {
        ASSERT_FALSE(damaged.crc_bad()) << where;
        if (m.batch.magic == 1 && m.batch.codec != Codec::none && damaged.complaint()) continue;
        ASSERT_TRUE(all_right(damaged)) << where;
        ASSERT_EQ(without_offsets(records_of(damaged)), without_offsets(records_of(whole))) << where;
      }
    }
  }
  EXPECT_GT(flips, 50'000u);
}

}  // namespace
}  // namespace kparse::test
