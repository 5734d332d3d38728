// SPDX-License-Identifier: MIT
#include "capture/timeline.h"

#include <algorithm>
#include <utility>

namespace kparse::capture {

struct Timeline::Input {
  std::uint32_t number = 0;  // in the order given
  std::size_t rank = 0;
  std::int64_t first_time = 0;
  std::unique_ptr<Source> source;
  Packet head;
  std::size_t secrets = 0;  // of this source, already copied
};

struct Timeline::Later {
  bool operator()(const Input* a, const Input* b) const noexcept {
    const std::int64_t x = a->head.stamp.time_ns, y = b->head.stamp.time_ns;
    return x != y ? x > y : a->rank > b->rank;
  }
};

Timeline::Timeline(std::vector<std::string> names, TimelineOptions options) : options_(options), files_(names.size()) {
  for (std::size_t i = 0; i < names.size(); ++i) files_[i].name = std::move(names[i]);
}

Timeline::~Timeline() = default;

void Timeline::open() {
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    auto in = std::make_unique<Input>();
    in->number = i;
    peek(*in);
    if (in->source) inputs_.push_back(std::move(in));
  }
  const auto earlier = [](const auto& a, const auto& b) { return a->first_time < b->first_time; };
  std::stable_sort(inputs_.begin(), inputs_.end(), earlier);
  // Of files that begin at the same time, one that holds nothing later goes first: it may have been split off there.
  for (auto from = inputs_.begin(); from != inputs_.end();) {
    const auto to = std::upper_bound(from, inputs_.end(), *from, earlier);
    if (to - from > 1) std::stable_partition(from, to, [this](const auto& in) { return one_instant(*in); });
    from = to;
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    inputs_[i]->rank = i;
    if (inputs_[i]->source->regular()) inputs_[i]->source.reset();
  }
}

/// Leaves a source in `in` if there is a packet.
void Timeline::peek(Input& in) {
  constexpr std::size_t small = 4u << 10;
  FileInfo& info = files_[in.number];
  auto s = std::make_unique<Source>(info.name, in.number, options_.stop, small);
  const bool packet = s->open() && s->next(in.head);
  if (packet) {
    in.first_time = in.head.stamp.time_ns;
    if (s->regular()) {
      s->close_between_reads();
    } else {
      ++holding_;
    }
    info.format = s->info().format;
    in.source = std::move(s);
  } else {
    info = s->info();
    for (const Secret& x : info.error.empty() ? s->secrets() : std::vector<Secret>()) secrets_.push_back(x);
  }
}

bool Timeline::one_instant(const Input& in) const {
  if (!in.source->regular()) return false;
  constexpr int enough = 1 << 16;
  Source s(files_[in.number].name, in.number, options_.stop, 64u << 10);
  Packet p;
  if (!s.open()) return false;
  for (int i = 0; i < enough; ++i) {
    if (!s.next(p)) return true;
    if (p.stamp.time_ns != in.first_time) return false;
  }
  return false;
}

bool Timeline::start(Input& in) {
  if (in.source) return true;  // a pipe: open since the start, its first packet waits
  // With very many files open at once each gets less memory as well.
  const bool crowded = holding_ >= options_.max_open;
  in.source =
      std::make_unique<Source>(files_[in.number].name, in.number, options_.stop, crowded ? 64u << 10 : 256u << 10);
  if (crowded) {
    in.source->close_between_reads();
  } else {
    ++holding_;
  }
  if (in.source->open()) return advance(in);
  close(in);
  return false;
}

bool Timeline::advance(Input& in) {
  const bool packet = in.source->next(in.head);
  const auto& s = in.source->secrets();
  for (; in.secrets < s.size(); ++in.secrets) secrets_.push_back(s[in.secrets]);
  if (!packet) close(in);
  return packet;
}

void Timeline::close(Input& in) {
  files_[in.number] = in.source->info();
  if (in.source->holds()) --holding_;
  in.source.reset();
}

const Packet* Timeline::next_any() {
  if (current_ != nullptr) {
    Input* c = std::exchange(current_, nullptr);
    if (advance(*c)) {
      const bool alone =
          open_.empty() && (unopened_ == inputs_.size() || inputs_[unopened_]->first_time > c->head.stamp.time_ns);
      if (alone) {
        current_ = c;
        return &c->head;
      }
      open_.push_back(c);
      std::push_heap(open_.begin(), open_.end(), Later());
    }
  }
  while (unopened_ < inputs_.size() &&
         (open_.empty() || inputs_[unopened_]->first_time <= open_.front()->head.stamp.time_ns)) {
    Input& in = *inputs_[unopened_++];
    if (!start(in)) continue;
    open_.push_back(&in);
    std::push_heap(open_.begin(), open_.end(), Later());
  }
  if (open_.empty()) return nullptr;
  std::pop_heap(open_.begin(), open_.end(), Later());
  current_ = open_.back();
  open_.pop_back();
  return &current_->head;
}

const Packet* Timeline::next() {
  while (const Packet* p = next_any()) {
    if (filter_.passes(*p)) return p;
  }
  // ended early by `stop`: what the open files gave so far counts
  for (Input* in : open_) {
    if (in->source) files_[in->number] = in->source->info();
  }
  return nullptr;
}

}  // namespace kparse::capture
