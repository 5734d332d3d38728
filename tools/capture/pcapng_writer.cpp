// SPDX-License-Identifier: MIT
#include "capture/pcapng_writer.h"

#include <algorithm>

namespace kparse::capture {
namespace {

void put(std::string& to, std::uint32_t v, int bytes, bool big) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(v >> 8 * (big ? bytes - 1 - i : i));
}

}  // namespace

PcapngWriter& PcapngWriter::u16(std::uint16_t v) {
  put(block_, v, 2, false);
  return *this;
}
PcapngWriter& PcapngWriter::u32(std::uint32_t v) {
  put(block_, v, 4, false);
  return *this;
}

void PcapngWriter::begin(std::uint32_t type) {
  block_.clear();
  u32(type).u32(0);
}

void PcapngWriter::pad() { block_.resize((block_.size() + 3) / 4 * 4, '\0'); }

void PcapngWriter::option(std::uint16_t code, std::string_view value) {
  value = value.substr(0, 0xffff);
  if (value.empty()) return;
  u16(code).u16(static_cast<std::uint16_t>(value.size()));
  block_ += value;
  pad();
}

void PcapngWriter::end() {
  pad();
  const auto length = static_cast<std::uint32_t>(block_.size() + 4);
  for (int i = 0; i < 4; ++i) block_[4 + static_cast<std::size_t>(i)] = static_cast<char>(length >> 8 * i);
  u32(length);
  sink_(block_);
}

void PcapngWriter::section(std::string_view comment, std::string_view application) {
  begin(0x0a0d0d0a);
  u32(0x1a2b3c4d).u16(1).u16(0).u32(0xffffffff).u32(0xffffffff);
  option(1, comment);
  option(4, application);
  u32(0);  // end of options
  end();
}

void PcapngWriter::interface(std::uint16_t link_type, std::uint32_t snaplen) {
  begin(1);
  u16(link_type).u16(0).u32(snaplen);
  option(9, "\x09");  // if_tsresol: nanoseconds
  u32(0);
  end();
}

void PcapngWriter::secrets(std::uint32_t type, std::string_view data) { sink_(secrets_block(type, data, false)); }

void PcapngWriter::packet(std::uint32_t interface, std::int64_t time_ns, std::initializer_list<Bytes> parts,
                          std::uint32_t wire_length) {
  std::size_t size = 0;
  for (const Bytes& b : parts) size += b.size();
  const auto captured = static_cast<std::uint32_t>(size);
  const auto time = static_cast<std::uint64_t>(time_ns);
  begin(6);
  u32(interface).u32(static_cast<std::uint32_t>(time >> 32)).u32(static_cast<std::uint32_t>(time));
  u32(captured).u32(std::max(captured, wire_length));
  for (const Bytes& b : parts) block_ += text(b);
  end();
}

std::string secrets_block(std::uint32_t type, std::string_view data, bool big) {
  const std::size_t padded = (data.size() + 3) / 4 * 4;
  const auto length = static_cast<std::uint32_t>(padded + 20);
  std::string block;
  for (const std::uint32_t v : {10u, length, type, static_cast<std::uint32_t>(data.size())}) put(block, v, 4, big);
  block += data;
  block.resize(16 + padded, '\0');
  put(block, length, 4, big);
  return block;
}

}  // namespace kparse::capture
