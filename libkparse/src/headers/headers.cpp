// SPDX-License-Identifier: MIT
#include "kparse/headers.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "kparse/record_walk.h"

namespace kparse {

namespace {

constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();

/// The next encoded header of `rest`; false: none.
bool take(Bytes& rest, RecordHeader& out) noexcept {
  const std::uint8_t* const end = rest.data() + rest.size();
  Bytes name;
  const std::uint8_t* at = rest.empty() ? nullptr : detail::read_nullable(rest.data(), end, name);
  if (!at || !name.data() || !(at = detail::read_nullable(at, end, out.value))) return false;
  out.name = text(name);
  rest = {at, static_cast<std::size_t>(end - at)};
  return true;
}

bool same(const RecordHeader& a, const RecordHeader& b) noexcept {
  return a.name == b.name && (a.value.data() == nullptr) == (b.value.data() == nullptr) &&
         std::ranges::equal(a.value, b.value);
}

}  // namespace

std::string_view message_of(HeadersStatus s) noexcept {
  switch (s) {
    case HeadersStatus::read_only:
      return "the headers are read-only since close()";
    case HeadersStatus::too_large:
      return "a name, a value or the number of headers is past 2147483647";
    case HeadersStatus::no_memory:
      return "not enough memory";
    case HeadersStatus::ok:
      break;
  }
  return "ok";
}

Headers::~Headers() = default;

Headers::Headers(Headers&& o) noexcept { *this = std::move(o); }

Headers& Headers::operator=(Headers&& o) noexcept {
  wire_ = std::exchange(o.wire_, {});
  wire_count_ = std::exchange(o.wire_count_, 0);
  list_ = std::move(o.list_);
  count_ = std::exchange(o.count_, 0);
  capacity_ = std::exchange(o.capacity_, 0);
  closed_ = std::exchange(o.closed_, false);
  return *this;
}

std::optional<Headers> Headers::read(Bytes encoded, Error& error) noexcept {
  std::int32_t count = 0;
  const std::uint8_t* const end = encoded.data() + encoded.size();
  const std::uint8_t* at = read_varint(encoded.data(), end, count);
  const auto fail = [&](Code code, const std::uint8_t* where) noexcept {
    error = {.code = code,
             .limit = Limit::header,
             .offset = static_cast<std::uint64_t>(where - encoded.data()),
             .have = static_cast<std::uint64_t>(end - where)};
    return std::nullopt;
  };
  if (!at) return fail(varint_error(encoded.data(), end, max_varint_bytes), encoded.data());
  if (count < 0 || count > end - at) return fail(Code::badCount, at);
  Headers out;
  out.wire_ = {at, static_cast<std::size_t>(end - at)};
  out.wire_count_ = count;
  Bytes rest = out.wire_;
  RecordHeader h;
  for (std::int32_t i = 0; i < count; ++i) {
    if (!take(rest, h)) return fail(Code::badLength, rest.data());
  }
  if (!rest.empty()) return fail(Code::surplus, rest.data());
  error = {};
  return out;
}

HeadersStatus Headers::listed(std::size_t more) noexcept {
  const std::size_t now = size();
  if (list_ && now + more <= capacity_) return HeadersStatus::ok;
  const std::size_t room = std::max<std::size_t>(now + more, list_ ? 2 * now : now + more);
  std::unique_ptr<Entry[]> grown(new (std::nothrow) Entry[room == 0 ? 1 : room]);
  if (!grown) return HeadersStatus::no_memory;
  if (list_) {
    std::move(list_.get(), list_.get() + count_, grown.get());
  } else {
    Bytes rest = wire_;
    for (count_ = 0; count_ < now && take(rest, grown[count_].header);) ++count_;
  }
  list_ = std::move(grown);
  capacity_ = room == 0 ? 1 : room;
  return HeadersStatus::ok;
}

HeadersStatus Headers::add(std::string_view name, Bytes value) noexcept {
  if (closed_) return HeadersStatus::read_only;
  if (name.size() > most || value.size() > most || size() >= most) return HeadersStatus::too_large;
  std::unique_ptr<std::uint8_t[]> own(new (std::nothrow) std::uint8_t[name.size() + value.size() + 1]);
  if (!own) return HeadersStatus::no_memory;
  if (const HeadersStatus s = listed(1); s != HeadersStatus::ok) return s;
  if (!name.empty()) std::memcpy(own.get(), name.data(), name.size());
  if (!value.empty()) std::memcpy(own.get() + name.size(), value.data(), value.size());
  Entry& e = list_[count_++];
  e.header.name = {reinterpret_cast<const char*>(own.get()), name.size()};
  e.header.value = value.data() ? Bytes{own.get() + name.size(), value.size()} : Bytes{};
  e.own = std::move(own);
  return HeadersStatus::ok;
}

HeadersStatus Headers::remove(std::string_view name) noexcept {
  if (closed_) return HeadersStatus::read_only;
  if (!last_header(name)) return HeadersStatus::ok;  // so that nothing is listed in vain
  if (const HeadersStatus s = listed(0); s != HeadersStatus::ok) return s;
  // `name` may be that of a header which goes: stable_partition would free it too early, so two steps.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (list_[i].header.name == name) continue;
    if (kept != i) std::swap(list_[kept], list_[i]);
    ++kept;
  }
  for (std::size_t i = kept; i < count_; ++i) list_[i] = {};
  count_ = kept;
  return HeadersStatus::ok;
}

HeadersStatus Headers::erase(Iterator& at) noexcept {
  if (closed_) return HeadersStatus::read_only;
  if (at.index_ >= size()) return HeadersStatus::ok;
  if (const HeadersStatus s = listed(0); s != HeadersStatus::ok) return s;
  std::move(list_.get() + at.index_ + 1, list_.get() + count_, list_.get() + at.index_);
  list_[--count_] = {};
  at.load();
  return HeadersStatus::ok;
}

std::optional<RecordHeader> Headers::last_header(std::string_view name) const noexcept {
  std::optional<RecordHeader> found;
  for (const RecordHeader& h : headers(name)) found = h;
  return found;
}

std::size_t Headers::to_array(std::span<RecordHeader> out) const noexcept {
  std::size_t n = 0;
  for (const RecordHeader& h : *this) {
    if (n == out.size()) break;
    out[n++] = h;
  }
  return n;
}

void Headers::write(Writer& out) const noexcept {
  out.varint(static_cast<std::int32_t>(size()));
  if (!list_) return out.bytes(wire_);
  for (const RecordHeader& h : *this) {
    out.varint(static_cast<std::int32_t>(h.name.size()));
    out.text(h.name);
    out.varint(h.value.data() ? static_cast<std::int32_t>(h.value.size()) : -1);
    out.bytes(h.value);
  }
}

bool operator==(const Headers& a, const Headers& b) noexcept {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same);
}

Headers::Iterator::Iterator(const Headers* of, std::size_t index) noexcept : of_(of), index_(index), rest_(of->wire_) {
  load();
}

void Headers::Iterator::load() noexcept {
  if (index_ >= of_->size()) return;
  if (of_->list_) {
    header_ = of_->list_[index_].header;
    return;
  }
  for (; rest_index_ <= index_; ++rest_index_) {
    if (!take(rest_, header_)) {  // not the view of a record that was read
      index_ = of_->size();
      return;
    }
  }
}

}  // namespace kparse
