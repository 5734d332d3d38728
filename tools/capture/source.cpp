// SPDX-License-Identifier: MIT
#include "capture/source.h"

#include <algorithm>

namespace kparse::capture {

Source::Source(std::string name, std::uint32_t number, const std::atomic<bool>* stop, std::size_t read_size)
    : number_(number), stop_(stop), read_size_(read_size), raw_(name, stop) {
  info_.name = std::move(name);
}

bool Source::open() {
  info_.error = raw_.open();
  if (!info_.error.empty()) return false;
  std::uint8_t head[4];
  std::size_t n = 0;
  for (std::size_t got = 0; n < 4 && (got = raw_.read(head + n, 4 - n)) != 0;) n += got;
  raw_.unread({head, n});
  const Packing packing = packing_of({head, n});
  unpacked_ = unpacker(packing, raw_);
  window_ = std::make_unique<Window>(unpacked_ ? *unpacked_ : raw_, read_size_);
  OpenReader r = open_reader(*window_);
  reader_ = std::move(r.reader);
  info_.error = std::move(r.error);
  info_.format = std::move(r.format);
  if (!info_.format.empty() && packing != Packing::none) info_.format += packing == Packing::gzip ? ".gz" : ".zst";
  return reader_ != nullptr;
}

bool Source::next(Packet& p) {
  if (!reader_->next(p)) {
    const bool stopped = stop_ != nullptr && stop_->load(std::memory_order_relaxed);
    if (!stopped) info_.damage = reader_->damage();  // who ends the reading himself didn't find damage
    return false;
  }
  p.stamp.packet = ++info_.packets;
  p.stamp.file = number_;
  info_.bytes += p.data.size();
  info_.wire_bytes += p.wire_length;
  info_.snaplen_cut += p.data.size() < p.wire_length ? 1 : 0;
  const std::int64_t t = p.stamp.time_ns;
  if (!info_.first_time || t < *info_.first_time) info_.first_time = t;
  if (!info_.last_time || t > *info_.last_time) info_.last_time = t;
  return true;
}

}  // namespace kparse::capture
