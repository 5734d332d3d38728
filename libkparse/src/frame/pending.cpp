// SPDX-License-Identifier: MIT
#include "frame/pending.h"

#include <algorithm>
#include <new>

namespace kparse::frame {

namespace {
constexpr std::uint32_t patience = 32;    // answers after which a request that was passed over is given up
constexpr std::size_t silent_limit = 64;  // acks=0 requests whose ids are remembered
}  // namespace

void PendingTable::close(std::size_t place, State state) noexcept {
  Entry& e = entries_[head_ + place];
  if (e.state == State::waits) --waiting_;
  if (e.state == State::silent) --silent_;
  if (open_ && state == State::done) --(*open_)[bucket(ids_[head_ + place])];
  if (state == State::done && e.ends != same) {
    free_ends_.push_back(e.ends);
    e.ends = same;
  }
  e.state = state;
}

Pending PendingTable::at(std::size_t place) const noexcept {
  const Entry& e = entries_[head_ + place];
  Pending p;
  p.api = find_api(e.key);
  p.key = e.key;
  p.version = e.version;
  p.whole = e.whole;
  p.silent = e.silent;
  p.serial = e.serial;
  p.offset = e.offset;
  p.first = p.last = p.completed = {e.completed_ns, e.completed_packet, e.completed_file};
  if (e.ends == same) return p;
  p.first = ends_[e.ends].first;
  p.last = ends_[e.ends].last;
  return p;
}

std::uint32_t PendingTable::keep_ends(const Pending& p) noexcept {
  if (p.first == p.completed && p.last == p.completed) return same;
  if (free_ends_.empty()) {
    ends_.push_back({p.first, p.last});
    return static_cast<std::uint32_t>(ends_.size() - 1);
  }
  const std::uint32_t place = free_ends_.back();
  free_ends_.pop_back();
  ends_[place] = {p.first, p.last};
  return place;
}

void PendingTable::drop_front() noexcept {
  while (head_ < entries_.size() && entries_[head_].state == State::done) ++head_;
  if (head_ == entries_.size()) {
    entries_.clear();
    ids_.clear();
    ends_.clear();
    free_ends_.clear();
    head_ = 0;
    first_waiting_ = 0;
    open_.reset();
  } else if (head_ >= 16 && head_ > (entries_.size() - head_) / 2) {  // two are moved for each that goes, at most
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(head_));
    ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(head_));
    first_waiting_ -= std::min(first_waiting_, head_);
    head_ = 0;
  }
  first_waiting_ = std::max(first_waiting_, head_);
}

void PendingTable::push(std::int32_t id, const Pending& p) noexcept {
  // The oldest makes room, whatever it is.
  const auto oldest = [this](State wanted) {
    for (std::size_t i = 0; head_ + i < entries_.size(); ++i)
      if (entries_[head_ + i].state == wanted) return i;
    return none;
  };
  if (p.silent && silent_ >= silent_limit)
    if (const std::size_t i = oldest(State::silent); i != none) close(i, State::done);
  if (entries_.size() - head_ >= limit_) {
    if (entries_[head_].state != State::silent) given_up_.push_back(entries_[head_].serial);
    close(0, State::done);
  }
  drop_front();
  ids_.push_back(id);
  entries_.push_back({.serial = p.serial,
                      .offset = p.offset,
                      .completed_ns = p.completed.time_ns,
                      .completed_packet = p.completed.packet,
                      .completed_file = p.completed.file,
                      .ends = keep_ends(p),
                      .passed_at = 0,
                      .key = p.key,
                      .version = p.version,
                      .state = p.silent ? State::silent : State::waits,
                      .whole = p.whole,
                      .silent = p.silent});
  if (open_) {
    ++(*open_)[bucket(id)];
  } else if (entries_.size() - head_ > filter_from) {
    make_filter();
  }
  ++(p.silent ? silent_ : waiting_);
}

void PendingTable::make_filter() noexcept {
  open_.reset(new (std::nothrow) Filter{});
  if (!open_) return;  // it only saves time
  for (std::size_t i = head_; i < entries_.size(); ++i)
    if (entries_[i].state != State::done) ++(*open_)[bucket(ids_[i])];
}

std::size_t PendingTable::find(std::int32_t id, std::size_t from) const noexcept {
  if (open_ && (*open_)[bucket(id)] == 0) return none;
  std::size_t second = none;
  const std::int32_t* const begin = ids_.data() + head_;
  const std::int32_t* const end = ids_.data() + ids_.size();
  for (const std::int32_t* p = begin + std::min<std::size_t>(from, static_cast<std::size_t>(end - begin));
       (p = std::find(p, end, id)) != end; ++p) {
    const auto place = static_cast<std::size_t>(p - begin);
    const State state = entries_[head_ + place].state;
    if (state == State::waits) return place;
    if (state != State::done && second == none) second = place;
  }
  return second;
}

std::size_t PendingTable::oldest() const noexcept {
  for (std::size_t i = std::max(first_waiting_, head_); i < entries_.size(); ++i)
    if (entries_[i].state == State::waits) return i - head_;
  return none;
}

void PendingTable::answer(std::size_t place) noexcept {
  ++answers_;
  close(place, State::done);
  for (std::size_t i = first_waiting_; i < head_ + place; ++i) {
    Entry& e = entries_[i];
    if (e.state == State::silent) close(i - head_, State::done);
    if (e.state != State::waits) continue;
    close(i - head_, State::passed);
    e.passed_at = static_cast<std::uint32_t>(answers_);
  }
  first_waiting_ = std::max(first_waiting_, head_ + place);
  while (true) {
    drop_front();
    if (head_ >= entries_.size()) return;
    const Entry& front = entries_[head_];
    if (front.state != State::passed || static_cast<std::uint32_t>(answers_) - front.passed_at < patience) return;
    given_up_.push_back(front.serial);
    close(0, State::done);
  }
}

void PendingTable::give_up_all() noexcept {
  for (std::size_t i = head_; i < entries_.size(); ++i) {
    if (entries_[i].state == State::waits || entries_[i].state == State::passed)
      given_up_.push_back(entries_[i].serial);
    if (entries_[i].state != State::done) close(i - head_, State::done);
  }
  drop_front();
}

bool PendingTable::take_given_up(std::uint64_t& serial) noexcept {
  if (given_up_read_ < given_up_.size()) {
    serial = given_up_[given_up_read_++];
    return true;
  }
  given_up_.clear();
  given_up_read_ = 0;
  return false;
}

}  // namespace kparse::frame
