// SPDX-License-Identifier: MIT
#include "capture/source.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "packet_builder.h"

namespace kparse::capture {
namespace {

using namespace build;

struct Read {
  FileInfo info;
  std::vector<Record> packets;
  std::vector<std::uint16_t> link_types;
  std::vector<Secret> secrets;
};

Read read(const std::string& name) {
  Read r;
  Source s(name, 3);
  if (s.open()) {
    Packet p;
    while (s.next(p)) {
      EXPECT_EQ(p.stamp.file, 3u);
      r.packets.push_back({p.stamp.time_ns, Raw(p.data.begin(), p.data.end()), p.wire_length});
      EXPECT_EQ(p.stamp.packet, r.packets.size());
      r.link_types.push_back(p.link_type);
    }
    r.secrets = s.secrets();
  }
  r.info = s.info();
  return r;
}

Raw gzip(const Raw& data) {
  z_stream z{};
  deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  Raw out(deflateBound(&z, data.size()) + 64);
  z.next_in = const_cast<Bytef*>(data.data());
  z.avail_in = static_cast<uInt>(data.size());
  z.next_out = out.data();
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

Raw zstd(const Raw& data) {
  Raw out(ZSTD_compressBound(data.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), data.data(), data.size(), 3));
  return out;
}

const std::vector<Record> three = {{1'700'000'000'123'456'000, pattern(60), 0},
                                   {1'700'000'000'123'457'000, pattern(0), 0},
                                   {1'700'000'001'000'000'000, pattern(100), 1500}};

void expect_three(const Read& r) {
  ASSERT_EQ(r.packets.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(r.packets[i].time_ns, three[i].time_ns);
    EXPECT_EQ(r.packets[i].data, three[i].data);
  }
  EXPECT_EQ(r.packets[2].wire, 1500u);
  EXPECT_EQ(r.info.packets, 3u);
  EXPECT_EQ(r.info.bytes, 160u);
  EXPECT_EQ(r.info.snaplen_cut, 1u);
  EXPECT_EQ(r.info.first_time, three[0].time_ns);
  EXPECT_EQ(r.info.last_time, three[2].time_ns);
}

TEST(Source, PcapInBothByteOrdersAndPrecisions) {
  Folder f;
  for (const bool big : {false, true}) {
    for (const bool nano : {false, true}) {
      const Read r = read(f.write("a", pcap(three, 113, big, nano)));
      EXPECT_EQ(r.info.format, "pcap");
      EXPECT_FALSE(r.info.damage);
      expect_three(r);
      EXPECT_EQ(r.link_types.at(0), 113);
    }
  }
  const Read r = read(f.write("a", pcap({{1'000'000'001, pattern(4), 0}}, 1, false, true)));
  EXPECT_EQ(r.packets.at(0).time_ns, 1'000'000'001);
}

TEST(Source, FcsLengthIsNoPartOfTheLinkType) {
  Folder f;
  EXPECT_EQ(read(f.write("a", pcap(three, 0x24000001))).link_types.at(0), 1);
}

TEST(Source, PackedFiles) {
  Folder f;
  const Raw plain = pcap(three);
  const Raw head(plain.begin(), plain.begin() + 70), tail(plain.begin() + 70, plain.end());
  Read r = read(f.write("a", gzip(plain)));
  EXPECT_EQ(r.info.format, "pcap.gz");
  expect_three(r);
  r = read(f.write("a", gzip(head) + gzip(tail) + zeros(512)));  // members one after another, padding
  EXPECT_FALSE(r.info.damage);
  expect_three(r);
  r = read(f.write("a", zstd(plain)));
  EXPECT_EQ(r.info.format, "pcap.zst");
  expect_three(r);
  r = read(f.write("a", number(0x184d2a50, 4, false) + number(3, 4, false) + zeros(3) + zstd(head) + zstd(tail)));
  EXPECT_FALSE(r.info.damage);
  expect_three(r);
}

TEST(Source, LargePackedFileComesOutWhole) {
  Folder f;
  std::vector<Record> many;
  for (std::size_t i = 0; i < 3000; ++i)
    many.push_back({static_cast<std::int64_t>(i) * 1000, pattern(i % 1500, i * i), 0});
  const Raw plain = pcap(many);
  for (const Raw& packed : {plain, gzip(plain), zstd(plain)}) {
    const Read r = read(f.write("a", packed));
    ASSERT_EQ(r.packets.size(), many.size());
    for (std::size_t i = 0; i < many.size(); ++i) ASSERT_EQ(r.packets[i].data, many[i].data) << i;
  }
}

TEST(Source, DamagedPackedFilesKeepWhatCameBefore) {
  Folder f;
  Raw random(200'000);
  std::uint32_t x = 1;
  for (auto& b : random) b = static_cast<std::uint8_t>((x = x * 1664525 + 1013904223) >> 24);
  const Raw plain = pcap({three[0], {2'000'000'000, random, 0}, three[2]});
  Raw z = gzip(plain);
  z.resize(z.size() / 2);
  Read r = read(f.write("a", z));
  EXPECT_EQ(r.packets.size(), 1u);
  ASSERT_TRUE(r.info.damage);
  EXPECT_EQ(text_of(*r.info.damage),
            "gzip data ends early at byte " + std::to_string(z.size()) + " of the compressed file");
  z = zstd(plain);
  z.resize(z.size() / 2);
  r = read(f.write("a", z));
  EXPECT_EQ(r.packets.size(), 1u);
  ASSERT_TRUE(r.info.damage);
  EXPECT_EQ(r.info.damage->reason, "zstd data ends early");
}

TEST(Source, WhatCannotBeRead) {
  Folder f;
  EXPECT_EQ(read(f.path() + "/none").info.error, "No such file or directory");
  EXPECT_EQ(read(f.path()).info.error, "Is a directory");
  EXPECT_EQ(read(f.write("a", {})).info.error, "is empty");
  EXPECT_EQ(read(f.write("a", bytes("ab"))).info.error, "is no capture: it ends at byte 2");
  EXPECT_EQ(read(f.write("a", bytes("GET / HTTP/1.0"))).info.error,
            "is no capture: unknown magic number 47455420 at byte 0");
  EXPECT_EQ(read(f.write("a", gzip(bytes("hello world")))).info.error,
            "is no capture: unknown magic number 68656c6c at byte 0");
  EXPECT_EQ(read(f.write("a", Raw{0x1f, 0x8b, 8, 0, 0})).info.error,
            "gzip data ends early at byte 5 of the compressed file");
}

TEST(Source, LyingLengthsAreDamageAtTheirPlace) {
  Folder f;
  Raw file = pcap(three);
  const std::size_t third = file.size() - 116;
  for (int i = 0; i < 4; ++i) file[third + 8 + static_cast<std::size_t>(i)] = 0xff;
  const Read r = read(f.write("a", file));
  EXPECT_EQ(r.packets.size(), 2u);
  ASSERT_TRUE(r.info.damage);
  EXPECT_EQ(r.info.damage->reason, "a packet length that can't be (4294967295)");
  EXPECT_EQ(r.info.damage->offset, third);
}

TEST(Source, LengthsTheOtherWayRound) {
  Folder f;
  Raw file = pcap(three);
  file[6] = 2;  // format 2.2: wire length first
  for (std::size_t at = 24 + 8; at + 8 <= file.size();) {
    const std::uint32_t captured = file[at] | static_cast<std::uint32_t>(file[at + 1]) << 8;
    std::swap_ranges(file.begin() + static_cast<std::ptrdiff_t>(at), file.begin() + static_cast<std::ptrdiff_t>(at) + 4,
                     file.begin() + static_cast<std::ptrdiff_t>(at) + 4);
    at += 16 + captured;
  }
  expect_three(read(f.write("a", file)));
}

TEST(Source, ModifiedPcapByLibpcap) {
  Folder f;
  Raw file = pcap_header();
  file[0] = 0x34;
  file[1] = 0xcd;  // Kuznetsov's: 8 more bytes in each record header
  const Raw record = pcap_record(three[0]);
  file = file + Raw(record.begin(), record.begin() + 16) + zeros(8) + Raw(record.begin() + 16, record.end());
  for (const Raw& x : {file, gzip(file)}) {
    const Read r = read(f.write("a", x));
    ASSERT_EQ(r.packets.size(), 1u) << r.info.error;
    EXPECT_EQ(r.packets[0].data, three[0].data);
    EXPECT_EQ(r.packets[0].time_ns, three[0].time_ns);
  }
}

/// What is there of whole packets comes out at every length, and the rest is said to be cut off.
void every_prefix(const Raw& file, const std::vector<std::size_t>& ends, std::size_t header, const char* what) {
  Folder f;
  for (std::size_t n = 0; n <= std::min<std::size_t>(file.size(), 1024); ++n) {
    const Read r = read(f.write("a", Raw(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n))));
    if (n < header) {
      EXPECT_FALSE(r.info.error.empty()) << n;
      continue;
    }
    EXPECT_TRUE(r.info.error.empty()) << n << r.info.error;
    std::size_t whole = 0, at = header;
    bool border = n == header;
    for (const std::size_t end : ends) {
      if (end > n) break;
      ++whole;
      at = end;
      border = border || n == end;
    }
    EXPECT_EQ(r.packets.size(), whole) << n;
    EXPECT_EQ(!r.info.damage, border) << n;
    if (r.info.damage) {
      EXPECT_EQ(r.info.damage->offset, at) << n;
      EXPECT_EQ(r.info.damage->reason.substr(0, 7), what) << n;
    }
  }
}

TEST(Source, EveryPrefixOfAPcap) {
  std::vector<Record> many;
  std::vector<std::size_t> ends;
  std::size_t at = 24;
  for (std::size_t i = 0; i < 12; ++i) {
    many.push_back({static_cast<std::int64_t>(i), pattern(i * 11), 0});
    ends.push_back(at += 16 + i * 11);
  }
  every_prefix(pcap(many), ends, 24, "cut off");
}

TEST(Source, EveryPrefixOfAPcapng) {
  for (const bool big : {false, true}) {
    const Pcapng ng{big};
    Raw file = ng.section();
    const std::size_t header = file.size();
    file = file + ng.interface(1);
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < 12; ++i) {
      file = file + ng.enhanced(0, i, pattern(i * 11));
      ends.push_back(file.size());
    }
    Folder f;
    for (std::size_t n = 0; n <= std::min<std::size_t>(file.size(), 1024); ++n) {
      const Read r = read(f.write("a", Raw(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n))));
      EXPECT_EQ(r.info.error.empty(), n >= header) << n;
      std::size_t whole = 0;
      while (whole < ends.size() && ends[whole] <= n) ++whole;
      EXPECT_EQ(r.packets.size(), whole) << n;
      const bool border = n == header || n == header + 20 || (whole != 0 && n == ends[whole - 1]);
      EXPECT_EQ(r.info.error.empty() && !r.info.damage, n >= header && border) << n;
    }
  }
}

}  // namespace
}  // namespace kparse::capture
