// SPDX-License-Identifier: MIT
#include "support.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "kparse/crc.h"

namespace kparse::test {

namespace {

std::optional<Blob> copy(Bytes b) {
  return b.data() ? std::optional<Blob>(std::in_place, b.begin(), b.end()) : std::nullopt;
}

}  // namespace

bool Keeper::begin_batch(const Batch& b) noexcept {
  batches.push_back({b, {}, {}});
  return true;
}

void Keeper::record(const Batch&, const Record& r) noexcept {
  KeptRecord kept{r, copy(r.key), copy(r.value), {}};
  HeaderReader reader(r);
  for (RecordHeader h; reader.next(h);) kept.headers.emplace_back(std::string(h.name), copy(h.value));
  batches.back().records.push_back(std::move(kept));
}

void Keeper::end_batch(const Batch& b, const Error& e) noexcept {
  batches.back().batch = b;
  batches.back().error = e;
}

void Keeper::partial(std::uint64_t bytes, std::uint64_t need) noexcept { left.emplace(bytes, need); }

bool Keeper::complaint() const noexcept {
  return std::ranges::any_of(batches, [](const KeptBatch& b) { return bool{b.error}; });
}

bool Keeper::crc_bad() const noexcept {
  return std::ranges::any_of(batches, [](const KeptBatch& b) { return b.batch.readable && !b.batch.crc_valid; });
}

Keeper read_all(Bytes set, const RecordOptions& options) {
  static Scratch scratch;
  Keeper keeper;
  read_records(set, options, scratch, keeper);
  return keeper;
}

Blob from_hex(std::string_view hex) {
  Blob out;
  int digits = 0, value = 0;
  for (const char c : hex) {
    if (c == ' ' || c == '\n') continue;
    value = value * 16 + (c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    if (++digits % 2 == 0) {
      out.push_back(static_cast<std::uint8_t>(value));
      value = 0;
    }
  }
  return out;
}

std::string base64(Bytes in) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < in.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, in.size() - i);
    unsigned v = in[i] << 16;
    if (n > 1) v |= in[i + 1] << 8;
    if (n > 2) v |= in[i + 2];
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? digits[v >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (path.extension() == ".gz") {
    Scratch scratch;
    const Decompressed out = decompress(Codec::gzip, view(content), scratch);
    content = std::string(text(out.data));
  }
  std::vector<std::string> lines;
  std::istringstream in(content);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::filesystem::path data_file(std::string_view name) {
  return std::filesystem::path(KPARSE_SOURCE_DIR) / "tests/records/data" / name;
}

std::filesystem::path shared_file(std::string_view name) {
  const char* folder = std::getenv("KPARSE_SHARED");
  return (folder ? std::filesystem::path(folder) : std::filesystem::path(KPARSE_SOURCE_DIR) / "../shared") / name;
}

void put(Blob& to, std::uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void put_varint(Blob& to, std::int64_t value) {
  auto v = static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
  for (; v > 127; v >>= 7) to.push_back(static_cast<std::uint8_t>(v | 128));
  to.push_back(static_cast<std::uint8_t>(v));
}

Blob make_record(std::int64_t timestamp_delta, std::int32_t offset_delta, std::string_view value) {
  Blob body{0};
  put_varint(body, timestamp_delta);
  put_varint(body, offset_delta);
  put_varint(body, -1);
  put_varint(body, static_cast<std::int64_t>(value.size()));
  append(body, view(value));
  put_varint(body, 0);
  Blob out;
  put_varint(out, static_cast<std::int64_t>(body.size()));
  append(out, body);
  return out;
}

Blob BatchMaker::make(Bytes payload) const {
  Blob checked;
  put(checked, static_cast<std::uint16_t>(attributes), 2);
  put(checked, static_cast<std::uint32_t>(last_offset_delta), 4);
  put(checked, static_cast<std::uint64_t>(base_timestamp), 8);
  put(checked, static_cast<std::uint64_t>(max_timestamp), 8);
  put(checked, static_cast<std::uint64_t>(producer_id), 8);
  put(checked, static_cast<std::uint16_t>(producer_epoch), 2);
  put(checked, static_cast<std::uint32_t>(base_sequence), 4);
  put(checked, static_cast<std::uint32_t>(count), 4);
  append(checked, payload);
  Blob out;
  put(out, static_cast<std::uint64_t>(base_offset), 8);
  put(out, checked.size() + 9, 4);
  put(out, static_cast<std::uint32_t>(leader_epoch), 4);
  put(out, 2, 1);
  put(out, crc32c(checked), 4);
  append(out, checked);
  return out;
}

Blob make_message(int magic, std::int64_t offset, int attributes, std::int64_t timestamp, Bytes key, Bytes value) {
  Blob checked{static_cast<std::uint8_t>(magic), static_cast<std::uint8_t>(attributes)};
  if (magic == 1) put(checked, static_cast<std::uint64_t>(timestamp), 8);
  for (const Bytes b : {key, value}) {
    put(checked, b.data() ? b.size() : 0xffffffff, 4);
    append(checked, b);
  }
  Blob out;
  put(out, static_cast<std::uint64_t>(offset), 8);
  put(out, checked.size() + 4, 4);
  put(out, crc32(checked), 4);
  append(out, checked);
  return out;
}

}  // namespace kparse::test
