// SPDX-License-Identifier: MIT
// The largest things that are in order: a frame of 100 MiB, and a batch of 200 MiB once it is uncompressed.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <zlib.h>

#include <algorithm>
#include <functional>
#include <string>

#include "captures.h"
#include "kparse/crc.h"
#include "process.h"

namespace kparse::test {
namespace {

constexpr std::size_t mib = 1u << 20;

Bytes bytes_of(const std::string& s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }

/// A record of magic 2 with an offset delta and a value of so many bytes.
std::string record(std::int32_t delta, std::size_t value_size) {
  const std::string rest = std::string(1, '\0') + varint(0) + varint(delta) + varint(-1) +
                           varint(static_cast<std::int64_t>(value_size)) + std::string(value_size, 'v') + varint(0);
  return varint(static_cast<std::int64_t>(rest.size())) + rest;
}

/// Source: Kafka's DefaultRecordBatch.
std::string batch(const std::string& payload, std::int32_t count, std::int16_t codec) {
  const std::string covered = be16(static_cast<std::uint16_t>(codec)) + be32(static_cast<std::uint32_t>(count - 1)) +
                              be64(1'700'000'000'000) + be64(1'700'000'000'000) + be64(~0ull) + be16(0xffff) +
                              be32(0xffffffff) + be32(static_cast<std::uint32_t>(count)) + payload;
  return be64(0) + be32(static_cast<std::uint32_t>(9 + covered.size())) + be32(0) + '\x02' +
         be32(crc32c(bytes_of(covered))) + covered;
}

/// Produce version 3 to partition 0 of topic "t".
std::string produce(const std::string& records) {
  const std::string body =
      be16(0) + be16(3) + be32(7) + be16(4) + "test" +  // header: api, version, correlation id, client id
      be16(0xffff) + be16(1) + be32(30'000) +           // transactional id, acks, timeout
      be32(1) + be16(1) + "t" + be32(1) + be32(0) + be32(static_cast<std::uint32_t>(records.size())) + records;
  return be32(static_cast<std::uint32_t>(body.size())) + body;
}

std::string produce_response() {
  const std::string body =
      be32(7) + be32(1) + be16(1) + "t" + be32(1) + be32(0) + be16(0) + be64(5000) + be64(~0ull) + be32(0);
  return be32(static_cast<std::uint32_t>(body.size())) + body;
}

std::string gzip(const std::function<std::string(int)>& piece, int pieces) {
  z_stream z{};
  deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out;
  char buffer[65536];
  for (int i = 0; i < pieces; ++i) {
    std::string in = piece(i);
    z.next_in = reinterpret_cast<Bytef*>(in.data());
    z.avail_in = static_cast<uInt>(in.size());
    do {
      z.next_out = reinterpret_cast<Bytef*>(buffer);
      z.avail_out = sizeof buffer;
      deflate(&z, i + 1 == pieces ? Z_FINISH : Z_NO_FLUSH);
      out.append(buffer, sizeof buffer - z.avail_out);
    } while (z.avail_out == 0);
  }
  deflateEnd(&z);
  return out;
}

std::uint64_t seen(const Result& report, const char* what) {
  rapidjson::Document document;
  document.Parse(report.out.c_str());
  return document.HasParseError() ? ~0ull : document["seen"][what].GetUint64();
}

TEST(Large, FrameOf100MiB) {
  const Folder folder;
  constexpr std::size_t value_size =
      100 * mib - 200;  // the frame just fits a broker's default socket.request.max.bytes
  {
    ConnectionWriter connection(folder / "frame.pcap");
    connection.client(produce(batch(record(0, value_size), 1, 0)));
    connection.server(produce_response());
  }
  const Result r = run({"records", "--format", "ndjson", "--bytes", "none", folder / "frame.pcap"});
  EXPECT_EQ(r.status, 0) << r.err;
  rapidjson::Document line;
  line.Parse(r.out.c_str());
  ASSERT_FALSE(line.HasParseError()) << r.out.substr(0, 300);
  EXPECT_EQ(line["valueSize"].GetUint64(), value_size);
  EXPECT_TRUE(line["offset"].IsNull()) << "produced records wait for their answer within 64 MiB only";
  const Result report = run({"report", "--format", "json", folder / "frame.pcap"});
  EXPECT_EQ(seen(report, "records"), 1u);
  EXPECT_EQ(seen(report, "crcBad"), 0u);
  EXPECT_EQ(seen(report, "matched"), 1u);
  EXPECT_EQ(seen(report, "undecoded"), 0u);
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(report.peak_kib, 500 * 1024);
#endif
}

TEST(Large, BatchOf200MiBUncompressed) {
  const Folder folder;
  constexpr int records = 200;
  {
    ConnectionWriter connection(folder / "batch.pcap");
    connection.client(produce(batch(gzip([](int i) { return record(i, mib); }, records), records, 1)));
    connection.server(produce_response());
  }
  const Result r = run({"records", "--format", "ndjson", "--bytes", "none", folder / "batch.pcap"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), records);
  EXPECT_NE(r.out.rfind("\"offset\":5199"), std::string::npos);
  EXPECT_NE(r.out.rfind("\"valueSize\":1048576"), std::string::npos);

  const Result limited = run({"report", "--format", "json", "--max-batch", "100M", folder / "batch.pcap"});
  EXPECT_EQ(limited.status, 0);
  EXPECT_EQ(seen(limited, "records"), 0u) << "past the limit the batch has an error";
  EXPECT_EQ(seen(limited, "matched"), 1u) << "and nothing else is lost";
}

}  // namespace
}  // namespace kparse::test
